"""A full batch in shards: each evaluated where it lives, their losses added up in one fixed order.

Floating-point sums depend on their order, so the order belongs to the objective: shards are runs of
consecutive examples, and their totals are added in groups of neighbours, whoever computed them.  The
evaluation of a shard is a function without side effects from what was remembered and the weights to a total
and what is remembered then: done again elsewhere, it gives the same bits.
"""

from __future__ import annotations

import copy
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from advsp.engine.settings import Engine
from advsp.learners.base import Decoded, Learner
from advsp.support.arrays import Array, Floats
from advsp.support.equality import equal_by_value
from advsp.support.files import read_arrays, write_arrays
from advsp.support.progress import Progress, no_progress
from advsp.training.linear import LinearModel
from advsp.training.objective import FullBatch, Loss

T = TypeVar("T")

#: What a loss remembers; arrays only, see :meth:`~advsp.training.objective.Loss.state`.
Memory = dict[str, Array]
#: A loss from a linear model; it can be sent to another process.
MakeLoss = Callable[[LinearModel], Loss]

#: How the names of folders begin that hold what shards remember.
_EVALUATION = "evaluation-"
#: Most potentials that are held at a time: four million, 32 MB.
TABLE = 1 << 22
#: Totals that are added up at a time, one after the other.
FAN_IN = 8


def cut(examples: int, shards: int) -> list[tuple[int, int]]:
    """Where the shards of so many examples begin and end; they differ in size by one at most.

    There are fewer than asked for where there are not so many examples.
    """
    shards = max(1, min(shards, examples))
    ends = [examples * shard // shards for shard in range(shards + 1)]
    return list(zip(ends[:-1], ends[1:], strict=True))


def shards_needed(model: LinearModel) -> int:
    """In how many shards a batch is gone through, so that its tables of potentials stay small."""
    return max(1, -(-int(model.offsets[-1]) * model.width // TABLE))


def in_groups(items: Sequence[T], combine: Callable[[Sequence[T]], T]) -> T:
    """Combine neighbours, at most ``FAN_IN`` at a time, until one is left."""
    items = list(items)
    while len(items) > 1:
        groups = [items[first : first + FAN_IN] for first in range(0, len(items), FAN_IN)]
        items = [combine(group) if len(group) > 1 else group[0] for group in groups]
    return items[0]


@equal_by_value
@dataclass(frozen=True)
class Total:
    """Sums over examples, the penalty left out.

    Attributes
    ----------
    attained, bound: see :class:`~advsp.training.objective.LossValue`.
    gradient: [size].
    """

    attained: float
    bound: float
    gradient: Floats

    def __add__(self, other: Total) -> Total:
        return Total(self.attained + other.attained, self.bound + other.bound, self.gradient + other.gradient)


def add_up(totals: Iterable[Total]) -> Total:
    """The sum of totals, from the first to the last."""
    return reduce(Total.__add__, totals)


def add_arrays(arrays: Sequence[Floats]) -> Floats:
    """The sum of arrays, from the first to the last."""
    return reduce(np.add, arrays)


class Shard:
    """The losses of some of the examples.

    Parameters
    ----------
    model: their linear map.
    loss: their loss; what it remembers at first is what every shard starts from.

    Attributes
    ----------
    first: what is remembered before the first evaluation; empty if nothing is, as by compiled kernels.
    """

    def __init__(self, model: LinearModel, loss: Loss) -> None:
        self.model, self._loss = model, loss
        self.first = loss.state()

    def evaluate(
        self, memory: Memory, weights: Floats, tolerance: float, progress: Progress = no_progress
    ) -> tuple[Total, Memory]:
        """The losses at ``weights`` [size], and what they remember then."""
        loss = self._at(memory)
        potentials = self.model.all_potentials(weights)
        attained, bound, moments = loss.backend.evaluate(loss, potentials, tolerance, progress)
        return Total(attained, bound, self.model.adjoint_all(moments)), loss.state() if self.first else {}

    def tally(self, memory: Memory) -> Floats:
        """Sums over the examples, of what is remembered; see :meth:`~advsp.training.objective.Loss.tally`."""
        return self._at(memory).tally()

    def renew(self, memory: Memory, tally: Floats) -> Memory:
        """What is remembered, renewed by the ``tally`` of all shards."""
        loss = self._at(memory)
        loss.renew(tally)
        return loss.state()

    def _at(self, memory: Memory) -> Loss:
        """The loss with what it remembers."""
        if not self.first:
            return self._loss
        # A copy of its own: whoever evaluates the shard at the same time has another.
        loss = copy.copy(self._loss)
        loss.restore(memory)
        return loss


class Losses(ABC):
    """The losses of all shards, wherever they are.

    Attributes
    ----------
    remember: whether they remember anything from one evaluation to the next.
    """

    remember: bool

    @abstractmethod
    def evaluate(self, weights: Floats, tolerance: float, progress: Progress = no_progress) -> Total:
        """The sum over all shards at ``weights`` [size]."""

    @abstractmethod
    def renew(self) -> None:
        """Renew what the losses share by the sum of what all shards found."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write what every shard remembers into ``folder``, one file a shard."""

    @abstractmethod
    def restore(self, folder: Path) -> None:
        """Take up what :meth:`save` wrote."""


class Shards(ABC):
    """The models of all shards of a split, wherever they are.

    Attributes
    ----------
    lengths: number of examples of every shard.
    size: number of weights.
    blocks: see :class:`~advsp.training.linear.LinearModel`.
    """

    lengths: list[int]
    size: int
    blocks: list[slice]

    @abstractmethod
    def losses(self, make: MakeLoss) -> Losses:
        """Their losses, which remember nothing yet."""

    @abstractmethod
    def decode(
        self,
        learner: Learner,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """Decide all positions, see :meth:`~advsp.learners.base.Learner.decode`."""


class LocalShards(Shards):
    """Shards in this process, one after the other."""

    def __init__(self, models: Sequence[LinearModel]) -> None:
        self._models = list(models)
        self.lengths = [model.examples for model in self._models]
        self.size, self.blocks = self._models[0].size, self._models[0].blocks

    def losses(self, make: MakeLoss) -> LocalLosses:
        return LocalLosses([Shard(model, make(model)) for model in self._models])

    def decode(
        self,
        learner: Learner,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        return joined(
            [learner.decode(model, weights, classes, engine, tolerance, progress) for model in self._models]
        )


class LocalLosses(Losses):
    """Losses of shards in this process, one after the other."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = list(shards)
        self._memories = [shard.first for shard in self._shards]
        self.remember = bool(self._memories[0])

    def evaluate(self, weights: Floats, tolerance: float, progress: Progress = no_progress) -> Total:
        totals = []
        for number, shard in enumerate(self._shards):
            total, self._memories[number] = shard.evaluate(
                self._memories[number], weights, tolerance, progress
            )
            totals.append(total)
        return in_groups(totals, add_up)

    def renew(self) -> None:
        shards = list(zip(self._shards, self._memories, strict=True))
        tally = in_groups([shard.tally(memory) for shard, memory in shards], add_arrays)
        if tally.size:
            self._memories = [shard.renew(memory, tally) for shard, memory in shards]

    def save(self, folder: Path) -> None:
        for number, memory in enumerate(self._memories):
            save_memory(memory, memory_path(folder, number))

    def restore(self, folder: Path) -> None:
        self._memories = [load_memory(memory_path(folder, number)) for number in range(len(self._shards))]


def memory_path(folder: Path, shard: int) -> Path:
    """Where :meth:`Losses.save` keeps what one shard remembers."""
    return folder / f"shard-{shard}.npz"


def save_memory(memory: Memory, path: Path) -> None:
    """Write what a shard remembers."""
    write_arrays(path, memory, compressed=False)


def load_memory(path: Path) -> Memory:
    """Read what :func:`save_memory` wrote."""
    return read_arrays(path, "what a shard remembers", "delete the job's checkpoint; it is then trained anew")


def joined(parts: Sequence[dict[str, Decoded]]) -> dict[str, Decoded]:
    """What is said of consecutive shards as what is said of all of them."""

    def field(name: str, read: Callable[[Decoded], Array | None]) -> Any:
        found = [array for part in parts if (array := read(part[name])) is not None]
        return np.concatenate(found) if found else None

    return {
        name: Decoded(
            field(name, lambda said: said.mode),
            field(name, lambda said: said.marginal),
            field(name, lambda said: said.begins),
        )
        for name in parts[0]
    }


class ShardedObjective(FullBatch):
    """The sum of the losses of shards, with an L2 penalty.

    Parameters
    ----------
    shards: where the examples are.
    make: the loss of a shard's model.
    l2: weight of the penalty, not negative.
    tolerance: accuracy to which losses are found.
    folder: where what the shards remember is kept, beside the checkpoint that names it; needed for
        checkpoints only.
    """

    def __init__(
        self,
        shards: Shards,
        make: MakeLoss,
        l2: float = 0.0,
        tolerance: float = 1e-6,
        folder: Path | None = None,
    ) -> None:
        self.shards, self.l2, self.tolerance, self._folder = shards, l2, tolerance, folder
        self._losses = shards.losses(make)
        self._evaluations, self._saved = 0, -1

    @property
    def examples(self) -> int:
        return sum(self.shards.lengths)

    @property
    def size(self) -> int:
        return self.shards.size

    @property
    def blocks(self) -> list[slice]:
        return self.shards.blocks

    def full(self, weights: Floats, progress: Progress = no_progress) -> tuple[float, float, Floats]:
        total = self._losses.evaluate(weights, self.tolerance, progress)
        self._evaluations += 1
        penalty = 0.5 * self.l2 * float(weights @ weights)
        return total.attained + penalty, total.bound + penalty, total.gradient + self.l2 * weights

    def renew(self) -> None:
        self._losses.renew()

    def with_loss(self, make: MakeLoss, l2: float) -> ShardedObjective:
        return ShardedObjective(self.shards, make, l2)

    def state(self) -> dict[str, Array]:
        """The number of evaluations; it names the folder where every shard wrote what it remembers.

        That of the state before stays until the next one: the checkpoint that names it is still there.
        """
        if self._losses.remember:
            before, self._saved = self._saved, self._evaluations
            self._losses.save(self._place(self._saved))
            kept = self._place(self._saved)
            for place in set(kept.parent.glob(f"{_EVALUATION}*")) - {self._place(before), kept}:
                shutil.rmtree(place)
        return {"evaluations": np.array(self._evaluations)}

    def restore(self, state: dict[str, Array]) -> None:
        self._evaluations = int(state["evaluations"])
        if self._losses.remember:
            self._saved = self._evaluations
            self._losses.restore(self._place(self._saved))

    def _place(self, evaluations: int) -> Path:
        assert self._folder is not None, "there are no checkpoints without a folder"
        return self._folder / f"{_EVALUATION}{evaluations}"
