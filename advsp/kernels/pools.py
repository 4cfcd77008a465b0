"""A player's strategies as a kernel keeps them: labellings, and where each has labels that can be hit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner


class Pool(NamedTuple):
    """Distinct labellings of one player; arrays are longer than what is in use.

    Attributes
    ----------
    labels: int8 [s, n].
    counts: int64 [s], number of counted labels; of the predictor's, those at other positions among them.
    potentials: float [s], psi of the labellings.
    ends: int64 [s + 1]; the support of labelling i is ``places[ends[i]:ends[i + 1]]``.
    places: int32 [...], positions whose label can be hit, ascending.
    """

    labels: np.ndarray
    counts: np.ndarray
    potentials: np.ndarray
    ends: np.ndarray
    places: np.ndarray


@inner
def new_pool(size, length):
    """Space for ``size`` labellings of ``length`` positions, none in use."""
    return Pool(
        np.empty((size, length), dtype=np.int8),
        np.empty(size, dtype=np.int64),
        np.empty(size),
        np.zeros(size + 1, dtype=np.int64),
        np.empty(8 * size + length, dtype=np.int32),
    )


@inner
def put(pool, used, labels, potential, hits, counted):
    """The pool with one more labelling behind the ``used`` ones, grown where there is no space.

    labels: int8 [n]; potential: float; hits, counted: float [L] and bool [L] of the player's labels.
    """
    length = len(labels)
    size = len(pool.counts)
    if used == size:
        grown = new_pool(2 * size, length)
        for i in range(used):
            for t in range(length):
                grown.labels[i, t] = pool.labels[i, t]
            grown.counts[i], grown.potentials[i] = pool.counts[i], pool.potentials[i]
            grown.ends[i + 1] = pool.ends[i + 1]
        pool = Pool(grown.labels, grown.counts, grown.potentials, grown.ends, pool.places)
    end = pool.ends[used]
    if len(pool.places) < end + length:
        places = np.empty(2 * len(pool.places) + length, dtype=np.int32)
        for k in range(end):
            places[k] = pool.places[k]
        pool = Pool(pool.labels, pool.counts, pool.potentials, pool.ends, places)
    count = 0
    for t in range(length):
        label = labels[t]
        pool.labels[used, t] = label
        if counted[label]:
            count += 1
        if hits[label] != 0.0:
            pool.places[end] = t
            end += 1
    pool.counts[used], pool.potentials[used], pool.ends[used + 1] = count, potential, end
    return pool


@inner
def known(pool, used):
    """Whether the labelling just put behind the ``used`` ones is among them."""
    labels, count = pool.labels, pool.counts[used]
    for i in range(used):
        if pool.counts[i] == count:
            same = True
            for t in range(labels.shape[1]):
                if labels[i, t] != labels[used, t]:
                    same = False
                    break
            if same:
                return True
    return False


class Hits(NamedTuple):
    """A mixture as its opponent sees it: where it can be hit, and how much that is worth.

    Attributes
    ----------
    positions: int32 [q], positions that some strategy in the support labels so that it can be hit, ascending.
    sizes: int64 [g], the distinct numbers of counted labels of the strategies in the support.
    mass: float [q + 1, g], expected hits at a position in strategies of a size; in the last row the
        probability of the strategies of that size.
    empty: probability of the strategies without counted labels.
    """

    positions: np.ndarray
    sizes: np.ndarray
    mass: np.ndarray
    empty: float


@inner
def expected_hits(pool, mixture, used, hits, length):
    """The :class:`Hits` of a mixture over the strategies of a pool.

    mixture: float [>= used]; used: strategies of the pool; hits: float [L], of their labels; length: number
    of positions.
    """
    slot = np.full(length, -1, dtype=np.int32)
    largest = 0
    for i in range(used):
        largest = max(largest, pool.counts[i])
    group = np.full(largest + 1, -1, dtype=np.int32)
    groups = 0
    empty = 0.0
    for i in range(used):
        if mixture[i] > 0.0:
            count = pool.counts[i]
            if count == 0:
                empty += mixture[i]
            if group[count] < 0:
                group[count] = 0
                groups += 1
            for k in range(pool.ends[i], pool.ends[i + 1]):
                slot[pool.places[k]] = 0
    sizes = np.empty(groups, dtype=np.int64)
    groups = 0
    for count in range(largest + 1):
        if group[count] == 0:
            group[count] = groups
            sizes[groups] = count
            groups += 1
    q = 0
    for t in range(length):
        if slot[t] == 0:
            slot[t] = q
            q += 1
    positions = np.empty(q, dtype=np.int32)
    for t in range(length):
        if slot[t] >= 0:
            positions[slot[t]] = t
    mass = np.zeros((q + 1, groups))
    for i in range(used):
        if mixture[i] > 0.0:
            g = group[pool.counts[i]]
            mass[q, g] += mixture[i]
            for k in range(pool.ends[i], pool.ends[i + 1]):
                t = pool.places[k]
                mass[slot[t], g] += mixture[i] * hits[pool.labels[i, t]]
    return Hits(positions, sizes, mass, empty)
