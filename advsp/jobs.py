"""The two kinds of work that are spread over processes: training one model, decoding one split."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from advsp.config import ExperimentConfig, SystemConfig
from advsp.files import atomic, write_json
from advsp.instances import ChainInstances
from advsp.learners.base import Decoded
from advsp.learners.game_loss import Engine
from advsp.learners.saved import load_model
from advsp.metrics.counts import f_score
from advsp.metrics.token import token_counts
from advsp.parallel import available_workers, run_jobs
from advsp.reporter import Reporter
from advsp.runs import load_instances
from advsp.training.chain_model import ChainModel
from advsp.training.loop import CHECKPOINT, Tolerance, fit
from advsp.training.objective import Objective, Tick

#: Written by a training job when it has ended; names the candidates it kept.
DONE = "done.json"


@dataclass(frozen=True)
class TrainingJob:
    """Train one group of classes of one system at one grid point with one seed."""

    run: Path
    fingerprint: str
    system: str
    config: SystemConfig
    seed: int
    point: int
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
        place = self.run / "jobs" / self.system / f"seed-{self.seed}" / f"point-{self.point}"
        return place / "-".join(self.group)

    def units(self, examples: int, validation: int) -> int:
        """Examples the job will handle, for progress."""
        validated = len([c for c in self.candidates if c <= self.passes])
        return self.passes * examples + validated * validation * len(self.group)


def _instances(run: Path, split: str) -> ChainInstances:
    """A featurised split of a run, read once per process and version of the file."""
    path = run / "instances" / f"{split}.npz"
    return _read_once(path, path.stat().st_mtime_ns if path.exists() else 0)


@lru_cache(maxsize=8)
def _read_once(path: Path, version: int) -> ChainInstances:
    return load_instances(path)


def run_training_job(job: TrainingJob, tick: Tick) -> None:
    """Train, and at every candidate number of passes keep the weights and the validation output."""
    if job.resume and (job.folder / DONE).exists():
        return
    train = _instances(job.run, job.train)
    validation = _instances(job.run, job.validation) if job.validation else None
    learner = job.config.learner.build()
    engine = Engine(**job.config.engine.model_dump())
    model = ChainModel(train, learner.start)
    optimiser = job.config.optimiser
    objective = Objective(model, learner.loss(model, job.group, engine), optimiser.l2)

    def keep(number: int, weights: np.ndarray) -> dict[str, Any]:
        arrays, scores = {"weights": weights}, {}
        if validation is not None:
            target = ChainModel(validation, learner.start)
            decoded = learner.decode(target, weights, job.group, engine, job.tolerance, tick)
            for name, said in decoded.items():
                arrays |= {f"{name}/mode": said.mode, f"{name}/marginal": said.marginal}
                gold = validation.tags == validation.tag_names.index(name)
                scores[name] = class_f1(said.mode, gold, validation.offsets)
        with atomic(job.folder / f"pass-{number}.npz", "wb") as stream:
            np.savez_compressed(stream, **arrays)
        return {"validation": scores}

    def after_pass(number: int, weights: np.ndarray) -> dict[str, Any]:
        return keep(number, weights) if number in job.candidates else {}

    def labelled(examples: int, note: str = "") -> None:
        tick(examples, f"{job.system} {'-'.join(job.group)} seed {job.seed}, {note}" if note else "")

    weights = fit(
        objective,
        optimiser.build(),
        passes=job.passes,
        seed=job.seed,
        tolerance=Tolerance(**optimiser.tolerance.model_dump()),
        initial=_initial(optimiser.initial, model.size, job.seed),
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


def _initial(kind: str, size: int, seed: int) -> np.ndarray:
    """Initial weights [size]."""
    return np.zeros(size) if kind == "zeros" else np.random.default_rng([seed, 0]).random(size)


@dataclass(frozen=True)
class DecodingJob:
    """Decode one split with the models of one system and seed."""

    run: Path
    system: str
    seed: str
    groups: tuple[tuple[str, ...], ...]
    split: str
    tolerance: float


def run_decoding_job(job: DecodingJob, tick: Tick) -> dict[str, Decoded]:
    """What the system says of every class, token by token."""
    instances = _instances(job.run, job.split)
    decoded: dict[str, Decoded] = {}
    for group in job.groups:
        model = load_model(job.run / "models" / job.system / job.seed / "-".join(group))
        decoded |= model.decode(instances, job.tolerance, tick)
    return decoded


def run_training(
    jobs: list[TrainingJob],
    config: ExperimentConfig,
    instances: Mapping[str, ChainInstances],
    reporter: Reporter,
    label: str,
) -> None:
    """Run training jobs over the configuration's workers."""
    if not jobs:
        return
    validation = config.corpus.validation
    sizes = len(instances[config.corpus.train]), len(instances[validation]) if validation else 0
    tick = reporter.start(label, sum(job.units(*sizes) for job in jobs))
    try:
        for _ in run_jobs(run_training_job, jobs, available_workers(config.workers), tick):
            pass
    finally:
        reporter.stop()


def run_decoding(
    jobs: list[DecodingJob],
    config: ExperimentConfig,
    instances: Mapping[str, ChainInstances],
    reporter: Reporter,
    label: str,
) -> list[dict[str, Decoded]]:
    """Run decoding jobs over the configuration's workers; outputs in the order of the jobs."""
    tick = reporter.start(label, sum(len(instances[job.split]) * len(config.classes) for job in jobs))
    try:
        outputs = dict(run_jobs(run_decoding_job, jobs, available_workers(config.workers), tick))
    finally:
        reporter.stop()
    return [outputs[index] for index in range(len(jobs))]


def class_f1(predicted: np.ndarray, gold: np.ndarray, offsets: np.ndarray) -> float:
    """Token F1 of one class over a split, from masks bool [T]."""
    return float(f_score(*token_counts(predicted, gold, offsets).sum(axis=0)))
