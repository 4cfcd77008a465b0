"""One map: independent jobs over processes, the same results for any number of them."""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from advsp.training.objective import Tick

J = TypeVar("J")
R = TypeVar("R")

#: Seconds between progress messages of a worker.
_INTERVAL = 0.2
#: Set in every worker process by its initialiser.
_messages: Any = None


def available_workers(wanted: int) -> int:
    """``wanted``, or the number of processors this process may use where it is 0."""
    return wanted or len(os.sched_getaffinity(0))


def run_jobs(
    function: Callable[[J, Tick], R], jobs: Sequence[J], workers: int, tick: Tick
) -> Iterator[tuple[int, R]]:
    """Yield (index, ``function(job, tick)``) as jobs end, in any order.

    Parameters
    ----------
    function: a module-level function; its result must not depend on which process runs it.
    jobs: what to run; with several workers they are sent to other processes.
    workers: number of processes; 1 runs everything in this one.
    tick: progress, called in this process.

    A job's exception is raised here, and the remaining jobs are given up.
    """
    if workers <= 1 or len(jobs) <= 1:
        for index, job in enumerate(jobs):
            yield index, _single_threaded(function, job, tick)
        return
    context = multiprocessing.get_context("spawn")
    messages = context.Queue()
    listener = threading.Thread(target=_listen, args=(messages, tick), daemon=True)
    listener.start()
    pool = context.Pool(min(workers, len(jobs)), initializer=_start_worker, initargs=(messages,))
    try:
        yield from pool.imap_unordered(_call, [(index, function, job) for index, job in enumerate(jobs)])
        pool.close()
    finally:
        pool.terminate()
        pool.join()
        messages.put(None)
        listener.join()


def _single_threaded(function: Callable[[J, Tick], R], job: J, tick: Tick) -> R:
    """One inner thread per job: no oversubscription, and one order of summation."""
    with threadpool_limits(limits=1):
        return function(job, tick)


def _start_worker(messages: Any) -> None:
    # The parent decides what an interrupt means; workers are terminated by it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    global _messages
    _messages = messages


def _call(task: tuple[int, Callable[[Any, Tick], Any], Any]) -> tuple[int, Any]:
    index, function, job = task
    reporter = _Reporter()
    try:
        return index, _single_threaded(function, job, reporter)
    finally:
        reporter.flush()


class _Reporter:
    """A tick that sends what it counted to the parent now and then."""

    def __init__(self) -> None:
        self._count, self._note, self._sent = 0, "", time.monotonic()

    def __call__(self, examples: int, note: str = "") -> None:
        self._count, self._note = self._count + examples, note or self._note
        if time.monotonic() - self._sent >= _INTERVAL:
            self.flush()

    def flush(self) -> None:
        if self._count or self._note:
            _messages.put((self._count, self._note))
        self._count, self._note, self._sent = 0, "", time.monotonic()


def _listen(messages: Any, tick: Tick) -> None:
    while True:
        try:
            message = messages.get(timeout=1.0)
        except queue.Empty:
            continue
        if message is None:
            return
        tick(*message)
