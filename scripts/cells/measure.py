"""What is measured at the weights that runs have saved; the result is one JSON file a block."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from advsp.engine.settings import Engine
from advsp.experiments.config import ExperimentConfig
from advsp.experiments.grid import chosen_points, seeds
from advsp.experiments.run_folder import JobFolder, TrainedRun, read_run, seed_name
from advsp.learners.game_loss import GameLoss
from advsp.learners.initial.logistic_tags import LogisticTags
from advsp.learners.trained_model import TrainedModel, load_model
from advsp.support.errors import InputError
from advsp.support.progress import Progress, Reporter, no_progress
from advsp.support.versions import versions
from advsp.training.instances import Instances
from advsp.training.objective import Objective
from cells.equilibria import TOLERANCE, gold_equilibria

#: Accuracy of the games at fixed weights.
ACCURACY = 1e-6
APPROXIMATE = "approximate"


def measure(published: Path, trained: Path | None, command: str, reporter: Reporter) -> dict[str, Any]:
    """Everything about one block.

    Parameters
    ----------
    published: folder of the run of one system that is not trained beyond its initial weights.
    trained: folder of a run of trained systems on the same corpus, if there is one.
    command: what the result says it was made by.

    Raises
    ------
    InputError: a run that is not there, or of another kind.
    """
    run = read_run(published)
    config, provenance, view = run.config, run.provenance, run.config.features.view
    if len(config.systems) != 1:
        raise InputError("expected a run of one system", file=published)
    models = _models(run)
    train = run.folder.instances(view, config.corpus.train)
    tests = {split: run.folder.instances(view, split) for split in config.corpus.splits[1:]}
    try:
        progress = reporter.start(f"{config.corpus.name}: gold equilibria", len(train) * len(models))
        start = [at_start(config, model, train, progress) for model in models]
        total = 3 * len(models) * sum(map(len, tests.values()))
        progress = reporter.start(f"{config.corpus.name}: test games", total)
        agreement = [
            {"split": split, "class": model.classes[0], **agreements(model, instances, progress)}
            for split, instances in tests.items()
            for model in models
        ]
        training = None if trained is None else _training(trained, reporter)
    finally:
        reporter.stop()
    return {
        "command": command,
        "run": config.name,
        "fingerprint": provenance.fingerprint,
        "data": provenance.data,
        "versions": {"train": provenance.versions, "measure": versions()},
        "config": config.model_dump(),
        "tolerance": TOLERANCE,
        "accuracy": ACCURACY,
        "start": start,
        "agreement": agreement,
        "training": training,
    }


def at_start(
    config: ExperimentConfig, model: TrainedModel, train: Instances, progress: Progress = no_progress
) -> dict[str, Any]:
    """One class at the start of training: gold equilibria, and both parts of the gradient.

    The start is what was saved without its scale.  ``gradient`` is the norm of the gradient of the sum of
    the certified games' losses, ``l2_term`` that of the penalty of the weight that the regressions have;
    both at the start and, as ``scaled_...``, at the saved weights.

    Raises
    ------
    InputError: the start is not one of regressions of the tags.
    """
    (system,) = config.systems.values()
    initial = system.optimiser.initial.build()
    if not isinstance(initial, LogisticTags):
        raise InputError("expected a run that starts from logistic-tags", key="optimiser.initial")
    linear = model.learner.model(train)
    target = linear.instances.tag_names.index(model.classes[0])
    engine = replace(model.engine, stop="certified")
    objective = Objective(linear, model.learner.loss(linear, model.classes, engine), 0.0, ACCURACY)
    found: dict[str, Any] = {"class": model.classes[0], "factor": initial.scale, "l2": initial.l2}
    weights = model.weights / initial.scale
    found |= gold_equilibria(linear, weights, target, progress)
    for name, at in (("", weights), ("scaled_", model.weights)):
        _, loss, gradient = objective.full(at)
        norm = float(np.linalg.norm(at))
        found |= {
            f"{name}gradient": float(np.linalg.norm(gradient)),
            f"{name}norm": norm,
            f"{name}l2_term": initial.l2 * norm,
            f"{name}loss": loss,
        }
    return found


def agreements(model: TrainedModel, instances: Instances, progress: Progress = no_progress) -> dict[str, Any]:
    """Games of one class whose most probable strategy of the predictor is the same by two ways of playing.

    Returns
    -------
    ``games``; ``same``: of exact and of approximate responses; ``mixed`` and ``mixed_same``: the same of the
    games alone in which the exact predictor's mixture has more than one strategy; ``same_stop``: of exact
    responses until the gap closes, and until the value repeats.
    """
    certified = replace(model.engine, stop="certified")
    engines = (certified, replace(certified, oracle=APPROXIMATE), replace(model.engine, stop="value-repeats"))
    (exact, marginal), (approximate, _), (repeated, _) = (
        _decoded(model, instances, engine, progress) for engine in engines
    )
    offsets = instances.offsets
    same = agreeing(exact, approximate, offsets)
    mixed = ~agreeing(marginal, exact, offsets)
    return {
        "games": len(instances),
        "same": int(same.sum()),
        "mixed": int(mixed.sum()),
        "mixed_same": int((same & mixed).sum()),
        "same_stop": int(agreeing(exact, repeated, offsets).sum()),
    }


def _decoded(
    model: TrainedModel, instances: Instances, engine: Engine, progress: Progress = no_progress
) -> tuple[np.ndarray, np.ndarray]:
    """The predictor's most probable labelling, bool [T], and its probability of the class, float [T].

    Raises
    ------
    InputError: the model's learner plays no games.
    """
    linear = model.learner.model(instances)
    loss = model.learner.loss(linear, model.classes, engine)
    if not isinstance(loss, GameLoss):
        raise InputError(f"expected a run of a learner that plays games, not of {model.kind}")
    mode, marginal, _ = loss.decode(0, linear.all_potentials(model.weights), ACCURACY, progress)
    return mode, marginal


def agreeing(first: np.ndarray, second: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Whether two arrays [T] agree on all tokens of a sentence, up to rounding; bool [S].

    Parameters
    ----------
    offsets: int [S + 1]; the tokens of sentence i, at least one, are offsets[i] to offsets[i + 1].
    """
    apart = np.abs(np.asarray(first, dtype=float) - second)
    return np.maximum.reduceat(apart, offsets[:-1]) < 1e-9


def _models(run: TrainedRun) -> list[TrainedModel]:
    """The models of a run's only system and seed, a class each."""
    (name,) = run.config.systems
    seed = seed_name(seeds(run.config, name)[0])
    return [load_model(run.folder.model(name, seed, [label])) for label in run.config.classes]


def _training(path: Path, reporter: Reporter) -> dict[str, Any]:
    """The objective that every trained system has reached, class by class and seed by seed."""
    run = read_run(path)
    config, provenance = run.config, run.provenance
    models = sum(len(seeds(config, name)) for name in config.systems) * len(config.classes)
    train = run.folder.instances(config.features.view, config.corpus.train)
    progress = reporter.start(f"{config.corpus.name}: objectives", models * len(train))
    systems = []
    for name, point in chosen_points(config, run.choices).items():
        choice, l2 = run.choices[name], point.config.optimiser.l2
        reached = [
            reached_by(load_model(run.folder.model(name, seed_name(seed), [label])), train, l2, progress)
            | {"class": label, "seed": seed}
            | _certified(run.folder.job(name, seed, choice.point, None, [label]))
            for seed in seeds(config, name)
            for label in config.classes
        ]
        systems.append(
            {
                "system": name,
                "l2": l2,
                "options": choice.options,
                "passes": choice.passes,
                "rule": choice.rule,
                "reached": reached,
            }
        )
    return {
        "run": config.name,
        "fingerprint": provenance.fingerprint,
        "data": provenance.data,
        "versions": provenance.versions,
        "examples": len(train),
        "systems": systems,
    }


def reached_by(
    model: TrainedModel, train: Instances, l2: float, progress: Progress = no_progress
) -> dict[str, float]:
    """Attained objective and its certified upper bound at a model's weights, penalty included."""
    linear = model.learner.model(train)
    loss = model.learner.loss(linear, model.classes, model.engine)
    attained, bound, _ = Objective(linear, loss, l2, ACCURACY).full(model.weights, progress)
    return {"attained": attained, "bound": bound}


def _certified(job: JobFolder) -> dict[str, float]:
    """The last certified gap of an optimiser that has one, and the passes it took."""
    lines = job.history()
    gaps = [line.number("gap") for line in lines if line.value("gap") is not None]
    return {"gap": gaps[-1], "passes": lines[-1].whole("pass")} if gaps else {}
