"""One configuration to corpus, features, trained models and choices.

The only place that knows all the rooms.  Everything a later step needs is in the run folder:

    config.json provenance.json             what runs, on what, with which versions
    features/ instances/VIEW/               what the features learnt; the featurised splits
    jobs/SYSTEM/seed-S/point-P/GROUP/       checkpoint and history; candidate weights while choosing
    jobs/SYSTEM/seed-S/point-P/fold-F/...   the same where it is chosen by cross-validation
    selection.json                          the grid as it was scored, and the choice
    models/SYSTEM/seed-S/GROUP/             the chosen weights
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from advsp.engine.lp import solvers
from advsp.experiments.config import ExperimentConfig, SystemConfig, check_grid, folder_name
from advsp.experiments.jobs import DONE, SHARDS, Fold, TrainingJob, job_folder, read_instances, run_training
from advsp.experiments.run_folder import SELECTION, instances_path, open_run, read_json
from advsp.experiments.selection import (
    AVERAGE,
    candidates,
    choose,
    choose_thresholds,
    folds,
    read_candidate,
    seeds,
)
from advsp.experiments.warm_up import rehearse
from advsp.learners.saved import SavedModel, mean_model, save_model
from advsp.runners.local import Local, Runner
from advsp.support.errors import InputError
from advsp.support.files import sha256, write_json
from advsp.support.progress import Reporter
from advsp.tasks import tasks
from advsp.tasks.base import View
from advsp.training.instance_files import save_instances


def train(
    config: ExperimentConfig,
    reporter: Reporter,
    *,
    resume: bool = False,
    overwrite: bool = False,
    runner: Runner | None = None,
) -> Path:
    """Train every system of a configuration, choose its hyper-parameters, save the models.

    Parameters
    ----------
    resume: go on with a run that was stopped; it ends as if it had never been.
    overwrite: replace a run of the same name.
    runner: where jobs run; by default the configuration's workers on this machine.

    Returns
    -------
    The run's folder.

    Raises
    ------
    InputError: anything the user can mend, before anything is written where possible.
    """
    runner = runner or Local(config.workers)
    systems = {name: _grid(name, system) for name, system in config.systems.items()}
    for name, points in systems.items():
        for system in points:
            _check_engine(system)
            system.optimiser.initial.build().check(system.learner.build())
        _check_choice(config, name, points)
    task = tasks.get(config.corpus.kind)(config.corpus, config.classes)
    files = task.files()
    presets = list(dict.fromkeys(points[0].features.preset for points in systems.values()))
    for preset in presets:
        task.check_features(preset)
    checksums = {name: _checksum(path) for name, path in files.items()}
    views = task.featurise(presets, reporter)
    _check_folds(config, next(iter(views.values())))
    runner.check(config.folder)
    run = open_run(config, checksums, resume, overwrite)
    if resume and (run / SELECTION).exists():
        _remove_candidates(run)
        reporter.say(f"{run}: already trained")
        return run
    _save_views(config, run, systems, views)
    _announce(config, systems, views, runner, reporter)
    del views
    fingerprint = f"{config.fingerprint()} {' '.join(checksums.values())}"

    def jobs_for(
        name: str, seed: int, point: int, fold: Fold | None, passes: int, candidates: tuple[int, ...]
    ) -> list[TrainingJob]:
        system = systems[name][point]
        return [
            TrainingJob(
                run, fingerprint, name, system, seed, point, fold, group, config.corpus.train,
                config.corpus.validation, passes, candidates, config.evaluation.tolerance, resume,
            )
            for group in system.learner.build().groups(config.classes)
        ]  # fmt: skip

    first = [
        job
        for name, points in systems.items()
        for seed in seeds(config, name)[: points[0].selection.runs]
        for point, system in enumerate(points)
        for fold in folds(config, system)
        for job in jobs_for(name, seed, point, fold, system.optimiser.passes, candidates(system))
    ]
    if not runner.remote:
        rehearse(first, reporter)
    run_training(first, runner, reporter, "training")
    choices = {name: choose(config, run, name, systems[name]) for name in systems}
    rest = [
        job
        for name, choice in choices.items()
        for seed in _seeds_left(config, name)
        for job in jobs_for(name, seed, choice["point"], None, choice["passes"], (choice["passes"],))
    ]
    run_training(rest, runner, reporter, "training: what was chosen")
    for name, choice in choices.items():
        _save_models(config, run, name, systems[name][choice["point"]], choice)
    choose_thresholds(config, run, choices, reporter, runner)
    write_json(run / SELECTION, choices)
    _remove_candidates(run)
    for name, choice in choices.items():
        reporter.say(_describe(name, choice))
    return run


def _save_views(
    config: ExperimentConfig,
    run: Path,
    systems: Mapping[str, list[SystemConfig]],
    views: Mapping[str, View],
) -> None:
    """Write the instances of every view, and what its features learnt."""
    for preset, view in views.items():
        features = next(p[0].features for p in systems.values() if p[0].features.preset == preset)
        for split, data in view.instances.items():
            save_instances(instances_path(run, features.view, split), data)
        if view.save is not None:
            (run / "features").mkdir(exist_ok=True)
            view.save(run / "features" / features.view)


def _seeds_left(config: ExperimentConfig, name: str) -> list[int]:
    """Seeds with which what was chosen is still to be trained; after folds, all of them."""
    selection = config.systems[name].selection
    return seeds(config, name)[0 if selection.folds else selection.runs :]


def _remove_candidates(run: Path) -> None:
    """Once the models are saved, candidates they were chosen from and shards only take up room."""
    for path in (run / "jobs").rglob("pass-*.npz"):
        path.unlink()
    for path in (run / "instances").glob(f"*/{SHARDS}"):
        shutil.rmtree(path)


def _check_engine(system: SystemConfig) -> None:
    """Fail now, not after an hour, if the LP solver asked for is not installed."""
    name = solvers.resolve(system.engine.lp)
    reason = solvers.get(name).missing()
    if reason is not None:
        raise InputError(
            f"LP solver {name!r} cannot be used: {reason}",
            key="engine.lp",
            hint=f"{solvers.get(name).install}, or choose auto",
        )


def _check_choice(config: ExperimentConfig, name: str, points: list[SystemConfig]) -> None:
    """What is to be chosen can be chosen, and only what is chosen by scores differs in the grid."""
    selection = points[0].selection
    for section in ("features", "selection", "runs"):
        if any(getattr(point, section) != getattr(points[0], section) for point in points):
            raise InputError(
                f"{section} cannot differ from point to point of a grid",
                key=f"systems.{name}.selection.grid",
                hint="make them systems of their own",
            )
    if config.corpus.validation is not None or selection.folds:
        return
    if len(points) > 1 or len(candidates(points[0])) > 1 or selection.rules not in (["mode"], ["marginal"]):
        raise InputError(
            "there is something to choose but no validation split to choose it on",
            key=f"systems.{name}.selection",
            hint="give corpus.validation or folds, or one grid point, no passes and one of the rules",
        )


def _check_folds(config: ExperimentConfig, view: View) -> None:
    """Every fold leaves something to train on and holds something out."""
    splits = filter(None, (config.corpus.train, config.corpus.validation))
    examples = sum(len(view.instances[split]) for split in splits)
    for name, system in config.systems.items():
        if (number := system.selection.folds) > examples:
            raise InputError(
                f"{number} folds of {examples} examples",
                key=f"systems.{name}.selection.folds",
                hint="give at most as many folds as there are examples",
            )


def _checksum(path: Path) -> str:
    try:
        return sha256(path)
    except FileNotFoundError:
        raise InputError("no such file", file=path) from None


def _grid(name: str, system: SystemConfig) -> list[SystemConfig]:
    """The system at every point of its grid, in the order of the configuration."""
    keys = list(system.selection.grid)
    return [
        check_grid(name, system, dict(zip(keys, values)))
        for values in itertools.product(*(system.selection.grid[key] for key in keys))
    ]


def _announce(
    config: ExperimentConfig,
    systems: Mapping[str, list[SystemConfig]],
    views: Mapping[str, View],
    runner: Runner,
    reporter: Reporter,
) -> None:
    """Sizes, before anything long begins."""
    some = next(iter(views.values())).instances
    sizes = ", ".join(
        f"{split} {len(data)} {data.example}s {int(data.offsets[-1])} {data.position}s"
        for split, data in some.items()
    )
    reporter.say(f"{config.corpus.name}: {sizes}")
    workers = runner.workers
    most = held = 0
    for preset, view in views.items():
        train = view.instances[config.corpus.train]
        learners = [p[0].learner.build() for p in systems.values() if p[0].features.preset == preset]
        weights = max(learner.model(train).size for learner in learners)
        most = max(most, weights)
        held = max(held, sum(data.nbytes for data in view.instances.values()) * 3 // 2)
        counts = train.feature_counts()
        parts = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
        reporter.say(f"{preset}: {sum(counts.values()):,} features ({parts}), {weights:,} weights a model")
    # Weights, two sums of AdaGrad, gradient and candidate copies; then the instances, held per process.
    megabytes = workers * (8 * most * 6 + held) / 1e6
    reporter.say(f"about {megabytes:,.0f} MB of memory for {workers} workers")


def _save_models(
    config: ExperimentConfig, run: Path, name: str, system: SystemConfig, choice: Mapping[str, Any]
) -> None:
    """Copy the chosen weights of every seed into models, and their mean over the seeds."""
    learner = system.learner.build()
    signature = read_instances(run, system.features.view, config.corpus.train).signature()
    models_folder = run / "models" / folder_name(name)
    shutil.rmtree(models_folder, ignore_errors=True)
    for group in learner.groups(config.classes):
        models = []
        for seed in seeds(config, name):
            folder = job_folder(run, name, seed, choice["point"], None) / "-".join(group)
            kept = read_json(folder / DONE)["candidates"]
            weights = read_candidate(folder, kept, choice["passes"])["weights"]
            models.append(SavedModel(system.learner.name, learner, group, signature, weights, system.engine))
            save_model(models[-1], models_folder / f"seed-{seed}" / "-".join(group))
        if len(models) > 1:
            save_model(mean_model(models), models_folder / AVERAGE / "-".join(group))


def _describe(name: str, choice: Mapping[str, Any]) -> str:
    options = ", ".join(f"{key}={value}" for key, value in choice["options"].items())
    why = (
        "nothing to choose" if choice["score"] is None else f"{choice['metric']} {100 * choice['score']:.2f}"
    )
    return (
        f"{name}: {options + ', ' if options else ''}{choice['passes']} passes, rule {choice['rule']} ({why})"
    )
