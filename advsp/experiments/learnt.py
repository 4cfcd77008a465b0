"""How the systems of a run learnt, and how long that took, from what their training loops wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from advsp.experiments.folds import Fold
from advsp.experiments.grid import GridPoint, chosen_points, folds, grid, seeds, seeds_to_choose_by
from advsp.experiments.run_folder import JobFolder, TrainedRun
from advsp.metrics.learning import Learning
from advsp.support.records import Fields

#: What a model's training loop wrote, a record a pass.
History = Sequence[Fields]
#: Points of a curve, at most.
_POINTS = 40


def learning(trained: TrainedRun) -> dict[str, Learning]:
    """Every system at the point that was chosen, trained on what its models in use were trained on.

    Without those that were not trained, but given their weights: of no passes.

    Raises
    ------
    InputError: a history that is missing, or not whole.
    """
    found = {}
    for name, point in chosen_points(trained.config, trained.choices).items():
        if not trained.choices[name].passes:
            continue
        groups = point.learner.groups(trained.config.classes)
        jobs = {
            seed: [trained.folder.job(name, seed, point.number, None, group).history() for group in groups]
            for seed in seeds(trained.config, name)
        }
        found[name] = _learning(jobs, seeds_to_choose_by(trained.config, name))
    return found


def seconds(trained: TrainedRun) -> dict[str, float]:
    """System to the seconds that its passes took, at all points of its grid, on all folds, with all seeds."""
    return {
        name: sum(
            (line.number("seconds") for job in _jobs(trained, name) for line in job.history()), start=0.0
        )
        for name in trained.choices
    }


def _learning(jobs: Mapping[int, Sequence[History]], chosen_by: Sequence[int]) -> Learning:
    """From the histories of every seed, one a model.

    Validation scores are of the seeds that took part in choosing; others are scored after the chosen passes.
    """
    histories = [history for models in jobs.values() for history in models]
    # A model may have converged before another one.
    passes = min(map(len, histories))
    shown = np.unique(np.linspace(0, passes - 1, min(passes, _POINTS)).round().astype(int)).tolist()
    objective = [
        np.mean([sum(history[at].number("objective") for history in models) for models in jobs.values()])
        for at in shown
    ]
    choosing = [history for seed in chosen_by for history in jobs[seed]]
    scored = [
        at for at in range(min(map(len, choosing))) if all(_scores(history[at]) for history in choosing)
    ]
    validation = []
    for at in scored:
        scores = [score for history in choosing for score in _scores(history[at])]
        validation.append(100 * float(np.mean(scores)))
    lines = [line for history in histories for line in history]
    counted = [line.whole("uncertified") for line in lines if "uncertified" in line]
    return Learning(
        tuple(at + 1 for at in shown),
        tuple(map(float, objective)),
        tuple(at + 1 for at in scored),
        tuple(validation),
        sum(counted) if len(counted) == len(lines) else None,
    )


def _scores(line: Fields) -> list[float]:
    """The scores after a pass, class by class; none where nobody asked, or nothing was held out."""
    return list(line.fields("validation").all_numbers().values()) if "validation" in line else []


def _jobs(trained: TrainedRun, name: str) -> Iterator[JobFolder]:
    """All models of a system that were trained, each once."""
    config, folder = trained.config, trained.folder
    points: list[GridPoint] = grid(name, config.systems[name])
    held_out: list[Fold | None] = list(dict.fromkeys([*folds(config, name), None]))
    for point, seed, fold in product(points, seeds(config, name), held_out):
        for group in point.learner.groups(config.classes):
            job = folder.job(name, seed, point.number, fold, group)
            if job.begun and point.config.optimiser.passes:
                yield job
