"""Independent labels in compiled form: the adversary's best response by count, pruned.

Source: Algorithm 1 of the paper (with GFM, Dembczynski et al., 2011), not sorting anew what the opponent
cannot hit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner
from advsp.kernels.scores import SCORE_RANGE
from advsp.kernels.sorting import ascending, every_position


class LabelTable(NamedTuple):
    """Potentials [n, L] of independent labels, and which labels count, bool [L]."""

    potentials: np.ndarray
    counted: np.ndarray


class Independent(NamedTuple):
    """Independent labels sorted by what counting costs.

    Attributes
    ----------
    table: the potentials themselves.
    plain: float [n], highest potential of an uncounted label at every position.
    extra: float [n], what the best counted label falls short of it.
    order: int64 [n], positions in ascending order of ``extra``.
    first, last: counts within which some labelling is within the score's range of the best.
    short: float [n + 1], by how much the best labelling with k counted labels falls short of the best.
    top: best potential of all.
    """

    table: LabelTable
    plain: np.ndarray
    extra: np.ndarray
    order: np.ndarray
    first: int
    last: int
    short: np.ndarray
    top: float


@inner
def prepare_independent(table):
    """Sort the positions once; time O(n log n)."""
    potentials, counted = table
    n, labels = potentials.shape
    plain, extra = np.full(n, -np.inf), np.full(n, -np.inf)
    for t in range(n):
        for label in range(labels):
            if counted[label]:
                extra[t] = max(extra[t], potentials[t, label])
            else:
                plain[t] = max(plain[t], potentials[t, label])
        extra[t] = plain[t] - extra[t]
    order = every_position(n)
    ascending(extra, order)
    short = np.empty(n + 1)
    favoured = 0
    while favoured < n and extra[order[favoured]] < 0.0:
        favoured += 1
    short[favoured] = 0.0
    for k in range(favoured, n):
        short[k + 1] = short[k] + extra[order[k]]
    for k in range(favoured - 1, -1, -1):
        short[k] = short[k + 1] - extra[order[k]]
    top = 0.0
    for t in range(n):
        top += plain[t] - min(extra[t], 0.0)
    limit = SCORE_RANGE + 1e-9 * max(1.0, abs(top))
    first = last = favoured
    while first > 0 and short[first - 1] <= limit:
        first -= 1
    while last < n and short[last + 1] <= limit:
        last += 1
    return Independent(table, plain, extra, order, first, last, short, top)


@inner
def _split(table, hits, t, weight):
    """Cheapest uncounted label at position ``t``, and what the cheapest counted one costs in addition.

    A hit costs ``weight``.
    """
    plain, counting = np.inf, np.inf
    for label in range(len(hits)):
        cost = weight * hits[label] - table.potentials[t, label]
        if table.counted[label]:
            counting = min(counting, cost)
        else:
            plain = min(plain, cost)
    return plain, counting - plain


@inner
def _weigh(weights, ratio, hits, count):
    """Write the ``weights`` [q] of a hit at every position when one's own count is ``count``."""
    q, groups = hits.mass.shape
    worth = np.zeros(groups)
    for g in range(groups):
        if hits.sizes[g] > 0:
            worth[g] = ratio.scale / (hits.sizes[g] + ratio.share * count)
    for p in range(q):
        total = 0.0
        for g in range(groups):
            total += hits.mass[p, g] * worth[g]
        weights[p] = total


@inner
def _smallest(first, second, sums, k):
    """Sum of the ``k`` smallest of two ascending lists; ``sums`` [len(second) + 1] adds up the second.

    Returns
    -------
    The sum, and how many of them stand in the first list.
    """
    low, high = max(0, k - len(second)), min(k, len(first))
    # The smallest number of the first list whose next one is not wanted.
    while low < high:
        middle = (low + high) // 2
        if first[middle] < second[k - middle - 1]:
            low = middle + 1
        else:
            high = middle
    total = sums[k - low]
    for i in range(low):
        total += first[i]
    return total, low


@inner
def respond_independent(structure, ratio, hits, labels):
    """Write the adversary's best response, ``labels`` int8 [n], to a mixture's ``hits``.

    Only counts within the range of the structure can win.  They are taken from the best potential outwards,
    in the order of what they fall short of it; each is bounded by the cheapest labels at its weights,
    whatever their count is, before anything is sorted.
    """
    table, ratio_hits = structure.table, ratio.hits
    n = len(structure.extra)
    q = len(hits.positions)
    hit = np.zeros(n, dtype=np.bool_)
    plain_rest = 0.0
    for p in range(q):
        hit[hits.positions[p]] = True
    rest = np.empty(n - q)
    places = np.empty(n - q, dtype=np.int64)
    r = 0
    for k in range(n):
        t = structure.order[k]
        if not hit[t]:
            rest[r], places[r] = structure.extra[t], t
            plain_rest -= structure.plain[t]
            r += 1
    sums = np.empty(r + 1)
    sums[0] = 0.0
    lowest, least = 0.0, 0.0
    for k in range(r):
        sums[k + 1] = sums[k] + rest[k]
        least = min(least, sums[k + 1])
    weights, extra, cheap = np.empty(q), np.empty(q), np.empty(q)
    order = every_position(q)
    best, best_count = np.inf, structure.first
    # The count at which nothing falls short, and the two fronts that move away from it.
    up = structure.first
    while up < structure.last and structure.short[up + 1] <= structure.short[up]:
        up += 1
    down = up - 1
    while True:
        above = structure.short[up] if up <= structure.last else np.inf
        below = structure.short[down] if down >= structure.first else np.inf
        if above <= below:
            count, bound = up, above
            up += 1
        else:
            count, bound = down, below
            down -= 1
        if not bound < np.inf:
            break
        constant = ratio.empty * hits.empty if count == 0 else 0.0
        # Rounding must not hide a count that wins by a hair.
        if bound - structure.top - 1e-12 * max(1.0, abs(structure.top)) >= best:
            break
        _weigh(weights, ratio, hits, count)
        plain, lowest = plain_rest, 0.0
        for p in range(q):
            base, more = _split(table, ratio_hits, hits.positions[p], weights[p])
            plain += base
            extra[p] = more
            lowest += min(more, 0.0)
        if plain + lowest + least + constant >= best:
            continue
        ascending(extra, order)
        for p in range(q):
            cheap[p] = extra[order[p]]
        total, _ = _smallest(cheap, rest, sums, count)
        if plain + total + constant < best:
            best, best_count = plain + total + constant, count
    _weigh(weights, ratio, hits, best_count)
    for p in range(q):
        _, extra[p] = _split(table, ratio_hits, hits.positions[p], weights[p])
    ascending(extra, order)
    for p in range(q):
        cheap[p] = extra[order[p]]
    _, taken = _smallest(cheap, rest, sums, best_count)
    choice = np.zeros(n, dtype=np.bool_)
    for k in range(taken):
        choice[hits.positions[order[k]]] = True
    for k in range(best_count - taken):
        choice[places[k]] = True
    p = 0
    for t in range(n):
        weight = 0.0
        if hit[t]:
            weight = weights[p]
            p += 1
        cheapest = np.inf
        for label in range(len(ratio_hits)):
            if table.counted[label] == choice[t]:
                cost = weight * ratio_hits[label] - table.potentials[t, label]
                if cost < cheapest:
                    cheapest = cost
                    labels[t] = label


@inner
def best_independent(structure, labels):
    """Write the ``labels`` int8 [n] of highest potential."""
    for t in range(len(labels)):
        labels[t] = structure.table.potentials[t].argmax()


@inner
def potential_independent(structure, labels):
    """psi of ``labels`` [n]."""
    total = 0.0
    for t in range(len(labels)):
        total += structure.table.potentials[t, labels[t]]
    return total
