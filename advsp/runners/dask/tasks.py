"""What workers are asked to do: functions of their arguments and of files in the run folder, nothing else."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from advsp.engine.settings import Engine
from advsp.learners.base import Decoded, Learner
from advsp.runners.local import INTERVAL, J, R
from advsp.runners.sharded import MakeLoss, Memory, Shard, Total, add_up, load_memory, save_memory
from advsp.support.arrays import Array, Floats
from advsp.support.progress import Progress
from advsp.support.threads import single_threaded
from advsp.support.versions import versions
from advsp.training.instance_files import load_instances
from advsp.training.linear import LinearModel

#: What a shard remembers: as it is, in a file, or not yet anything.
Remembered = Memory | Path | None


class Abandoned(Exception):
    """Nobody waits for this job any more."""


# --- what a worker is ---------------------------------------------------------------------------------


def describe_worker() -> dict[str, str]:
    """Versions of everything a result may depend on."""
    return versions()


def see(probe: Path, content: str) -> bool:
    """Whether a file is there with that content, in a folder that can be written."""
    try:
        return probe.read_text(encoding="utf-8") == content and os.access(probe.parent, os.W_OK)
    except OSError:
        return False


# --- jobs ---------------------------------------------------------------------------------------------


def run_job(function: Callable[[J, Progress], R], job: J, topic: str, index: int) -> tuple[R, int]:
    """A job's result, and how many examples it reported."""
    report = _Report(topic, index)
    result = single_threaded(function)(job, report)
    return result, report.count


class _Report:
    """Progress that sends what it counted, from the job's beginning, to the client now and then."""

    def __init__(self, topic: str, index: int) -> None:
        from distributed import get_worker

        self._worker, self._topic, self._index = get_worker(), topic, index
        self._key = self._worker.get_current_task()
        self.count, self._note, self._sent = 0, "", time.monotonic()

    def __call__(self, examples: int, note: str = "") -> None:
        self.count, self._note = self.count + examples, note or self._note
        if time.monotonic() - self._sent >= INTERVAL:
            self._end_if_abandoned()
            self._worker.log_event(self._topic, (self._index, self.count, self._note))
            self._note, self._sent = "", time.monotonic()

    def _end_if_abandoned(self) -> None:
        # A running task is not stopped from outside.  One that went on after its client has gone would write
        # the same files as the job that a resumed run starts.
        task = self._worker.state.tasks.get(self._key)
        if task is None or task.state != "executing":
            raise Abandoned


# --- shards -------------------------------------------------------------------------------------------


def load_model(path: Path, learner: Learner) -> LinearModel:
    """The linear map of a shard's instances."""
    model: LinearModel = learner.model(load_instances(path))
    return model


def describe_model(model: LinearModel) -> tuple[int, int, list[slice]]:
    """Number of examples, number of weights, and their blocks."""
    return model.examples, model.size, model.blocks


@single_threaded
def make_shard(model: LinearModel, make: MakeLoss) -> Shard:
    """The losses of a shard."""
    return Shard(model, make(model))


def remembers(shard: Shard) -> bool:
    """Whether a shard remembers anything from one evaluation to the next."""
    return bool(shard.first)


def read_weights(path: Path) -> Floats:
    """Weights [size] that the client wrote."""
    weights: Floats = np.load(path, allow_pickle=False)
    return weights


def same(weights: Floats) -> Floats:
    """A copy of weights for the worker this runs on."""
    return weights


@single_threaded
def evaluate(shard: Shard, remembered: Remembered, weights: Floats, tolerance: float) -> tuple[Total, Memory]:
    """See :meth:`~advsp.runners.sharded.Shard.evaluate`."""
    memory = {name: _writable(array) for name, array in _recall(shard, remembered).items()}
    return shard.evaluate(memory, _writable(weights), tolerance)


def total_of(evaluated: tuple[Total, Memory]) -> Total:
    """The sums of an evaluation."""
    return evaluated[0]


def memory_of(evaluated: tuple[Total, Memory]) -> Memory:
    """What is remembered after an evaluation."""
    return evaluated[1]


def add(*totals: Total) -> Total:
    """The sum of totals, from the first to the last."""
    return add_up(totals)


def tally(shard: Shard, remembered: Remembered) -> Floats:
    """See :meth:`~advsp.runners.sharded.Shard.tally`."""
    return shard.tally(_recall(shard, remembered))


def renew(shard: Shard, remembered: Remembered, tally: Floats) -> Memory:
    """See :meth:`~advsp.runners.sharded.Shard.renew`."""
    return shard.renew(_recall(shard, remembered), tally)


def write_memory(shard: Shard, remembered: Remembered, path: Path) -> None:
    """Keep what a shard remembers as a file."""
    save_memory(_recall(shard, remembered), path)


@single_threaded
def decode(
    model: LinearModel,
    learner: Learner,
    weights: Floats,
    classes: Sequence[str],
    engine: Engine,
    tolerance: float,
) -> dict[str, Decoded]:
    """See :meth:`~advsp.learners.base.Learner.decode`."""
    return learner.decode(model, _writable(weights), classes, engine, tolerance)


def _recall(shard: Shard, remembered: Remembered) -> Memory:
    if remembered is None:
        return shard.first
    return load_memory(remembered) if isinstance(remembered, Path) else remembered


def _writable(array: Array) -> Array:
    """The array, or a copy where it came over the network into memory that must not be written.

    Nothing writes it; but compiled code takes the two for different types.
    """
    return np.require(array, requirements="W")
