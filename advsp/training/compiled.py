"""The kernels run over all examples: full batches, decoding, and room for passes.

Sums are taken in one order, after all examples are done.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from advsp.support.arrays import plain
from advsp.support.threads import over_chunks

if TYPE_CHECKING:
    from advsp.support.progress import Progress

log = logging.getLogger(__name__)


def evaluate_all(
    loss: NamedTuple, offsets: np.ndarray, potentials: np.ndarray, tolerance: float, progress: Progress
) -> tuple[float, float, np.ndarray]:
    """See :meth:`advsp.training.objective.Loss.evaluate_all`; ``loss`` is one of the kernels'."""
    from advsp.kernels.passes import evaluate_batch

    offsets, potentials, examples = plain(offsets, int), plain(potentials), len(offsets) - 1
    attained, bounds, moments = np.empty(examples), np.empty(examples), np.empty_like(potentials)

    def part(first: int, last: int) -> int:
        return evaluate_batch(loss, offsets, first, last, potentials, tolerance, attained, bounds, moments)

    report_unfinished(sum(over_chunks(part, examples, progress)))
    return float(attained.sum()), float(bounds.sum()), moments


def decode_all(
    loss: NamedTuple,
    number: int,
    offsets: np.ndarray,
    potentials: np.ndarray,
    tolerance: float,
    progress: Progress,
) -> tuple[np.ndarray, np.ndarray]:
    """Equilibria of one game of every example.

    Returns
    -------
    bool [T], the predictor's most probable labelling, and float [T], its probability of a one.
    """
    from advsp.kernels.passes import decode_batch

    offsets, potentials, examples = plain(offsets, int), plain(potentials), len(offsets) - 1
    mode, marginal = np.empty(len(potentials), dtype=bool), np.empty(len(potentials))

    def part(first: int, last: int) -> int:
        return decode_batch(loss, offsets, first, last, number, potentials, tolerance, mode, marginal)

    report_unfinished(sum(over_chunks(part, examples, progress)))
    return mode, marginal


def tag_all(loss: NamedTuple, potentials: np.ndarray, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """The best tags int8 [T] of all sentences, and the probability of every tag, float [T, m]."""
    from advsp.kernels.passes import tag_batch

    potentials = plain(potentials)
    tags, marginals = np.empty(len(potentials), dtype=np.int8), np.empty((len(potentials), loss.rows.tags))

    def part(first: int, last: int) -> None:
        tag_batch(loss, first, last, potentials, tags, marginals)

    over_chunks(part, len(loss.offsets) - 1, progress)
    return tags, marginals


def room(model: NamedTuple, weights: np.ndarray) -> NamedTuple:
    """Room for a sparse gradient of weights [size] of a model of the kernels, all zero."""
    from advsp.kernels.models import ChainMap, Gradient

    if isinstance(model, ChainMap):
        tables = (
            weights[: model.split].reshape(-1, model.tags),
            weights[model.split :].reshape(-1, model.edges),
        )
        alive = np.concatenate([table.any(axis=1) for table in tables])
    else:
        alive = np.ones(1, dtype=bool)
    blocks = len(alive)
    return Gradient(
        np.zeros(len(weights)), np.empty(blocks, dtype=np.int64), np.zeros(blocks, dtype=bool), alive
    )


def report_unfinished(games: int) -> None:
    """Say so where the simplex could not certify its answer; those games end with the gap they had."""
    if games:
        log.warning("%d games ended early: the simplex found no certified answer", games)
