"""How a system learnt: what its training loop wrote of every pass."""

from __future__ import annotations

from dataclasses import dataclass

from advsp.experiments.folds import Fold
from advsp.experiments.grid import seeds
from advsp.experiments.run_folder import AVERAGE, seed_name
from advsp.experiments.system_in_use import SystemInUse


@dataclass(frozen=True)
class Curve:
    """How one model learnt.

    Attributes
    ----------
    title: the classes it is of, and its seed.
    objective: of every pass.
    validation: score of a class on what was held out, by the number of the pass; empty where nothing was.
    """

    title: str
    objective: tuple[float, ...]
    validation: dict[str, dict[int, float]]


def learning_curves(system: SystemInUse) -> list[Curve]:
    """The curves of a system's models at the point that was chosen; of an average those of all seeds.

    Raises
    ------
    InputError: a history that is not whole.
    """
    run, point = system.run, system.point
    folds = point.config.selection.folds
    places: list[Fold | None] = [None]
    if folds:
        places += [Fold(number, folds, run.config.seed) for number in range(folds)]
    found = []
    for seed in seeds(run.config, system.name):
        if system.seed not in (AVERAGE, seed_name(seed)):
            continue
        for group in point.learner.groups(run.config.classes):
            for fold in places:
                job = run.folder.job(system.name, seed, point.number, fold, group)
                # What is chosen on folds is trained with some seeds alone there, and on everything at last.
                if folds and not job.begun:
                    continue
                history = job.history()
                about = "" if fold is None else f", fold {fold.number + 1} of {folds}"
                validation: dict[str, dict[int, float]] = {}
                for line in history:
                    scores = line.fields("validation").all_numbers() if "validation" in line else {}
                    for label, score in scores.items():
                        validation.setdefault(label, {})[line.whole("pass")] = score
                objective = tuple(line.number("objective") for line in history)
                found.append(Curve(f"{', '.join(group)}, seed {seed}{about}", objective, validation))
    return found
