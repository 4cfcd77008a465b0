"""Jobs on the workers of a cluster."""

from __future__ import annotations

import queue
import secrets
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advsp.learners.base import Learner
from advsp.runners.dask import tasks
from advsp.runners.dask.connection import TIMEOUT, connect
from advsp.runners.dask.shards import ClusterShards
from advsp.runners.local import J, R, Runner
from advsp.support.errors import InputError
from advsp.support.progress import Progress
from advsp.training.instances import Instances

if TYPE_CHECKING:
    from distributed import Client, Future

#: Seconds between looks at whether the cluster is still there, and how long it may be without workers.
_LOOK, _PATIENCE = 2.0, 60.0


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


class Cluster(Runner):
    """The workers of a Dask cluster, each with one thread.

    Parameters
    ----------
    client: connected to the scheduler.
    address: of the scheduler, for messages.
    """

    remote = True

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._address = client, address

    @property
    def workers(self) -> int:
        return len(self.addresses())

    def addresses(self) -> list[str]:
        """Addresses of the workers there are, those of one host side by side."""
        return sorted(self._client.nthreads())

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
        self, function: Callable[[J, Progress], R], jobs: Sequence[J], progress: Progress
    ) -> Iterator[tuple[int, R]]:
        topic, heard = f"advsp-{uuid.uuid4().hex}", queue.SimpleQueue()
        counts = _Counts(len(jobs), progress)
        self._client.subscribe_topic(topic, lambda event: heard.put(event[1]))
        indices = {
            self.submit(tasks.run_job, function, job, topic, index): index for index, job in enumerate(jobs)
        }
        try:
            for item in self.finished(indices, heard):
                if isinstance(item, (tuple, list)):
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

    # --- what shards are made of ----------------------------------------------------------------------

    def submit(self, function: Callable[..., Any], *arguments: Any, on: str | None = None) -> Future:
        """Have a worker call a function; ``on`` is the one that should, as long as it is there."""
        where = {} if on is None else {"workers": [on], "allow_other_workers": True}
        return self._client.submit(function, *arguments, pure=False, **where)

    def results(self, futures: Sequence[Future]) -> list[Any]:
        """Results in the order of the futures."""
        for _ in self.finished(futures):
            pass
        return self._client.gather(list(futures))

    def finished(
        self, futures: Iterable[Future], heard: queue.SimpleQueue | None = None
    ) -> Iterator[Future | Any]:
        """Yield futures as they are done, and whatever else is put into the queue meanwhile.

        The exception of one that failed is raised.

        Raises
        ------
        InputError: the scheduler is gone, or all workers are, or what one of them does kills it again and
            again.
        """
        from distributed import Future, KilledWorker

        heard = queue.SimpleQueue() if heard is None else heard
        waiting = set()
        for future in futures:
            waiting.add(future)
            future.add_done_callback(heard.put)
        last_seen = time.monotonic()
        while waiting:
            try:
                item = heard.get(timeout=_LOOK)
            except queue.Empty:
                last_seen = self._look(last_seen)
                continue
            if not isinstance(item, Future):
                yield item
                continue
            waiting.discard(item)
            if item.status == "error":
                error = item.exception()
                if isinstance(error, KilledWorker):
                    raise InputError(
                        f"{error.allowed_failures + 1} workers ended one after the other at the same task, "
                        "probably for want of memory",
                        hint="give workers more memory, or cut more shards; --resume goes on with a training",
                    ) from None
                raise error.with_traceback(item.traceback())
            if item.status != "finished":
                raise self._gone("the scheduler", "is no longer there")
            yield item

    def _look(self, last_seen: float) -> float:
        """When there were workers last; refuse to wait for ever."""
        if self._client.status not in ("running", "connecting"):
            raise self._gone("the scheduler", "is no longer there")
        now = time.monotonic()
        if self._client.status == "running" and self._client.nthreads():
            return now
        if now - last_seen > _PATIENCE:
            raise self._gone("the cluster", f"has had no workers for {_PATIENCE:.0f} s")
        return last_seen

    def _gone(self, what: str, problem: str) -> InputError:
        hint = "when it is up again, --resume goes on with a training"
        return InputError(f"{self._address}: {what} {problem}", key="--dask", hint=hint)


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
