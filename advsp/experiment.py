"""One configuration to corpus, features, trained models and choices.

The only place that knows all the rooms.  Everything a later step needs is in the run folder:

    config.json provenance.json        what runs, on what, with which versions
    features.json instances/           the frozen feature index; the featurised splits
    jobs/SYSTEM/seed-S/point-P/GROUP/  checkpoint and history; candidate weights while choosing
    selection.json                     the grid as scored on the validation split, and the choice
    models/SYSTEM/seed-S/GROUP/        the chosen weights
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from advsp.config import ExperimentConfig, SystemConfig, check_grid
from advsp.corpora import prepared
from advsp.corpora.mpg import read_feature_file
from advsp.errors import InputError
from advsp.features import presets
from advsp.files import sha256, write_json
from advsp.instances import ChainInstances
from advsp.jobs import DONE, TrainingJob, run_training
from advsp.learners.game_loss import Engine
from advsp.learners.saved import SavedModel, mean_model, save_model
from advsp.lp import resolve
from advsp.lp import solvers as lp_solvers
from advsp.parallel import available_workers
from advsp.reporter import Reporter
from advsp.runs import SELECTION, open_run, read_json, save_instances
from advsp.selection import AVERAGE, candidates, choose, choose_thresholds, read_candidate, seeds
from advsp.training.objective import Tick


def train(
    config: ExperimentConfig, reporter: Reporter, *, resume: bool = False, overwrite: bool = False
) -> Path:
    """Train every system of a configuration, choose on the validation split, save the models.

    Parameters
    ----------
    resume: go on with a run that was stopped; it ends as if it had never been.
    overwrite: replace a run of the same name.

    Returns
    -------
    The run's folder.

    Raises
    ------
    InputError: anything the user can mend, before anything is written where possible.
    """
    systems = {name: _grid(name, system) for name, system in config.systems.items()}
    for name, points in systems.items():
        for system in points:
            _check_engine(system)
        if config.corpus.validation is None:
            _check_nothing_to_choose(name, points)
    presets.get(config.features.preset)
    files = data_files(config)
    folder = Path(config.corpus.path)
    checksums = {path.relative_to(folder).as_posix(): _checksum(path) for path in files.values()}
    tick = reporter.start("features", 3 * (config.corpus.sentences or 0))
    instances, features = make_instances(config, tick)
    reporter.stop()
    run = open_run(config, checksums, resume, overwrite)
    if resume and (run / SELECTION).exists():
        _remove_candidates(run)
        reporter.say(f"{run}: already trained")
        return run
    for split, data in instances.items():
        save_instances(run / "instances" / f"{split}.npz", data)
    if features is not None:
        write_json(run / "features.json", features)
    _announce(config, instances, reporter)
    fingerprint = f"{config.fingerprint()} {' '.join(checksums.values())}"

    def jobs_for(
        name: str, seed: int, point: int, passes: int, candidates: tuple[int, ...]
    ) -> list[TrainingJob]:
        system = systems[name][point]
        return [
            TrainingJob(
                run, fingerprint, name, system, seed, point, group, config.corpus.train,
                config.corpus.validation, passes, candidates, config.evaluation.tolerance, resume,
            )
            for group in system.learner.build().groups(config.classes)
        ]  # fmt: skip

    first = [
        job
        for name, points in systems.items()
        for seed in seeds(config, name)[: points[0].selection.runs]
        for point, system in enumerate(points)
        for job in jobs_for(name, seed, point, system.optimiser.passes, candidates(system))
    ]
    run_training(first, config, instances, reporter, "training")
    choices = {name: choose(config, run, name, systems[name], instances) for name in systems}
    rest = [
        job
        for name, choice in choices.items()
        for seed in seeds(config, name)[systems[name][0].selection.runs :]
        for job in jobs_for(name, seed, choice["point"], choice["passes"], (choice["passes"],))
    ]
    run_training(rest, config, instances, reporter, "training: the other seeds")
    for name, choice in choices.items():
        _save_models(config, run, name, systems[name][choice["point"]], choice, instances)
    choose_thresholds(config, run, choices, instances, reporter)
    write_json(run / SELECTION, choices)
    _remove_candidates(run)
    for name, choice in choices.items():
        reporter.say(_describe(name, choice))
    return run


def tag_set(classes: Iterable[str], found: Iterable[str]) -> tuple[str, ...]:
    """Tag names: the scored classes in the order given, other classes as they appear, then O."""
    names = [*dict.fromkeys([*classes, *found])]
    return (*[name for name in names if name != "O"], "O")


def data_files(config: ExperimentConfig) -> dict[str, Path]:
    """The files that hold each split.

    Raises
    ------
    InputError: a split without a file.
    """
    corpus, folder = config.corpus, Path(config.corpus.path)
    if corpus.kind == "conll":
        manifest = prepared.read_manifest(folder)
        for split in corpus.splits:
            if split not in manifest["splits"]:
                raise InputError(
                    f"the corpus has no split {split!r}; it has {', '.join(manifest['splits'])}", file=folder
                )
        return {split: folder / f"{split}.conll" for split in corpus.splits}
    for split in corpus.splits:
        if split not in corpus.files:
            raise InputError(f"names no file for the split {split!r}", key="corpus.files")
    return {split: folder / corpus.files[split] for split in corpus.splits}


def make_instances(
    config: ExperimentConfig, tick: Tick
) -> tuple[dict[str, ChainInstances], dict[str, Any] | None]:
    """All splits as instances, and what the features learnt (None for ready-made features).

    Raises
    ------
    InputError: what reading raises; a class that never occurs in the training split.
    """
    corpus = config.corpus
    files = data_files(config)
    if corpus.kind == "features":
        names = tag_set(config.classes, ())
        train = read_feature_file(files[corpus.train], tag_names=names)
        instances = {corpus.train: train}
        for split in corpus.splits[1:]:
            instances[split] = read_feature_file(
                files[split],
                tag_names=names,
                node_features=train.node.shape[1],
                edge_features=train.edge.shape[1],
            )
        state = None
    else:
        folder = Path(corpus.path)
        sentences = {
            split: prepared.load(folder, split, sentences=corpus.sentences, docstart=corpus.docstart)
            for split in corpus.splits
        }
        found = (tag[2:] for sentence in sentences[corpus.train] for tag in sentence.tags if tag != "O")
        preset = presets.get(config.features.preset)()
        names = tag_set(config.classes, found)
        instances = {corpus.train: preset.fit(sentences[corpus.train], names)}
        tick(len(sentences[corpus.train]))
        for split in corpus.splits[1:]:
            instances[split] = preset.transform(sentences[split])
            tick(len(sentences[split]))
        state = {"preset": config.features.preset, **preset.state()}
    train = instances[corpus.train]
    for name in config.classes:
        if not (train.tags == train.tag_names.index(name)).any():
            there = ", ".join(
                train.tag_names[tag] for tag in np.unique(train.tags) if train.tag_names[tag] != "O"
            )
            raise InputError(
                f"the class {name!r} never occurs in the training split",
                key="classes",
                hint=f"the training split has {there}",
            )
    return instances, state


def _remove_candidates(run: Path) -> None:
    """Once the models are saved, the candidates they were chosen from only take up room."""
    for path in (run / "jobs").rglob("pass-*.npz"):
        path.unlink()


def _check_engine(system: SystemConfig) -> None:
    """Fail now, not after an hour, if the LP solver asked for is not installed."""
    name = resolve(system.engine.lp)
    reason = lp_solvers.get(name).missing()
    if reason is not None:
        raise InputError(
            f"LP solver {name!r} cannot be used: {reason}",
            key="engine.lp",
            hint=f"{lp_solvers.get(name).install}, or choose auto",
        )


def _check_nothing_to_choose(name: str, points: list[SystemConfig]) -> None:
    """Without a validation split there must be one grid point, one number of passes and one rule."""
    selection = points[0].selection
    if len(points) > 1 or len(candidates(points[0])) > 1 or len(selection.rules) > 1:
        raise InputError(
            "there is something to choose but no validation split to choose it on",
            key=f"systems.{name}.selection",
            hint="give corpus.validation, or one grid point, no passes and one of the rules",
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


def _announce(config: ExperimentConfig, instances: Mapping[str, ChainInstances], reporter: Reporter) -> None:
    """Sizes, before anything long begins."""
    train = instances[config.corpus.train]
    node, edge, m = train.node.shape[1], train.edge.shape[1], len(train.tag_names)
    weights = node * m + edge * (m * m + m)
    sizes = ", ".join(
        f"{split} {len(data)} sentences {len(data.tags)} tokens" for split, data in instances.items()
    )
    reporter.say(f"{config.corpus.name}: {sizes}")
    workers = available_workers(config.workers)
    # Weights, two sums of AdaGrad, gradient and candidate copies; then the instances, held per process.
    held = sum(data.node.data.nbytes + data.edge.data.nbytes for data in instances.values()) * 3
    megabytes = workers * (8 * weights * 6 + held) / 1e6
    reporter.say(
        f"{node + edge:,} features ({node:,} node, {edge:,} edge), {weights:,} weights a model; "
        f"about {megabytes:,.0f} MB of memory for {workers} workers"
    )


def _save_models(
    config: ExperimentConfig,
    run: Path,
    name: str,
    system: SystemConfig,
    choice: Mapping[str, Any],
    instances: Mapping[str, ChainInstances],
) -> None:
    """Copy the chosen weights of every seed into models, and their mean over the seeds."""
    learner = system.learner.build()
    engine = Engine(**system.engine.model_dump())
    names = instances[config.corpus.train].tag_names
    shutil.rmtree(run / "models" / name, ignore_errors=True)
    for group in learner.groups(config.classes):
        models = []
        for seed in seeds(config, name):
            folder = run / "jobs" / name / f"seed-{seed}" / f"point-{choice['point']}" / "-".join(group)
            kept = read_json(folder / DONE)["candidates"]
            weights = read_candidate(folder, kept, choice["passes"])["weights"]
            models.append(SavedModel(system.learner.name, learner, group, names, weights, engine))
            save_model(models[-1], run / "models" / name / f"seed-{seed}" / "-".join(group))
        if len(models) > 1:
            save_model(mean_model(models), run / "models" / name / AVERAGE / "-".join(group))


def _describe(name: str, choice: Mapping[str, Any]) -> str:
    options = ", ".join(f"{key}={value}" for key, value in choice["options"].items())
    why = (
        "nothing to choose" if choice["score"] is None else f"{choice['metric']} {100 * choice['score']:.2f}"
    )
    return (
        f"{name}: {options + ', ' if options else ''}{choice['passes']} passes, rule {choice['rule']} ({why})"
    )
