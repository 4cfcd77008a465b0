"""One map: independent jobs over processes, the same results for any number of them.

Where jobs run is a :class:`Runner`: processes of this machine, or workers of a cluster
(:mod:`advsp.runners.dask`).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from advsp.learners.base import Learner
from advsp.runners.sharded import LocalShards, Shards, cut
from advsp.runners.waiting import Waiting
from advsp.support.errors import InputError
from advsp.support.progress import Progress
from advsp.support.threads import single_threaded, use_threads
from advsp.training.instances import Instances

J = TypeVar("J")
R = TypeVar("R")

#: Seconds between progress messages of a worker.
INTERVAL = 0.2


#: What :meth:`Runner.place` does.
Place = Callable[[Instances, int, Learner, Path], Shards]


def place_here(instances: Instances, shards: int, learner: Learner, folder: Path) -> Shards:
    """Shards in this process, see :meth:`Runner.place`; no files are needed for them."""
    return LocalShards(
        [learner.model(instances.take(np.arange(*ends))) for ends in cut(len(instances), shards)]
    )


class Runner(ABC):
    """Where jobs run.

    Attributes
    ----------
    remote: whether jobs run on other machines, with folders of their own to start from.
    """

    remote: bool = False

    @property
    @abstractmethod
    def workers(self) -> int:
        """Number of processes."""

    @abstractmethod
    def run(
        self,
        function: Callable[[J, Progress], R],
        jobs: Sequence[J],
        progress: Progress,
        sizes: Sequence[float] | None = None,
    ) -> Iterator[tuple[int, R]]:
        """Yield (index, ``function(job, progress)``) as jobs end, see :func:`run_jobs`."""

    def place(self, instances: Instances, shards: int, learner: Learner, folder: Path) -> Shards:
        """Cut instances into shards and put their models where jobs run.

        Parameters
        ----------
        shards: how many; see :func:`~advsp.runners.sharded.cut`.
        folder: where they are kept as files, for whoever has to read them or to read them again.
        """
        return place_here(instances, shards, learner, folder)

    def check(self, folder: Path) -> None:
        """Refuse a folder, whether or not it is there yet, that not every worker could use.

        Raises
        ------
        InputError: a worker does not see it, or may not write there.
        """


class Local(Runner):
    """Processes of this machine; so many, or one a processor where ``workers`` is 0."""

    def __init__(self, workers: int) -> None:
        self._workers = available_workers(workers)

    @property
    def workers(self) -> int:
        return self._workers

    def run(
        self,
        function: Callable[[J, Progress], R],
        jobs: Sequence[J],
        progress: Progress,
        sizes: Sequence[float] | None = None,
    ) -> Iterator[tuple[int, R]]:
        return run_jobs(function, jobs, self._workers, progress, sizes)


def available_workers(wanted: int) -> int:
    """``wanted``, or the number of processors this process may use where it is 0."""
    if wanted:
        return wanted
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def run_jobs(
    function: Callable[[J, Progress], R],
    jobs: Sequence[J],
    workers: int,
    progress: Progress,
    sizes: Sequence[float] | None = None,
) -> Iterator[tuple[int, R]]:
    """Yield (index, ``function(job, progress)``) as jobs end, in any order.

    Parameters
    ----------
    function: a module-level function; its result must not depend on which process runs it.
    jobs: what to run; with several workers they are sent to other processes.
    workers: number of processes; 1 runs everything in this one.  Where there are fewer jobs than that, a job
        has several threads for its kernels, so that no more than ``workers`` are busy at a time.
    progress: told of examples as they are done; called in this process.
    sizes: memory of every job, in any unit, where it differs: see :class:`~advsp.runners.waiting.Waiting`.

    A job's exception is raised here, and the remaining jobs are given up.

    Raises
    ------
    InputError: a worker was killed.
    """
    if workers <= 1 or len(jobs) <= 1:
        for index, job in enumerate(jobs):
            with use_threads(workers):
                result = single_threaded(function)(job, progress)
            yield index, result
        return
    processes = min(workers, len(jobs))
    pool: list[_Worker[J, R]] = [_Worker(function, workers // processes) for _ in range(processes)]
    try:
        waiting = Waiting([1.0] * len(jobs) if sizes is None else sizes)
        running: set[int] = set()

        def begin_next(worker: _Worker[J, R]) -> None:
            job = waiting.take(running)
            running.add(job)
            worker.send(job, jobs[job])

        busy = {worker.pipe: worker for worker in pool}
        for worker in pool:
            begin_next(worker)
        while busy:
            ready = wait(list(busy))
            for pipe in [pipe for pipe in busy if pipe in ready]:
                worker = busy[pipe]
                message = worker.receive()
                if isinstance(message, _Told):
                    progress(*message)
                    continue
                if isinstance(message, _Failed):
                    message.error.add_note(message.where)
                    raise message.error
                running.remove(message.job)
                if waiting:
                    begin_next(worker)
                else:
                    del busy[pipe]
                yield message.job, message.result
    finally:
        for worker in pool:
            worker.end()


class _Told(NamedTuple):
    """What a worker says: so many examples done since it last said so, and how it goes."""

    examples: int
    note: str


class _Failed(NamedTuple):
    """What a worker says of a job that raised an error, and where."""

    error: Exception
    where: str


class _Done(NamedTuple, Generic[R]):
    """What a worker says of a job that has ended, by its index."""

    job: int
    result: R


class _Worker(Generic[J, R]):
    """A process with a pipe of its own: no lock is shared, so any worker may die at any time."""

    def __init__(self, function: Callable[[J, Progress], R], threads: int) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, function, threads), daemon=True)
        # The parent decides what an interrupt means and terminates its workers.  They must ignore it from
        # their first moment, so it is ignored here while they start, and only then.
        in_main = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGINT, signal.SIG_IGN) if in_main else None
        try:
            self._process.start()
        finally:
            if in_main:
                signal.signal(signal.SIGINT, before)
        theirs.close()

    def send(self, index: int, job: J) -> None:
        """Give the worker its next job; one that is dead is found out when it is listened to."""
        try:
            self.pipe.send((index, job))
        except OSError:
            return

    def receive(self) -> _Told | _Failed | _Done[R]:
        """The worker's next message."""
        try:
            message: _Told | _Failed | _Done[R] = self.pipe.recv()
            return message
        except (EOFError, OSError):
            self._process.join()
            raise InputError(
                f"a worker process ended with code {self._process.exitcode}, probably for want of memory",
                hint="use fewer workers: --set workers=1; --resume goes on with a training run",
            ) from None

    def end(self) -> None:
        """Stop the process, whatever it is doing."""
        self._process.terminate()
        self._process.join()
        self.pipe.close()


def _serve(pipe: Connection, function: Callable[[J, Progress], R], threads: int) -> None:
    """What a worker process does until it is stopped."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            index, job = pipe.recv()
        except EOFError:
            return
        reporter = _Reporter(pipe)
        try:
            with use_threads(threads):
                result = single_threaded(function)(job, reporter)
        except Exception as error:  # whatever it is, it is raised again in the parent
            pipe.send(_Failed(_sendable(error), traceback.format_exc()))
            return
        reporter.flush()
        pipe.send(_Done(index, result))


def _sendable(error: Exception) -> Exception:
    """The error itself, or one that names it if it cannot travel from one process to another."""
    try:
        ForkingPickler.loads(ForkingPickler.dumps(error))
    except Exception:  # anything may go wrong in an error's own code
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


class _Reporter:
    """Progress that sends what it counted to the parent now and then."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._count, self._note, self._sent = 0, "", time.monotonic()

    def __call__(self, examples: int, note: str = "") -> None:
        self._count, self._note = self._count + examples, note or self._note
        if time.monotonic() - self._sent >= INTERVAL:
            self.flush()

    def flush(self) -> None:
        """Send what there is."""
        if self._count or self._note:
            self._pipe.send(_Told(self._count, self._note))
        self._count, self._note, self._sent = 0, "", time.monotonic()
