"""Scores that are linear in hits at given counts, and the predictor's best response to them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import in_place, inner
from advsp.kernels.sorting import ascending, every_position


class Coefficients(NamedTuple):
    """How hits and counts make a score: in closed form, or by tables for every number of positions.

    In closed form, score = scale * hits / (ones + share * count), and ``empty`` when both counts are 0.

    Attributes
    ----------
    closed: whether it is the closed form; the tables are empty then.
    scale, share, empty: of the closed form.
    starts: int64 [longest + 1], where the tables for n positions begin; -1 where there are none.
    tables: float [...], alpha and beta [2, n + 1, n + 1] by the counts of both players, for one n behind the
        other; beta is minus infinity where the predictor may not place so many ones.
    lowest, span: the least score, and how far two scores can be apart.
    """

    closed: bool
    scale: float
    share: float
    empty: float
    starts: np.ndarray
    tables: np.ndarray
    lowest: float
    span: float


class Score(NamedTuple):
    """A score in a game of so many positions.

    It goes from kernel to kernel, and its arrays and their dimensions cost something there.

    Attributes
    ----------
    hits: float [L]; counted: bool [L]; see :class:`advsp.engine.measures.roles.Roles`.
    tables: float [2 * width * width], alpha and beta of this length, row by row; [0] for the closed form.
    width: n + 1, 0 for the closed form.
    closed, scale, share, empty, lowest, span: see :class:`Coefficients`.
    """

    hits: np.ndarray
    counted: np.ndarray
    tables: np.ndarray
    width: int
    closed: bool
    scale: float
    share: float
    empty: float
    lowest: float
    span: float


#: How the predictor's labels 0 and 1 can be hit, and what they count.
ONE_HITS, ONE_COUNTED = np.array([0.0, 1.0]), np.array([False, True])


@inner
def score_of(coefficients, hits, counted, length):
    """The :class:`Score` of labels with ``hits`` float [L], ``counted`` bool [L] in ``length`` positions."""
    width = 0 if coefficients.closed else length + 1
    start = 0 if coefficients.closed else coefficients.starts[length]
    return Score(
        hits,
        counted,
        coefficients.tables[start : start + 2 * width * width],
        width,
        coefficients.closed,
        coefficients.scale,
        coefficients.share,
        coefficients.empty,
        coefficients.lowest,
        coefficients.span,
    )


@in_place
def least_potential(top, span):
    """What a best response has at least, ``top`` being the best potential of all; rounding allowed for."""
    return top - span - 1e-9 * max(1.0, abs(top))


@inner
def labels_of_ones():
    """Hits float [2] and counted bool [2] of the predictor's labels, as arrays of the type measures have.

    Constants have a type of their own.
    """
    hits, counted = np.zeros(2), np.zeros(2, dtype=np.bool_)
    hits[1], counted[1] = 1.0, True
    return hits, counted


@in_place
def alpha(score, ones, count):
    """What a hit is worth at counts of the predictor and of the adversary, where there are tables."""
    return score.tables[ones * score.width + count]


@in_place
def beta(score, ones, count):
    """What the counts are worth by themselves, where there are tables."""
    return score.tables[(score.width + ones) * score.width + count]


@in_place
def weight(score, ones, count):
    """alpha at counts of the predictor and of the adversary, the latter positive in closed form."""
    if score.closed:
        return score.scale / (ones + score.share * count)
    return alpha(score, ones, count)


@in_place
def weigh(weights, score, hits, count):
    """Write what a hit costs at every position of ``hits``, ``weights`` float [q], with ``count`` counted."""
    q, groups = len(hits.positions), len(hits.sizes)
    worth = np.zeros(groups)
    for g in range(groups):
        if hits.sizes[g] > 0:
            worth[g] = weight(score, hits.sizes[g], count)
    for p in range(q):
        total = 0.0
        for g in range(groups):
            total += hits.mass[p, g] * worth[g]
        weights[p] = total


@in_place
def worth(score, mass, hits, ones, count):
    """``mass`` times the score of so many ``hits`` (float) at counts ``ones`` and ``count`` (int)."""
    if not score.closed:
        return mass * (hits * alpha(score, ones, count) + beta(score, ones, count))
    if ones == 0 and count == 0:
        return mass * score.empty
    return mass * hits * score.scale / (ones + score.share * count)


@in_place
def permitted(score, ones):
    """Whether the predictor may place so many ones."""
    return score.closed or beta(score, ones, 0) > -np.inf


@in_place
def expected_offset(score, hits, count):
    """The part of the adversary's cost that hits do not make, with ``count`` labels counted.

    hits: :class:`~advsp.kernels.pools.Hits` of the predictor's mixture.
    """
    if score.closed:
        return score.empty * hits.empty if count == 0 else 0.0
    total = 0.0
    for g in range(len(hits.sizes)):
        total += hits.mass[-1, g] * beta(score, hits.sizes[g], count)
    return total


@in_place
def score_pair(score, rows, i, columns, j):
    """Score of strategy ``i`` of the predictor's pool against strategy ``j`` of the adversary's."""
    ones, count = rows.counts[i], columns.counts[j]
    total = 0.0
    # Whichever of the two has fewer positions to look at.
    if ones <= columns.ends[j + 1] - columns.ends[j]:
        for k in range(rows.ends[i], rows.ends[i + 1]):
            total += score.hits[columns.labels[j, rows.places[k]]]
    else:
        for k in range(columns.ends[j], columns.ends[j + 1]):
            t = columns.places[k]
            if rows.labels[i, t] == 1:
                total += score.hits[columns.labels[j, t]]
    return worth(score, 1.0, total, ones, count)


@in_place
def predictor_response(score, hits, labels):
    """Write the 0/1 ``labels`` int8 [p] of highest expected score against a mixture's ``hits``.

    Returns
    -------
    The number of ones.  It may be larger than that of ``labels``: the others stand anywhere else.
    """
    if score.closed:
        return _by_falling_weights(score, hits, labels)
    return _by_every_count(score, hits, labels)


@inner
def _by_falling_weights(score, hits, labels):
    """:func:`predictor_response` in closed form.

    Algorithm GFM (Dembczynski et al., 2011): for every number of ones, the positions of highest weight.
    The ``weights`` here are negative, so that the highest are first in ascending order.  They shrink as the
    number of ones grows, so sums sorted for one number bound those of all larger ones.
    """
    q, groups = len(hits.positions), len(hits.sizes)
    labels[:] = 0
    best, best_ones = score.empty * hits.empty, np.int64(0)
    if q == 0:
        return best_ones
    weights, order = np.empty(q), every_position(q)
    chosen = np.empty(q, dtype=np.int64)
    ones = 1
    while ones <= q:
        for p in range(q):
            total = 0.0
            for g in range(groups):
                total -= hits.mass[p, g] / (ones + score.share * hits.sizes[g])
            weights[p] = total * score.scale
        ascending(weights, order)
        total = 0.0
        for k in range(ones):
            total -= weights[order[k]]
        if total > best:
            best, best_ones = total, ones
            for k in range(ones):
                chosen[k] = order[k]
        # The next number of ones whose bound is better than the best so far.
        ones += 1
        while ones <= q:
            total -= weights[order[ones - 1]]
            if total > best:
                break
            ones += 1
    for k in range(best_ones):
        labels[hits.positions[chosen[k]]] = 1
    return best_ones


@inner
def _by_every_count(score, hits, labels):
    """:func:`predictor_response` by tables: every permitted number of ones, those without hits among them."""
    q, groups = len(hits.positions), len(hits.sizes)
    weights, order = np.empty(q), every_position(q)
    chosen = np.empty(q, dtype=np.int64)
    best, best_ones = -np.inf, np.int64(0)
    for ones in range(score.width):
        total = 0.0
        for g in range(groups):
            total += hits.mass[q, g] * beta(score, ones, hits.sizes[g])
        if not total > -np.inf:
            continue
        for p in range(q):
            expected = 0.0
            for g in range(groups):
                expected -= hits.mass[p, g] * alpha(score, ones, hits.sizes[g])
            weights[p] = expected
        ascending(weights, order)
        for k in range(min(ones, q)):
            total -= weights[order[k]]
        if total > best:
            best, best_ones = total, ones
            for k in range(min(ones, q)):
                chosen[k] = order[k]
    labels[:] = 0
    for k in range(min(best_ones, q)):
        labels[hits.positions[chosen[k]]] = 1
    left = best_ones - min(best_ones, q)
    for t in range(len(labels)):
        if left > 0 and labels[t] == 0:
            labels[t] = 1
            left -= 1
    return best_ones
