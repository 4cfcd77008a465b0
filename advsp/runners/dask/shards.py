"""Shards that live on the workers of a cluster.

The models of shards, and what their losses remember, stay on their workers.  For an evaluation the weights
go out along a tree of workers, and totals come back added up in groups of neighbours.  Each is the result of
a task, so that Dask makes again what a lost worker held: models from the files of shards; what is remembered
from the file last written and the evaluations since; weights from the file the client wrote.
"""

from __future__ import annotations

import shutil
import uuid
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

import numpy as np

from advsp.engine.settings import Engine
from advsp.learners.base import Decoded, Learner
from advsp.runners.dask import tasks
from advsp.runners.dask.workers import Workers
from advsp.runners.sharded import (
    Losses,
    MakeLoss,
    Memory,
    Shards,
    Total,
    add_arrays,
    cut,
    in_groups,
    joined,
    memory_path,
)
from advsp.support.arrays import Floats
from advsp.support.errors import InputError
from advsp.support.files import atomic
from advsp.support.progress import Progress, no_progress
from advsp.training.instance_files import save_instances
from advsp.training.instances import Instances

if TYPE_CHECKING:
    from distributed import Future

R = TypeVar("R")

#: Evaluations after which what is remembered is written again: at most so many are repeated for a lost
#: worker.
LINEAGE = 10
#: How the names of folders begin that hold what evaluations need while a run lasts.
_EVALUATIONS = "evaluations-"


class ClusterShards(Shards):
    """Models of shards on workers.

    Parameters
    ----------
    cluster: where they are to live.
    paths: files of the instances of every shard.
    learner: makes models of them.
    folder: of these shards alone, for files that evaluations need while they last.
    """

    def __init__(self, cluster: Workers, paths: Sequence[Path], learner: Learner, folder: Path) -> None:
        self.cluster, self.folder = cluster, folder
        # What a run that was stopped has left.
        for left in folder.glob(f"{_EVALUATIONS}*"):
            shutil.rmtree(left)
        addresses = cluster.addresses()
        #: The worker every shard lives on; consecutive shards are neighbours.
        self.homes = [addresses[shard * len(addresses) // len(paths)] for shard in range(len(paths))]
        self.models = [
            cluster.submit(tasks.load_model, path, learner, on=home)
            for path, home in zip(paths, self.homes, strict=True)
        ]
        described = cluster.results([cluster.submit(tasks.describe_model, model) for model in self.models])
        self.lengths = [examples for examples, _, _ in described]
        _, self.size, self.blocks = described[0]

    @classmethod
    def cut(
        cls, cluster: Workers, instances: Instances, shards: int, learner: Learner, folder: Path
    ) -> ClusterShards:
        """Instances cut into shards, written into ``folder`` without texts unless they are there."""
        paths = []
        for number, ends in enumerate(cut(len(instances), shards)):
            paths.append(folder / f"{number}.npz")
            if not paths[-1].exists():
                save_instances(paths[-1], instances.take(np.arange(*ends)).without_texts())
        return cls(cluster, paths, learner, folder)

    def losses(self, make: MakeLoss) -> ClusterLosses:
        return ClusterLosses(self, make)

    def decode(
        self,
        learner: Learner,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        folder = self.new_folder()
        copies = self.broadcast(weights, folder / "weights.npy")
        given = [
            self.cluster.submit(
                tasks.decode, model, learner, copies[home], tuple(classes), engine, tolerance, on=home
            )
            for model, home in zip(self.models, self.homes, strict=True)
        ]
        self.wait(given, progress, len(classes))
        said = joined(self.cluster.results(given))
        shutil.rmtree(folder)
        return said

    def new_folder(self) -> Path:
        """A folder of its own for what evaluations need."""
        return self.folder / f"{_EVALUATIONS}{uuid.uuid4().hex[:8]}"

    def broadcast(self, weights: Floats, path: Path) -> dict[str, Future[Floats]]:
        """Weights on every worker that shards live on, by its address.

        They are a file that one worker reads; they go from host to host along a binary tree, and from each
        host's first worker to its others.
        """
        self._move_in()
        with atomic(path, "wb") as stream:
            np.save(stream, weights)
        hosts: dict[str, list[str]] = {}
        for address in sorted(set(self.homes)):
            hosts.setdefault(urlsplit(address).hostname or address, []).append(address)
        copies: dict[str, Future[Floats]] = {}
        first = [addresses[0] for addresses in hosts.values()]
        for number, address in enumerate(first):
            if number == 0:
                copies[address] = self.cluster.submit(tasks.read_weights, path, on=address)
            else:
                copies[address] = self.cluster.submit(
                    tasks.same, copies[first[(number - 1) // 2]], on=address
                )
        for leader, *others in hosts.values():
            for address in others:
                copies[address] = self.cluster.submit(tasks.same, copies[leader], on=address)
        return copies

    def wait(self, futures: Sequence[Future[R]], progress: Progress, units: int = 1) -> None:
        """Until all are done, one a shard; reports ``units`` an example."""
        lengths = dict(zip(futures, self.lengths, strict=True))
        for future in self.cluster.finished(futures):
            progress(units * lengths[future])

    def _move_in(self) -> None:
        """New homes, among the workers that have fewest, for shards whose worker is lost."""
        addresses = self.cluster.addresses()
        if not addresses:
            return  # whoever waits for results says so if none comes back
        counts = Counter({address: 0 for address in addresses})
        counts.update(home for home in self.homes if home in counts)
        for shard, home in enumerate(self.homes):
            if home not in counts:
                self.homes[shard] = min(addresses, key=lambda address: counts[address])
                counts[self.homes[shard]] += 1


class ClusterLosses(Losses):
    """Losses of shards on workers, and what they remember."""

    def __init__(self, shards: ClusterShards, make: MakeLoss) -> None:
        self._place, self._cluster = shards, shards.cluster
        self._shards = [
            self._cluster.submit(tasks.make_shard, model, make, on=home)
            for model, home in zip(shards.models, shards.homes, strict=True)
        ]
        self.remember = self._cluster.results([self._cluster.submit(tasks.remembers, self._shards[0])])[0]
        self._folder = shards.new_folder()
        self._memories: Sequence[Future[Memory] | Path | None] = [None] * len(self._shards)
        self._evaluations = self._since = 0
        self._written: Path | None = None

    def evaluate(self, weights: Floats, tolerance: float, progress: Progress = no_progress) -> Total:
        if self._since == LINEAGE:
            self._cut_lineage()
        self._evaluations, self._since = self._evaluations + 1, self._since + 1
        copies = self._place.broadcast(weights, self._weights_path(self._evaluations))
        homes = self._place.homes
        evaluated = [
            self._cluster.submit(tasks.evaluate, shard, memory, copies[home], tolerance, on=home)
            for shard, memory, home in zip(self._shards, self._memories, homes, strict=True)
        ]
        totals = [
            self._cluster.submit(tasks.total_of, one, on=home)
            for one, home in zip(evaluated, homes, strict=True)
        ]
        total = in_groups(totals, lambda group: self._cluster.submit(tasks.add, *group))
        memories = [
            self._cluster.submit(tasks.memory_of, one, on=home)
            for one, home in zip(evaluated, homes, strict=True)
        ]
        self._place.wait(evaluated, progress)
        found = self._cluster.results([total])[0]
        if self.remember:
            self._memories = memories
        else:
            self._begin_anew()
        return found

    def renew(self) -> None:
        if not self.remember:
            return
        living = list(zip(self._shards, self._memories, self._place.homes, strict=True))
        tallies = [
            self._cluster.submit(tasks.tally, shard, memory, on=home) for shard, memory, home in living
        ]
        tally = in_groups(self._cluster.results(tallies), add_arrays)
        if tally.size:
            self._memories = [
                self._cluster.submit(tasks.renew, shard, memory, tally, on=home)
                for shard, memory, home in living
            ]

    def save(self, folder: Path) -> None:
        paths = [memory_path(folder, shard) for shard in range(len(self._shards))]
        self._cluster.results(
            [
                self._cluster.submit(tasks.write_memory, shard, memory, path, on=home)
                for shard, memory, path, home in zip(
                    self._shards, self._memories, paths, self._place.homes, strict=True
                )
            ]
        )
        self._memories = paths
        self._begin_anew()

    def restore(self, folder: Path) -> None:
        paths = [memory_path(folder, shard) for shard in range(len(self._shards))]
        for path in paths:
            if not path.exists():
                hint = f"delete {folder.parent.parent / 'checkpoint.npz'}; its model is then trained anew"
                raise InputError("what a shard remembers is not there", file=path, hint=hint)
        self._memories = paths

    def _cut_lineage(self) -> None:
        """Write what is remembered: nothing before it is needed any more."""
        before, place = self._written, self._folder / f"memories-{self._evaluations}"
        self.save(place)
        self._written = place
        if before is not None:
            shutil.rmtree(before, ignore_errors=True)

    def _begin_anew(self) -> None:
        """Forget the weights of earlier evaluations."""
        for number in range(self._evaluations - self._since + 1, self._evaluations + 1):
            self._weights_path(number).unlink(missing_ok=True)
        self._since = 0

    def _weights_path(self, evaluation: int) -> Path:
        return self._folder / f"weights-{evaluation}.npy"
