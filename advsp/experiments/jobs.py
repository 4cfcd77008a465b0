"""The two kinds of work that are spread over processes: training one model, decoding one split."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from advsp.experiments.candidate import Candidate
from advsp.experiments.config import ExperimentConfig
from advsp.experiments.folds import Fold, folded
from advsp.experiments.grid import GridPoint
from advsp.experiments.recipe import Recipe
from advsp.experiments.run_folder import JobFolder, RunFolder, group_name
from advsp.learners.base import Decoded
from advsp.learners.trained_model import DESCRIPTION, TrainedModel, load_model, summed_model
from advsp.metrics import metrics
from advsp.runners.local import Place, Runner, place_here
from advsp.runners.sharded import Shards, cut, joined, shards_needed
from advsp.support.arrays import Floats
from advsp.support.progress import Progress, Reporter
from advsp.training.instances import Instances
from advsp.training.objective import FullBatch

#: Examples that are decoded at a time: a part of the result in its last digits, as the order of sums is.
PIECE = 1000

#: What weights [size] say of what is held out, to a tolerance.
Decode = Callable[[Floats, float, Progress], dict[str, Decoded]]


# --- training -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrainingRun:
    """What all training jobs of a run share.

    Attributes
    ----------
    folder: of the run.
    fingerprint: of what its results depend on; a checkpoint of another one is refused.
    train, validation: splits to train on, and to decode if there is one.
    tolerance: accuracy of decoding.
    checkpoint_seconds: least time between checkpoints of a job.
    resume: go on with jobs that were stopped.
    """

    folder: RunFolder
    fingerprint: str
    train: str
    validation: str | None
    tolerance: float
    checkpoint_seconds: float
    resume: bool

    @classmethod
    def of(
        cls, config: ExperimentConfig, folder: RunFolder, data: Mapping[str, str], resume: bool
    ) -> TrainingRun:
        """What the jobs of a configuration share; ``data`` are the SHA-256 of its files."""
        return cls(
            folder=folder,
            fingerprint=f"{config.fingerprint()} {' '.join(data.values())}",
            train=config.corpus.train,
            validation=config.corpus.validation,
            tolerance=config.evaluation.tolerance,
            checkpoint_seconds=config.checkpoint_seconds,
            resume=resume,
        )


@dataclass(frozen=True)
class TrainingJob:
    """Train one group of classes of one system at one grid point with one seed, perhaps on a fold.

    Attributes
    ----------
    fold: what is held out; None for the validation split.
    passes: most passes.
    candidates: numbers of passes at which the weights are kept.
    everything: whether the validation split is trained on, too, and nothing held out.
    """

    run: TrainingRun
    point: GridPoint
    seed: int
    fold: Fold | None
    group: tuple[str, ...]
    passes: int
    candidates: tuple[int, ...]
    everything: bool = False

    @property
    def system(self) -> str:
        """Name of the system."""
        return self.point.system

    @property
    def recipe(self) -> Recipe:
        """How the model is trained."""
        return Recipe.of(self.point.config, self.group)

    @property
    def folder(self) -> JobFolder:
        """Where the job keeps its files."""
        return self.run.folder.job(self.system, self.seed, self.point.number, self.fold, self.group)

    @property
    def content(self) -> str:
        """What is done, whichever system it is for: jobs that agree in it end with the same files."""
        config = self.point.config
        parts = config.model_dump(include={"learner", "engine", "optimiser", "features"})
        others = config.selection.metric, self.seed, self.fold, self.group, self.passes, self.candidates
        return json.dumps([parts, others, self.everything], sort_keys=True, default=str)

    @property
    def vectors(self) -> int:
        """Vectors as long as the weights that are held, by which jobs differ most in memory."""
        return self.point.config.optimiser.build().vectors

    @property
    def sharded(self) -> bool:
        """Whether the full batch is cut into shards."""
        return self.point.config.optimiser.shards > 1

    def data(self) -> tuple[Instances, Instances | None]:
        """What is trained on, and what candidates are decoded on."""
        run, view = self.run, self.point.view
        train = run.folder.instances(view, run.train)
        validation = run.folder.instances(view, run.validation) if run.validation else None
        if self.everything and validation is not None:
            return type(train).joined([train, validation]), None
        return (train, validation) if self.fold is None else folded(train, validation, self.fold)

    def units(self) -> int:
        """Examples the job will handle, for progress."""
        run, view = self.run, self.point.view
        train = run.folder.count_instances(view, run.train)
        held_out = run.folder.count_instances(view, run.validation) if run.validation else 0
        if self.everything:
            train, held_out = train + held_out, 0
        elif self.fold is not None:
            both = train + held_out
            held_out = int(self.fold.held_out(both).sum())
            train = both - held_out
        validated = len([c for c in self.candidates if c <= self.passes])
        return self.passes * train + validated * held_out * len(self.group)


def run_training_job(job: TrainingJob, progress: Progress, place: Place = place_here) -> None:
    """Train, and at every candidate number of passes keep the weights and the validation output.

    Parameters
    ----------
    place: puts the shards of a sharded job where they are to live.
    """
    folder, run = job.folder, job.run
    if run.resume and folder.done:
        return
    train, held_out = job.data()
    recipe = job.recipe.seen(train)
    if job.sharded:
        objective, decode = _in_shards(job, recipe, train, held_out, place)
    else:
        objective, decode = _whole(job, recipe, train, held_out)
    metric = metrics.get(job.point.config.selection.metric)()

    def keep(number: int, weights: Floats) -> dict[str, float]:
        """Keep a candidate; its score on what is held out, class by class."""
        weights = recipe.learner.complete(weights)
        decoded = {} if decode is None else decode(weights, run.tolerance, progress)
        folder.keep(number, Candidate(weights, decoded))
        if held_out is None:
            return {}
        sums = {
            name: metric.counts(said.mode, held_out, name, said.begins).sum(axis=0)
            for name, said in decoded.items()
        }
        return {name: float(metric.score(counts)) for name, counts in sums.items()}

    def after_pass(number: int, weights: Floats) -> dict[str, object]:
        return {"validation": keep(number, weights)} if number in job.candidates else {}

    def labelled(examples: int, note: str = "") -> None:
        about = f"{job.system} {group_name(job.group)} seed {job.seed}"
        progress(examples, f"{about}, {note}" if note else "")

    weights = recipe.fit(
        objective,
        passes=job.passes,
        seed=job.seed,
        folder=folder.path,
        resume=run.resume,
        fingerprint=run.fingerprint,
        checkpoint_seconds=run.checkpoint_seconds,
        after_pass=after_pass,
        progress=labelled,
    )
    kept = folder.kept(job.candidates)
    last = max(job.candidates)
    if last not in kept:
        # The optimiser converged earlier; the last weights stand for every later candidate.
        keep(last, weights)
        kept.append(last)
    folder.end(kept)


def _whole(
    job: TrainingJob, recipe: Recipe, train: Instances, held_out: Instances | None
) -> tuple[FullBatch, Decode | None]:
    """The objective of what is trained on, in one place, and how what is held out is decoded.

    A full batch whose potentials would take too much memory is gone through in parts.
    """
    decode = None if held_out is None else partial(recipe.decode, held_out)
    parts = shards_needed(recipe.learner.model(train))
    if parts == 1 or recipe.learner.whole or not recipe.optimiser.build().full_batch:
        return recipe.objective(train), decode
    shards = place_here(train, parts, recipe.learner, job.folder.path)
    return recipe.sharded_objective(shards, job.folder.memories), decode


def _in_shards(
    job: TrainingJob, recipe: Recipe, train: Instances, held_out: Instances | None, place: Place
) -> tuple[FullBatch, Decode | None]:
    """The same of shards, which are put where they are to live."""
    number = recipe.optimiser.shards

    def placed(part: str, instances: Instances) -> Shards:
        folder = job.run.folder.shards(job.point.view, part, job.fold, number)
        return place(instances, number, recipe.learner, folder)

    whole = "everything" if job.everything else "train"
    objective = recipe.sharded_objective(placed(whole, train), job.folder.memories)
    decode = None if held_out is None else partial(recipe.decode_shards, placed("validation", held_out))
    return objective, decode


def run_training(jobs: list[TrainingJob], runner: Runner, reporter: Reporter, label: str) -> None:
    """Run training jobs where ``runner`` says.

    Of a sharded job only the shards go to other machines: one such job after the other has all of them.
    Systems that differ in how they are chosen and decide alone are trained once.
    """
    if not jobs:
        return
    everything, firsts = jobs, {job.content: job for job in reversed(jobs)}
    jobs = [job for job in jobs if firsts[job.content] is job]
    if runner.remote:
        # A job whose worker is lost goes on from its checkpoint on another one.
        jobs = [
            replace(job, run=replace(job.run, folder=job.run.folder.absolute(), resume=True)) for job in jobs
        ]
    here = [job for job in jobs if runner.remote and job.sharded]
    there = [job for job in jobs if not (runner.remote and job.sharded)]
    progress = reporter.start(label, sum(job.units() for job in jobs))
    try:
        for job in here:
            run_training_job(job, progress, runner.place)
        for _ in runner.run(run_training_job, there, progress, [job.vectors for job in there]):
            pass
    finally:
        reporter.stop()
    for job in everything:
        first = firsts[job.content]
        if first is not job and not job.folder.done:
            job.folder.copy(first.folder)


# --- decoding -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DecodingJob:
    """Decode one split, or a part of it, with the models of one system and seed.

    Attributes
    ----------
    seed: name of the seed, or of the average over them.
    groups: classes that one model each was learnt for.
    part: the first example and the one behind the last; None for all.
    by_chain: whether the chain's own distribution decides, of all models summed.
    """

    run: RunFolder
    system: str
    seed: str
    groups: tuple[tuple[str, ...], ...]
    view: str
    split: str
    tolerance: float
    part: tuple[int, int] | None = None
    by_chain: bool = False

    @property
    def examples(self) -> int:
        """Examples to decode."""
        if self.part is not None:
            return self.part[1] - self.part[0]
        return self.run.count_instances(self.view, self.split)

    def units(self) -> int:
        """Examples the job will handle, for progress."""
        return self.examples * sum(map(len, self.groups))

    def pieces(self) -> list[DecodingJob]:
        """The same in parts of about ``PIECE`` examples."""
        return [replace(self, part=ends) for ends in cut(self.examples, -(-self.examples // PIECE))]


def run_decoding_job(job: DecodingJob, progress: Progress) -> dict[str, Decoded]:
    """What the system says of every class, position by position."""
    instances = job.run.instances(job.view, job.split)
    if job.part is not None and job.examples < len(instances):
        instances = instances.take(np.arange(*job.part))
    folders = tuple(job.run.model(job.system, job.seed, group) for group in job.groups)
    # The description is what seals a model: one of a later training has another time.
    seals = [folder / DESCRIPTION for folder in folders]
    written = tuple(seal.stat().st_mtime_ns for seal in seals if seal.exists())
    models = _models(folders, written, job.by_chain)
    decoded: dict[str, Decoded] = {}
    for model in models:
        decoded |= model.decode(instances, job.tolerance, progress)
    return decoded


@lru_cache(maxsize=1)
def _models(folders: tuple[Path, ...], written: tuple[int, ...], by_chain: bool) -> tuple[TrainedModel, ...]:
    """The models in some folders, or the one of their sum; kept for the next piece of the same job."""
    models = tuple(map(load_model, folders))
    return (summed_model(models),) if by_chain else models


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
