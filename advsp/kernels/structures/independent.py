"""Independent labels in compiled form: the adversary's best response by count, pruned.

Source: Algorithm 1 of the paper (with GFM, Dembczynski et al., 2011), not sorting anew what the opponent
cannot hit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import in_place, inner
from advsp.kernels.scores import expected_offset, weigh
from advsp.kernels.sorting import ascending, every_position
from advsp.kernels.structures.dispatch import (
    every_place,
    register_rows,
    register_structure,
    same_labelling,
    same_labels,
)
from advsp.kernels.twins import twin_of


@twin_of("link-rows")
class LinkRows(NamedTuple):
    """Rows with the potential of S and, where P is a label, that of P.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the pairs.
    width: 1 where P is no label, else 2.
    shapes: int64 [N, 2], words of the two sentences of every pair; of no use here.
    ignored: bool [T], edges on which the adversary must play N.
    """

    offsets: np.ndarray
    width: int
    shapes: np.ndarray
    ignored: np.ndarray


@twin_of("independent")
class LabelTable(NamedTuple):
    """Potentials float [n, L] of independent labels, and which labels count, bool [L]."""

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
def prepare_independent(table, span):
    """Sort the positions once; time O(n log n).

    table: :class:`LabelTable`; span: how far two scores can be apart.
    """
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
    limit = span + 1e-9 * max(1.0, abs(top))
    first = last = favoured
    while first > 0 and short[first - 1] <= limit:
        first -= 1
    while last < n and short[last + 1] <= limit:
        last += 1
    return Independent(table, plain, extra, order, first, last, short, top)


@in_place
def _split(table, hits, t, cost_of_hit):
    """Cheapest uncounted label at position ``t``, and what the cheapest counted one costs in addition.

    hits: float [L], how often a label is hit; a hit costs ``cost_of_hit``.
    """
    plain, counting = np.inf, np.inf
    for label in range(len(hits)):
        cost = cost_of_hit * hits[label] - table.potentials[t, label]
        if table.counted[label]:
            counting = min(counting, cost)
        else:
            plain = min(plain, cost)
    return plain, counting - plain


@inner
def _smallest(first, second, sums, k):
    """Sum of the ``k`` smallest of two ascending lists, float [q] and float [r].

    sums: float [r + 1], adds up the second list.

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


class _Rest(NamedTuple):
    """The positions that a mixture cannot hit, which cost the same at every count.

    Attributes
    ----------
    hit: bool [n], whether a position is none of them.
    extra: float [r], what counting costs in addition, ascending.
    places: int64 [r], the positions in that order.
    sums: float [r + 1], sums of the 0, 1, ... r smallest of ``extra``.
    plain: float, cost of all of them without a counted label.
    least: float, the least of ``sums``.
    """

    hit: np.ndarray
    extra: np.ndarray
    places: np.ndarray
    sums: np.ndarray
    plain: float
    least: float


@inner
def _rest(structure, hits):
    """The :class:`_Rest` of a structure where a mixture's ``hits`` are."""
    n, q = len(structure.extra), len(hits.positions)
    hit = np.zeros(n, dtype=np.bool_)
    for p in range(q):
        hit[hits.positions[p]] = True
    extra, places, sums = np.empty(n - q), np.empty(n - q, dtype=np.int64), np.empty(n - q + 1)
    plain, r = 0.0, 0
    for k in range(n):
        t = structure.order[k]
        if not hit[t]:
            extra[r], places[r] = structure.extra[t], t
            plain -= structure.plain[t]
            r += 1
    sums[0], least = 0.0, 0.0
    for k in range(r):
        sums[k + 1] = sums[k] + extra[k]
        least = min(least, sums[k + 1])
    return _Rest(hit, extra, places, sums, plain, least)


@inner
def respond_independent(structure, score, hits, labels):
    """Write the adversary's best response, ``labels`` int8 [n], to a mixture's ``hits``.

    Only counts within the range of the structure can win.  They are taken from the best potential outwards,
    in the order of what they fall short of it; each is bounded by the cheapest labels at its weights,
    whatever their count is, before anything is sorted.
    """
    table, worth, positions, short = structure.table, score.hits, hits.positions, structure.short
    rest = _rest(structure, hits)
    others, sums = rest.extra, rest.sums
    q = len(positions)
    weights, extra, cheap = np.empty(q), np.empty(q), np.empty(q)
    order = every_position(q)
    best, best_count = np.inf, structure.first
    # The count at which nothing falls short, and the two fronts that move away from it.
    up = structure.first
    while up < structure.last and short[up + 1] <= short[up]:
        up += 1
    down = up - 1
    while True:
        above = short[up] if up <= structure.last else np.inf
        below = short[down] if down >= structure.first else np.inf
        if above <= below:
            count, bound = up, above
            up += 1
        else:
            count, bound = down, below
            down -= 1
        if not bound < np.inf:
            break
        constant = expected_offset(score, hits, count)
        # Rounding must not hide a count that wins by a hair.
        if bound - structure.top + score.lowest - 1e-12 * max(1.0, abs(structure.top)) >= best:
            break
        weigh(weights, score, hits, count)
        plain, lowest = rest.plain, 0.0
        for p in range(q):
            base, extra[p] = _split(table, worth, positions[p], weights[p])
            plain += base
            lowest += min(extra[p], 0.0)
        if plain + lowest + rest.least + constant >= best:
            continue
        ascending(extra, order)
        for p in range(q):
            cheap[p] = extra[order[p]]
        total, _ = _smallest(cheap, others, sums, count)
        if plain + total + constant < best:
            best, best_count = plain + total + constant, count
    weigh(weights, score, hits, best_count)
    _label(table, worth, hits, rest, weights, best_count, labels)


@inner
def _label(table, worth, hits, rest, weights, count, labels):
    """Write the cheapest ``labels`` int8 [n] with ``count`` of them counted.

    worth: float [L], how often a label is hit; weights: float [q], what a hit costs at the positions of
    ``hits``.
    """
    positions, choice = hits.positions, np.zeros(len(labels), dtype=np.bool_)
    q = len(weights)
    extra, cheap, order = np.empty(q), np.empty(q), every_position(q)
    for p in range(q):
        _, extra[p] = _split(table, worth, positions[p], weights[p])
    ascending(extra, order)
    for p in range(q):
        cheap[p] = extra[order[p]]
    _, taken = _smallest(cheap, rest.extra, rest.sums, count)
    for k in range(taken):
        choice[positions[order[k]]] = True
    for k in range(count - taken):
        choice[rest.places[k]] = True
    p = 0
    for t in range(len(labels)):
        cost_of_hit = 0.0
        if rest.hit[t]:
            cost_of_hit = weights[p]
            p += 1
        cheapest = np.inf
        for label in range(len(worth)):
            if table.counted[label] == choice[t]:
                cost = cost_of_hit * worth[label] - table.potentials[t, label]
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


@inner
def table_of_links(rows, example, potentials, counted):
    """The labels N, P and S of a pair's edges, from ``potentials`` float [n, w]."""
    full = np.zeros((len(potentials), 3))
    first = rows.offsets[example]
    for t in range(len(potentials)):
        ignored = rows.ignored[first + t]
        full[t, 1] = -np.inf if ignored or rows.width == 1 else potentials[t, 1]
        full[t, 2] = -np.inf if ignored else potentials[t, 0]
    return LabelTable(full, counted)


@inner
def add_links(rows, example, labelling, mass, moments):
    """Add ``mass`` for every S, and for every P where it is a label, of a labelling int8 [n]."""
    for t in range(len(labelling)):
        if labelling[t] == 2:
            moments[t, 0] += mass
        elif labelling[t] == 1 and rows.width == 2:
            moments[t, 1] += mass


@inner
def places_independent(structure):
    """All positions, int64 [n]."""
    return every_place(len(structure.extra))


register_rows(LinkRows, table_of=table_of_links, add_statistics=add_links)
register_structure(
    LabelTable,
    Independent,
    prepare=prepare_independent,
    respond=respond_independent,
    best=best_independent,
    potential=potential_independent,
    restrict=same_labels,
    expand=same_labelling,
    places=places_independent,
)
