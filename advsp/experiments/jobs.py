"""The two kinds of work that are spread over processes: training one model, decoding one split."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from advsp.engine.settings import Engine
from advsp.experiments.config import SystemConfig, folder_name
from advsp.experiments.run_folder import instances_path
from advsp.learners.base import Decoded, Learner
from advsp.learners.saved import load_model
from advsp.metrics import metrics
from advsp.runners.local import Place, Runner, place_here
from advsp.runners.sharded import ShardedObjective, cut, joined
from advsp.support.files import atomic, write_json
from advsp.support.progress import Progress, Reporter
from advsp.training.instance_files import count_instances, load_instances
from advsp.training.instances import Instances
from advsp.training.linear import LinearModel
from advsp.training.loop import CHECKPOINT, fit
from advsp.training.objective import Loss, Objective

#: Written by a training job when it has ended; names the candidates it kept.
DONE = "done.json"
#: Folder of shards of instances as files, beside the instances they are cut from.
SHARDS = "shards"
#: Folder where a sharded job keeps what its shards remember, beside its checkpoint.
MEMORIES = "memories"
#: Examples that are decoded at a time: a part of the result in its last digits, as the order of sums is.
PIECE = 1000


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

    def shards_folder(self, part: str) -> Path:
        """Where shards of what is trained on (``"train"``) or decoded (``"validation"``) are files."""
        name = part if self.fold is None else f"{part}-fold-{self.fold.number}-of-{self.fold.folds}"
        place = instances_path(self.run, self.config.features.view, self.train).parent / SHARDS
        return place / f"{name}-in-{self.config.optimiser.shards}"

    def data(self) -> tuple[Instances, Instances | None]:
        """What is trained on, and what candidates are decoded on."""
        view = self.config.features.view
        train = read_instances(self.run, view, self.train)
        validation = read_instances(self.run, view, self.validation) if self.validation else None
        if self.fold is None:
            return train, validation
        return folded(train, validation, self.fold)

    @property
    def sharded(self) -> bool:
        """Whether the full batch is cut into shards."""
        return self.config.optimiser.shards > 1

    def units(self) -> int:
        """Examples the job will handle, for progress."""
        view = self.config.features.view
        train = count_instances(instances_path(self.run, view, self.train))
        held_out = count_instances(instances_path(self.run, view, self.validation)) if self.validation else 0
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


def training_loss(model: LinearModel, learner: Learner, group: tuple[str, ...], engine: Engine) -> Loss:
    """The loss a learner trains on, as a function of the model alone once the rest is given."""
    return learner.loss(model, group, engine)


def run_training_job(job: TrainingJob, progress: Progress, place: Place = place_here) -> None:
    """Train, and at every candidate number of passes keep the weights and the validation output.

    Parameters
    ----------
    place: puts the shards of a sharded job where they are to live.
    """
    if job.resume and (job.folder / DONE).exists():
        return
    train, validation = job.data()
    learner = job.config.learner.build()
    engine = job.config.engine
    metric = metrics.get(job.config.selection.metric)()
    optimiser = job.config.optimiser
    if job.sharded:
        make = partial(training_loss, learner=learner, group=job.group, engine=engine)
        shards = place(train, optimiser.shards, learner, job.shards_folder("train"))
        objective = ShardedObjective(shards, make, optimiser.l2, folder=job.folder / MEMORIES)
        if validation is not None:
            held_out = place(validation, optimiser.shards, learner, job.shards_folder("validation"))
    else:
        model = learner.model(train)
        objective = Objective(model, learner.loss(model, job.group, engine), optimiser.l2)

    def decode(weights: np.ndarray) -> dict[str, Decoded]:
        if job.sharded:
            return held_out.decode(learner, weights, job.group, engine, job.tolerance, progress)
        return learner.decode(learner.model(validation), weights, job.group, engine, job.tolerance, progress)

    def keep(number: int, weights: np.ndarray) -> dict[str, Any]:
        arrays, scores = {"weights": weights}, {}
        if validation is not None:
            for name, said in decode(weights).items():
                arrays |= {f"{name}/mode": said.mode, f"{name}/marginal": said.marginal}
                sums = metric.counts(said.mode, validation, name).sum(axis=0)
                scores[name] = float(metric.score(sums))
        with atomic(job.folder / f"pass-{number}.npz", "wb") as stream:
            np.savez_compressed(stream, **arrays)
        return {"validation": scores}

    def after_pass(number: int, weights: np.ndarray) -> dict[str, Any]:
        return keep(number, weights) if number in job.candidates else {}

    def labelled(examples: int, note: str = "") -> None:
        progress(examples, f"{job.system} {'-'.join(job.group)} seed {job.seed}, {note}" if note else "")

    weights = fit(
        objective,
        optimiser.build(),
        passes=job.passes,
        seed=job.seed,
        tolerance=optimiser.tolerance,
        initial=lambda: optimiser.initial.build().weights(learner, objective, job.seed, job.group),
        folder=job.folder,
        resume=job.resume,
        fingerprint=job.fingerprint,
        after_pass=after_pass,
        progress=labelled,
    )
    kept = [c for c in job.candidates if (job.folder / f"pass-{c}.npz").exists()]
    last = max(job.candidates)
    if last not in kept:
        # The optimiser converged earlier; the last weights stand for every later candidate.
        keep(last, weights)
        kept.append(last)
    write_json(job.folder / DONE, {"candidates": kept})
    (job.folder / CHECKPOINT).unlink(missing_ok=True)
    shutil.rmtree(job.folder / MEMORIES, ignore_errors=True)


@dataclass(frozen=True)
class DecodingJob:
    """Decode one split, or a part of it, with the models of one system and seed.

    Attributes
    ----------
    part: the first example and the one behind the last; None for all.
    """

    run: Path
    system: str
    seed: str
    groups: tuple[tuple[str, ...], ...]
    view: str
    split: str
    tolerance: float
    part: tuple[int, int] | None = None

    @property
    def examples(self) -> int:
        """Examples to decode."""
        if self.part is not None:
            return self.part[1] - self.part[0]
        return count_instances(instances_path(self.run, self.view, self.split))

    def units(self) -> int:
        """Examples the job will handle, for progress."""
        return self.examples * sum(map(len, self.groups))

    def pieces(self) -> list[DecodingJob]:
        """The same in parts of about ``PIECE`` examples."""
        return [replace(self, part=ends) for ends in cut(self.examples, -(-self.examples // PIECE))]


def run_decoding_job(job: DecodingJob, progress: Progress) -> dict[str, Decoded]:
    """What the system says of every class, position by position."""
    instances = read_instances(job.run, job.view, job.split)
    if job.examples < len(instances):
        instances = instances.take(np.arange(*job.part))
    decoded: dict[str, Decoded] = {}
    for group in job.groups:
        model = load_model(job.run / "models" / folder_name(job.system) / job.seed / "-".join(group))
        decoded |= model.decode(instances, job.tolerance, progress)
    return decoded


def run_training(jobs: list[TrainingJob], runner: Runner, reporter: Reporter, label: str) -> None:
    """Run training jobs where ``runner`` says.

    Of a sharded job only the shards go to other machines: one such job after the other has all of them.
    """
    if not jobs:
        return
    if runner.remote:
        # A job whose worker is lost goes on from its checkpoint on another one.
        jobs = [replace(job, run=job.run.absolute(), resume=True) for job in jobs]
    here = [job for job in jobs if runner.remote and job.sharded]
    there = [job for job in jobs if not (runner.remote and job.sharded)]
    progress = reporter.start(label, sum(job.units() for job in jobs))
    try:
        for job in here:
            run_training_job(job, progress, runner.place)
        for _ in runner.run(run_training_job, there, progress):
            pass
    finally:
        reporter.stop()


def run_decoding(
    jobs: list[DecodingJob], runner: Runner, reporter: Reporter, label: str
) -> list[dict[str, Decoded]]:
    """Run decoding jobs, piece by piece, where ``runner`` says; outputs in the order of the jobs."""
    if not jobs:
        return []
    if runner.remote:
        jobs = [replace(job, run=job.run.absolute()) for job in jobs]
    pieces = [(number, piece) for number, job in enumerate(jobs) for piece in job.pieces()]
    progress = reporter.start(label, sum(job.units() for job in jobs))
    try:
        outputs = dict(runner.run(run_decoding_job, [piece for _, piece in pieces], progress))
    finally:
        reporter.stop()
    said: list[list[dict[str, Decoded]]] = [[] for _ in jobs]
    for index, (number, _) in enumerate(pieces):
        said[number].append(outputs[index])
    return [joined(parts) if len(parts) > 1 else parts[0] for parts in said]
