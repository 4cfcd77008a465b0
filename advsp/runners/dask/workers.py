"""Calls on the workers of a cluster, and what comes of them."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from advsp.support.errors import InputError

if TYPE_CHECKING:
    from distributed import Client, Future

R = TypeVar("R")

#: What a running job tells: its index, how many examples it has done since it began, how it goes.
Told = tuple[int, int, str]

#: Seconds between looks at whether the cluster is still there, and how long it may be without workers.
_LOOK, _PATIENCE = 2.0, 60.0


class Workers:
    """The workers of a Dask cluster, each with one thread.

    Parameters
    ----------
    client: connected to the scheduler.
    address: of the scheduler, for messages.
    """

    def __init__(self, client: Client, address: str) -> None:
        self._client, self._address = client, address

    def addresses(self) -> list[str]:
        """Addresses of the workers there are, those of one host side by side."""
        return sorted(self._client.nthreads())

    def submit(self, function: Callable[..., R], *arguments: Any, on: str | None = None) -> Future[R]:
        """Have a worker call a function; ``on`` is the one that should, as long as it is there."""
        where = {} if on is None else {"workers": [on], "allow_other_workers": True}
        return self._client.submit(function, *arguments, pure=False, **where)

    def results(self, futures: Sequence[Future[R]]) -> list[R]:
        """Results in the order of the futures."""
        for _ in self.finished(futures):
            pass
        results: list[R] = self._client.gather(list(futures))
        return results

    def finished(self, futures: Iterable[Future[R]]) -> Iterator[Future[R]]:
        """Yield futures as they are done; see :meth:`events`."""
        for event in self.events(futures, queue.SimpleQueue()):
            assert not isinstance(event, tuple)  # nobody else puts anything into the queue
            yield event

    def events(
        self, futures: Iterable[Future[R]], heard: queue.SimpleQueue[Future[R] | Told]
    ) -> Iterator[Future[R] | Told]:
        """Yield futures as they are done, and whatever else is put into the queue meanwhile.

        The exception of one that failed is raised.

        Raises
        ------
        InputError: the scheduler is gone, or all workers are, or what one of them does kills it again and
            again.
        """
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
            if not isinstance(item, tuple):
                waiting.discard(item)
                self._check(item)
            yield item

    def _check(self, future: Future[R]) -> None:
        """Raise what went wrong with a future that is done."""
        from distributed import KilledWorker

        if future.status == "error":
            error = future.exception()
            if isinstance(error, KilledWorker):
                raise InputError(
                    f"{error.allowed_failures + 1} workers ended one after the other at the same task, "
                    "probably for want of memory",
                    hint="give workers more memory, or cut more shards; --resume goes on with a training",
                ) from None
            raise error.with_traceback(future.traceback())
        if future.status != "finished":
            raise self._gone("the scheduler", "is no longer there")

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
