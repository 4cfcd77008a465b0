"""Threads: one for the numerical libraries, any number for chunks of examples, with progress in between.

What is computed for an example must not depend on its chunk: then any number of threads does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar

from threadpoolctl import threadpool_limits

P = ParamSpec("P")
R = TypeVar("R")

#: Examples handed to a kernel at once, between two calls of a progress bar.
CHUNK = 64

_threads: ContextVar[int] = ContextVar("threads", default=1)


def single_threaded(function: Callable[P, R]) -> Callable[P, R]:
    """Decorator: one inner thread of every numerical library while the function runs.

    No processor has more threads than it can run, and sums have one order.
    """

    @wraps(function)
    def run(*arguments: P.args, **options: P.kwargs) -> R:
        with threadpool_limits(limits=1):
            return function(*arguments, **options)

    return run


@contextmanager
def use_threads(number: int) -> Iterator[None]:
    """Let kernels that run over many examples use so many threads inside the block."""
    token = _threads.set(max(1, number))
    try:
        yield
    finally:
        _threads.reset(token)


def chunks(examples: int) -> Iterator[tuple[int, int]]:
    """Ends of consecutive chunks of examples."""
    for first in range(0, examples, CHUNK):
        yield first, min(first + CHUNK, examples)


def over_chunks(
    function: Callable[[int, int], R], examples: int, progress: Callable[[int], object]
) -> list[R]:
    """``function(first, last)`` of every chunk, in their order.

    ``progress`` is told of the examples just done.  Threads are of use where ``function`` lets go of the
    interpreter's lock.
    """
    parts = list(chunks(examples))
    results = []
    if _threads.get() == 1 or len(parts) == 1:
        for first, last in parts:
            results.append(function(first, last))
            progress(last - first)
        return results
    with ThreadPoolExecutor(_threads.get()) as pool:
        for (first, last), result in zip(parts, pool.map(lambda ends: function(*ends), parts), strict=True):
            results.append(result)
            progress(last - first)
    return results
