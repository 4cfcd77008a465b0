"""Jobs on the workers of a cluster."""

from __future__ import annotations

import queue
import secrets
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from advsp.learners.base import Learner
from advsp.runners.dask import tasks
from advsp.runners.dask.connection import TIMEOUT, connect
from advsp.runners.dask.shards import ClusterShards
from advsp.runners.dask.workers import Told, Workers
from advsp.runners.local import J, R, Runner
from advsp.support.errors import InputError
from advsp.support.progress import Progress
from advsp.training.instances import Instances

if TYPE_CHECKING:
    from distributed import Future


@contextmanager
def cluster(address: str, timeout: float = TIMEOUT) -> Iterator[Cluster]:
    """The cluster whose scheduler is at ``address``, as long as the block lasts.

    Raises
    ------
    InputError: see :func:`~advsp.runners.dask.connection.connect`.
    """
    client = connect(address, timeout)
    try:
        yield Cluster(client, address)
    finally:
        client.close()


class Cluster(Workers, Runner):
    """The workers of a Dask cluster as a place where jobs run."""

    remote = True

    @property
    def workers(self) -> int:
        return len(self.addresses())

    def check(self, folder: Path) -> None:
        there = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.is_dir())
        content = secrets.token_hex(16)
        probe = there / f".advsp-probe-{content[:8]}"
        try:
            probe.write_text(content, encoding="utf-8")
            seen = self._client.run(tasks.see, probe, content)
        finally:
            probe.unlink(missing_ok=True)
        for worker, sees in sorted(seen.items()):
            if not sees:
                raise InputError(
                    f"the worker {worker} does not see this folder, or may not write there",
                    file=there,
                    hint="put the output on a file system that all workers share, under the same path",
                )

    def run(
        self,
        function: Callable[[J, Progress], R],
        jobs: Sequence[J],
        progress: Progress,
        sizes: Sequence[float] | None = None,
    ) -> Iterator[tuple[int, R]]:
        """Yield (index, ``function(job, progress)``) as jobs end; in which order, the scheduler decides."""
        topic = f"advsp-{uuid.uuid4().hex}"
        heard: queue.SimpleQueue[Future[tuple[R, int]] | Told] = queue.SimpleQueue()
        counts = _Counts(len(jobs), progress)
        self._client.subscribe_topic(topic, lambda event: heard.put(tuple(event[1])))
        indices = {
            self.submit(tasks.run_job, function, job, topic, index): index for index, job in enumerate(jobs)
        }
        try:
            for item in self.events(indices, heard):
                if isinstance(item, tuple):
                    counts.heard(*item)
                    continue
                index = indices[item]
                result, count = item.result()
                counts.heard(index, count, "")
                yield index, result
        finally:
            self._client.cancel(list(indices), force=True)
            self._client.unsubscribe_topic(topic)

    def place(self, instances: Instances, shards: int, learner: Learner, folder: Path) -> ClusterShards:
        return ClusterShards.cut(self, instances, shards, learner, folder)


class _Counts:
    """Counts of jobs, some of which begin again when their worker is lost: nothing is counted twice."""

    def __init__(self, jobs: int, progress: Progress) -> None:
        self._counts, self._progress = [0] * jobs, progress

    def heard(self, index: int, count: int, note: str) -> None:
        """A job has reported so many examples since it began."""
        new = max(0, count - self._counts[index])
        self._counts[index] += new
        if new or note:
            self._progress(new, note)
