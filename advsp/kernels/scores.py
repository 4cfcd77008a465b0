"""Scores that are a ratio of hits to counts, and the predictor's best response to them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner
from advsp.kernels.sorting import ascending, every_position


class Ratio(NamedTuple):
    """score(a, y) = scale * sum_t a_t hits[y_t] / (|a| + share * |y|), and ``empty`` when both counts are 0.

    Attributes
    ----------
    hits: float [L]; counted: bool [L]; see :class:`advsp.engine.measures.base.CountMeasure`.
    scale, share: (1 + beta^2) and beta^2 for F-beta, 1 and 1 for 1 - AER.
    """

    hits: np.ndarray
    counted: np.ndarray
    scale: float
    share: float
    empty: float


#: Scores lie in [0, 1].
SCORE_RANGE = 1.0
#: How the predictor's labels 0 and 1 can be hit, and what they count.
ONE_HITS, ONE_COUNTED = np.array([0.0, 1.0]), np.array([False, True])


@inner
def least_potential(top):
    """What a best response has at least, ``top`` being the best potential of all; rounding allowed for."""
    return top - SCORE_RANGE - 1e-9 * max(1.0, abs(top))


@inner
def labels_of_ones():
    """The same two, as arrays of the type that measures have: constants have one of their own."""
    hits, counted = np.zeros(2), np.zeros(2, dtype=np.bool_)
    hits[1], counted[1] = 1.0, True
    return hits, counted


@inner
def score(ratio, rows, i, columns, j):
    """Score of strategy ``i`` of the predictor's pool against strategy ``j`` of the adversary's."""
    ones, count = rows.counts[i], columns.counts[j]
    if ones == 0 and count == 0:
        return ratio.empty
    total = 0.0
    # Whichever of the two has fewer positions to look at.
    if ones <= columns.ends[j + 1] - columns.ends[j]:
        for k in range(rows.ends[i], rows.ends[i + 1]):
            total += ratio.hits[columns.labels[j, rows.places[k]]]
    else:
        for k in range(columns.ends[j], columns.ends[j + 1]):
            t = columns.places[k]
            if rows.labels[i, t] == 1:
                total += ratio.hits[columns.labels[j, t]]
    return total * ratio.scale / (ones + ratio.share * count)


@inner
def predictor_response(ratio, hits, labels):
    """Write the 0/1 ``labels`` [n] of highest expected score against a mixture's ``hits``.

    Algorithm GFM (Dembczynski et al., 2011): for every number of ones, the positions of highest weight.
    The ``weights`` here are negative, so that the highest are first in ascending order.  They shrink as the
    number of ones grows, so sums sorted for one number bound those of all larger ones.
    """
    q, groups = hits.mass.shape
    weights, order = np.empty(q), every_position(q)
    best, best_ones = ratio.empty * hits.empty, 0
    chosen = np.empty(q, dtype=np.int64)
    ones = 1
    while ones <= q:
        for p in range(q):
            total = 0.0
            for g in range(groups):
                total -= hits.mass[p, g] / (ones + ratio.share * hits.sizes[g])
            weights[p] = total * ratio.scale
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
    labels[:] = 0
    for k in range(best_ones):
        labels[hits.positions[chosen[k]]] = 1
