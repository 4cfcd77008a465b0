"""Running the kernels over many examples: chunks over threads, progress in between.

What is computed for an example does not depend on its chunk, and sums are taken afterwards in one order, so
that any number of threads gives the same result.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from advsp.training.objective import Tick

log = logging.getLogger(__name__)

#: Examples handed to a kernel at once, between two calls of a progress bar.
CHUNK = 64

_threads: ContextVar[int] = ContextVar("threads", default=1)


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


def over_chunks(function: Callable[[int, int], object], examples: int, tick: Tick) -> list:
    """``function(first, last)`` of every chunk, in their order; it must let go of the interpreter's lock."""
    parts = list(chunks(examples))
    results = []
    if _threads.get() == 1 or len(parts) == 1:
        for first, last in parts:
            results.append(function(first, last))
            tick(last - first)
        return results
    with ThreadPoolExecutor(_threads.get()) as pool:
        for (first, last), result in zip(parts, pool.map(lambda ends: function(*ends), parts), strict=True):
            results.append(result)
            tick(last - first)
    return results


def evaluate_all(
    loss: NamedTuple, offsets: np.ndarray, potentials: np.ndarray, tolerance: float, tick: Tick
) -> tuple[float, float, np.ndarray]:
    """See :meth:`advsp.training.objective.Loss.evaluate_all`; ``loss`` is one of the kernels'."""
    from advsp.kernels.passes import evaluate_batch

    potentials, examples = np.ascontiguousarray(potentials), len(offsets) - 1
    attained, bounds, moments = np.empty(examples), np.empty(examples), np.empty_like(potentials)

    def part(first: int, last: int) -> int:
        return evaluate_batch(loss, offsets, first, last, potentials, tolerance, attained, bounds, moments)

    report_unfinished(sum(over_chunks(part, examples, tick)))
    return float(attained.sum()), float(bounds.sum()), moments


def decode_all(
    loss: NamedTuple, number: int, offsets: np.ndarray, potentials: np.ndarray, tolerance: float, tick: Tick
) -> tuple[np.ndarray, np.ndarray]:
    """Equilibria of one game of every example.

    Returns
    -------
    bool [T], the predictor's most probable labelling, and float [T], its probability of a one.
    """
    from advsp.kernels.passes import decode_batch

    potentials, examples = np.ascontiguousarray(potentials), len(offsets) - 1
    mode, marginal = np.empty(len(potentials), dtype=bool), np.empty(len(potentials))

    def part(first: int, last: int) -> int:
        return decode_batch(loss, offsets, first, last, number, potentials, tolerance, mode, marginal)

    report_unfinished(sum(over_chunks(part, examples, tick)))
    return mode, marginal


def tag_all(loss: NamedTuple, potentials: np.ndarray, tick: Tick) -> tuple[np.ndarray, np.ndarray]:
    """The best tags int8 [T] of all sentences, and the probability of every tag, float [T, m]."""
    from advsp.kernels.passes import tag_batch

    potentials = np.ascontiguousarray(potentials)
    tags, marginals = np.empty(len(potentials), dtype=np.int8), np.empty((len(potentials), loss.tags))

    def part(first: int, last: int) -> None:
        tag_batch(loss, first, last, potentials, tags, marginals)

    over_chunks(part, len(loss.offsets) - 1, tick)
    return tags, marginals


def room(size: int) -> NamedTuple:
    """Room for a sparse gradient over so many weights, all zero."""
    from advsp.kernels.models import Gradient

    return Gradient(
        np.zeros(size),
        np.empty(size, dtype=np.int64),
        np.zeros(size, dtype=bool),
        np.zeros(size, dtype=np.int64),
    )


def report_unfinished(games: int) -> None:
    """Say so where the simplex could not certify its answer; those games end with the gap they had."""
    if games:
        log.warning("%d games ended early: the simplex found no certified answer", games)
