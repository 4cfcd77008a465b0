"""The two kinds of work that are spread over processes: training one model, decoding one split."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from advsp.config import ExperimentConfig, SystemConfig, folder_name
from advsp.files import atomic, write_json
from advsp.instances import Instances
from advsp.learners.base import Decoded
from advsp.learners.game_loss import Engine
from advsp.learners.saved import load_model
from advsp.metrics import metrics
from advsp.parallel import available_workers, run_jobs
from advsp.reporter import Reporter
from advsp.runs import instances_path, load_instances
from advsp.training.loop import CHECKPOINT, Tolerance, fit
from advsp.training.objective import Objective, Tick

#: Written by a training job when it has ended; names the candidates it kept.
DONE = "done.json"


@dataclass(frozen=True)
class Fold:
    """A part of the training and validation splits taken together that is held out.

    Attributes
    ----------
    number: from 0.
    folds: how many there are.
    seed: decides which examples are in which fold.
    """

    number: int
    folds: int
    seed: int

    def held_out(self, examples: int) -> np.ndarray:
        """Which of so many examples are held out, bool [S]; folds differ in size by one at most."""
        order = np.random.default_rng([self.seed, self.folds]).permutation(examples)
        return order % self.folds == self.number


@dataclass(frozen=True)
class TrainingJob:
    """Train one group of classes of one system at one grid point with one seed, perhaps on a fold."""

    run: Path
    fingerprint: str
    system: str
    config: SystemConfig
    seed: int
    point: int
    fold: Fold | None
    group: tuple[str, ...]
    train: str
    validation: str | None
    passes: int
    candidates: tuple[int, ...]
    tolerance: float
    resume: bool

    @property
    def folder(self) -> Path:
        """Where the job keeps its files."""
        return job_folder(self.run, self.system, self.seed, self.point, self.fold) / "-".join(self.group)

    def data(self) -> tuple[Instances, Instances | None]:
        """What is trained on, and what candidates are decoded on."""
        view = self.config.features.view
        train = read_instances(self.run, view, self.train)
        validation = read_instances(self.run, view, self.validation) if self.validation else None
        if self.fold is None:
            return train, validation
        return folded(train, validation, self.fold)

    def units(self) -> int:
        """Examples the job will handle, for progress."""
        view = self.config.features.view
        train = len(read_instances(self.run, view, self.train))
        held_out = len(read_instances(self.run, view, self.validation)) if self.validation else 0
        if self.fold is not None:
            both = train + held_out
            held_out = int(self.fold.held_out(both).sum())
            train = both - held_out
        validated = len([c for c in self.candidates if c <= self.passes])
        return self.passes * train + validated * held_out * len(self.group)


def job_folder(run: Path, system: str, seed: int, point: int, fold: Fold | None) -> Path:
    """Folder of the jobs of one system, seed, grid point and fold."""
    place = run / "jobs" / folder_name(system) / f"seed-{seed}" / f"point-{point}"
    return place if fold is None else place / f"fold-{fold.number}"


def folded(train: Instances, validation: Instances | None, fold: Fold) -> tuple[Instances, Instances]:
    """The examples of both splits that are not held out, and those that are."""
    both = train if validation is None else type(train).joined([train, validation])
    out = fold.held_out(len(both))
    return both.take(np.flatnonzero(~out)), both.take(np.flatnonzero(out))


def read_instances(run: Path, view: str, split: str) -> Instances:
    """A featurised split of a run, read once per process and version of the file."""
    path = instances_path(run, view, split)
    return _read_once(path, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=6)
def _read_once(path: Path, version: int) -> Instances:
    return load_instances(path)


def run_training_job(job: TrainingJob, tick: Tick) -> None:
    """Train, and at every candidate number of passes keep the weights and the validation output."""
    if job.resume and (job.folder / DONE).exists():
        return
    train, validation = job.data()
    learner = job.config.learner.build()
    engine = Engine(**job.config.engine.model_dump())
    metric = metrics.get(job.config.selection.metric)()
    model = learner.model(train)
    optimiser = job.config.optimiser
    objective = Objective(model, learner.loss(model, job.group, engine), optimiser.l2)

    def keep(number: int, weights: np.ndarray) -> dict[str, Any]:
        arrays, scores = {"weights": weights}, {}
        if validation is not None:
            target = learner.model(validation)
            decoded = learner.decode(target, weights, job.group, engine, job.tolerance, tick)
            for name, said in decoded.items():
                arrays |= {f"{name}/mode": said.mode, f"{name}/marginal": said.marginal}
                sums = metric.counts(said.mode, validation, name).sum(axis=0)
                scores[name] = float(metric.score(sums))
        with atomic(job.folder / f"pass-{number}.npz", "wb") as stream:
            np.savez_compressed(stream, **arrays)
        return {"validation": scores}

    def after_pass(number: int, weights: np.ndarray) -> dict[str, Any]:
        return keep(number, weights) if number in job.candidates else {}

    def labelled(examples: int, note: str = "") -> None:
        tick(examples, f"{job.system} {'-'.join(job.group)} seed {job.seed}, {note}" if note else "")

    tolerance = Tolerance(**optimiser.tolerance.model_dump())
    weights = fit(
        objective,
        optimiser.build(),
        passes=job.passes,
        seed=job.seed,
        tolerance=tolerance,
        initial=lambda: optimiser.initial.build().weights(learner, objective, job.seed),
        folder=job.folder,
        resume=job.resume,
        fingerprint=job.fingerprint,
        after_pass=after_pass,
        tick=labelled,
    )
    kept = [c for c in job.candidates if (job.folder / f"pass-{c}.npz").exists()]
    last = max(job.candidates)
    if last not in kept:
        # The optimiser converged earlier; the last weights stand for every later candidate.
        keep(last, weights)
        kept.append(last)
    write_json(job.folder / DONE, {"candidates": kept})
    (job.folder / CHECKPOINT).unlink(missing_ok=True)


@dataclass(frozen=True)
class DecodingJob:
    """Decode one split with the models of one system and seed."""

    run: Path
    system: str
    seed: str
    groups: tuple[tuple[str, ...], ...]
    view: str
    split: str
    tolerance: float

    def units(self) -> int:
        """Examples the job will handle, for progress."""
        return len(read_instances(self.run, self.view, self.split)) * sum(map(len, self.groups))


def run_decoding_job(job: DecodingJob, tick: Tick) -> dict[str, Decoded]:
    """What the system says of every class, position by position."""
    instances = read_instances(job.run, job.view, job.split)
    decoded: dict[str, Decoded] = {}
    for group in job.groups:
        model = load_model(job.run / "models" / folder_name(job.system) / job.seed / "-".join(group))
        decoded |= model.decode(instances, job.tolerance, tick)
    return decoded


def run_training(jobs: list[TrainingJob], config: ExperimentConfig, reporter: Reporter, label: str) -> None:
    """Run training jobs over the configuration's workers."""
    _run(run_training_job, jobs, config, reporter, label)


def run_decoding(
    jobs: list[DecodingJob], config: ExperimentConfig, reporter: Reporter, label: str
) -> list[dict[str, Decoded]]:
    """Run decoding jobs over the configuration's workers; outputs in the order of the jobs."""
    return _run(run_decoding_job, jobs, config, reporter, label)


def _run(
    function: Callable[[Any, Tick], Any],
    jobs: list[Any],
    config: ExperimentConfig,
    reporter: Reporter,
    label: str,
) -> list[Any]:
    """Results of jobs, in their order, under a progress bar."""
    if not jobs:
        return []
    tick = reporter.start(label, sum(job.units() for job in jobs))
    try:
        outputs = dict(run_jobs(function, jobs, available_workers(config.workers), tick))
    finally:
        reporter.stop()
    return [outputs[index] for index in range(len(jobs))]
