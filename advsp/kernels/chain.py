"""Linear chains in compiled form: pruning, contraction and the adversary's best response by count.

Exactly one tag, the target, takes part in the score.  A chain is first contracted over the positions that
may hold it (see :class:`Chain`); everything after that works on patterns, 1 for the target and 0 for any
other tag, each of which stands for the best labelling with that pattern.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner
from advsp.kernels.scores import least_potential


class ChainTable(NamedTuple):
    """A chain as it is given: potentials ``unary`` [n, m], ``pairwise`` [n - 1, m, m], and the target tag."""

    unary: np.ndarray
    pairwise: np.ndarray
    target: int


class Chain(NamedTuple):
    """A chain contracted over its ``a`` active positions: those at which the target may be.

    Attributes
    ----------
    table: the chain itself.
    active: int64 [a], positions whose max-marginal of the target is within the score's range of the best.
    entry: float [m], best potential of everything up to the first active position, by its tag.
    steps: float [a - 1, m, m], best potential of everything after one active position up to the next one.
    tail: float [m], best potential of everything after the last one.
    bounds: float [a + 1], best potential of any labelling with exactly k targets.
    top: best potential of all.
    """

    table: ChainTable
    active: np.ndarray
    entry: np.ndarray
    steps: np.ndarray
    tail: np.ndarray
    bounds: np.ndarray
    top: float


@inner
def prepare_chain(table):
    """Prune and contract; time O(n m^2) for the pruning, and O(a^2 m^2) for the bounds."""
    unary, pairwise, target = table
    n, m = unary.shape
    forward, backward = np.empty((n, m)), np.zeros((n, m))
    for c in range(m):
        forward[0, c] = unary[0, c]
    for t in range(1, n):
        for c in range(m):
            best = forward[t - 1, 0] + pairwise[t - 1, 0, c]
            for b in range(1, m):
                best = max(best, forward[t - 1, b] + pairwise[t - 1, b, c])
            forward[t, c] = best + unary[t, c]
    for t in range(n - 2, -1, -1):
        for c in range(m):
            best = -np.inf
            for b in range(m):
                best = max(best, pairwise[t, c, b] + (unary[t + 1, b] + backward[t + 1, b]))
            backward[t, c] = best
    top = forward[n - 1].max()
    floor = least_potential(top)
    active = np.empty(n, dtype=np.int64)
    a = np.int64(0)
    for t in range(n):
        if forward[t, target] + backward[t, target] >= floor:
            active[a] = t
            a += 1
    active = active[:a].copy()
    entry, tail = np.empty(m), np.zeros(m)
    steps = np.empty((max(a - 1, 0), m, m))
    if a == 0:
        return Chain(table, active, entry, steps, tail, np.full(1, top), top)
    here, there = np.empty(m), np.empty(m)
    for c in range(m):
        here[c] = unary[0, c]
    for t in range(active[0]):
        here[target] = -np.inf
        for c in range(m):
            best = here[0] + pairwise[t, 0, c]
            for b in range(1, m):
                best = max(best, here[b] + pairwise[t, b, c])
            there[c] = best + unary[t + 1, c]
        here, there = there, here
    for c in range(m):
        entry[c] = here[c]
    for t in range(n - 2, active[a - 1] - 1, -1):
        for c in range(m):
            best = -np.inf
            for b in range(m):
                if b != target:
                    best = max(best, pairwise[t, c, b] + (unary[t + 1, b] + tail[b]))
            there[c] = best
        for c in range(m):
            tail[c] = there[c]
    for k in range(a - 1):
        left, right = active[k], active[k + 1]
        for start in range(m):
            for c in range(m):
                here[c] = pairwise[left, start, c] + unary[left + 1, c]
            for t in range(left + 1, right):
                here[target] = -np.inf
                for c in range(m):
                    best = here[0] + pairwise[t, 0, c]
                    for b in range(1, m):
                        best = max(best, here[b] + pairwise[t, b, c])
                    there[c] = best + unary[t + 1, c]
                here, there = there, here
            for c in range(m):
                steps[k, start, c] = here[c]
    weights = np.zeros(a)
    scores = np.empty((a, m, a + 1))
    _by_count(entry, steps, weights, target, a, scores)
    bounds = np.full(a + 1, -np.inf)
    for k in range(a + 1):
        for c in range(m):
            bounds[k] = max(bounds[k], scores[a - 1, c, k] + tail[c])
    return Chain(table, active, entry, steps, tail, bounds, top)


@inner
def _by_count(entry, steps, weights, target, most, scores):
    """Best potential less ``weights`` [a] of targets, ``scores`` [a, m, most + 1] by position, tag, count.

    The dynamic program of Algorithm 2 (LCFM) of the paper for one vector of weights.
    """
    a, m = len(weights), len(entry)
    for c in range(m):
        scores[0, c, : most + 1] = -np.inf
    for c in range(m):
        if c != target:
            scores[0, c, 0] = entry[c]
        elif most > 0:
            scores[0, c, 1] = entry[c] - weights[0]
    for t in range(1, a):
        # No more targets than positions so far.
        reach = min(t, most)
        for c in range(m):
            line = scores[t, c]
            line[: most + 1] = -np.inf
            if c == target:
                room = min(reach, most - 1) + 1
                if room > 0:
                    shifted = line[1 : room + 1]
                    for b in range(m):
                        step = steps[t - 1, b, c] - weights[t]
                        before = scores[t - 1, b]
                        for r in range(room):
                            through = before[r] + step
                            shifted[r] = through if through > shifted[r] else shifted[r]
            else:
                for b in range(m):
                    step = steps[t - 1, b, c]
                    before = scores[t - 1, b]
                    for r in range(reach + 1):
                        through = before[r] + step
                        line[r] = through if through > line[r] else line[r]


@inner
def _relaxed(chain, weights, bounds):
    """Lower each of ``bounds`` [K] to the best potential less ``weights`` [a, K], whatever the count is."""
    entry, steps, target = chain.entry, chain.steps, chain.table.target
    a, width = weights.shape
    m = len(entry)
    score, through = np.empty((m, width)), np.empty((m, width))
    for c in range(m):
        for k in range(width):
            score[c, k] = entry[c]
        if c == target:
            for k in range(width):
                score[c, k] -= weights[0, k]
    for t in range(1, a):
        for c in range(m):
            line = through[c]
            step = steps[t - 1, 0, c]
            for k in range(width):
                line[k] = score[0, k] + step
            for b in range(1, m):
                step = steps[t - 1, b, c]
                before = score[b]
                for k in range(width):
                    other = before[k] + step
                    line[k] = other if other > line[k] else line[k]
            if c == target:
                for k in range(width):
                    line[k] -= weights[t, k]
        score, through = through, score
    for k in range(width):
        best = -np.inf
        for c in range(m):
            best = max(best, score[c, k] + chain.tail[c])
        bounds[k] = min(bounds[k], best)


@inner
def _viterbi_pattern(chain, weights, pattern):
    """Write the ``pattern`` [a] of the best labelling less ``weights`` [a]; its count and its value."""
    entry, steps, target = chain.entry, chain.steps, chain.table.target
    a, m = len(weights), len(entry)
    back = np.empty((a, m), dtype=np.int8)
    score, through = entry.copy(), np.empty(m)
    score[target] -= weights[0]
    for t in range(1, a):
        for c in range(m):
            best, tag = score[0] + steps[t - 1, 0, c], 0
            for b in range(1, m):
                other = score[b] + steps[t - 1, b, c]
                if other > best:
                    best, tag = other, b
            back[t, c] = tag
            through[c] = best - weights[t] if c == target else best
        score, through = through, score
    best, tag = -np.inf, 0
    for c in range(m):
        if score[c] + chain.tail[c] > best:
            best, tag = score[c] + chain.tail[c], c
    count = 0
    for t in range(a - 1, -1, -1):
        pattern[t] = 1 if tag == target else 0
        count += pattern[t]
        if t > 0:
            tag = back[t, tag]
    return count, best


@inner
def _decode(chain, weights, count, scores, pattern):
    """Write the ``pattern`` [a] of the best labelling with exactly ``count`` targets; its value.

    ``scores`` is room for the dynamic program.
    """
    entry, steps, target = chain.entry, chain.steps, chain.table.target
    a, m = len(weights), len(entry)
    _by_count(entry, steps, weights, target, count, scores)
    best, tag = -np.inf, 0
    for c in range(m):
        total = scores[a - 1, c, count] + chain.tail[c]
        if total > best:
            best, tag = total, c
    room = count
    for t in range(a - 1, -1, -1):
        pattern[t] = 1 if tag == target else 0
        if t > 0:
            room -= pattern[t]
            here, left = -np.inf, 0
            for b in range(m):
                through = scores[t - 1, b, room] + steps[t - 1, b, tag]
                if through > here:
                    here, left = through, b
            tag = left
    return best


@inner
def respond_chain(chain, ratio, hits, pattern):
    """Write the adversary's best response, a ``pattern`` [a], to a mixture's ``hits``.

    Algorithm 2 (LCFM) of the paper.  A count is bounded by its best potential without the score, and by the
    best labelling at its weights whatever that one's count is; counts are taken in the order of that bound.
    """
    a = len(chain.active)
    if a == 0:
        return
    floor = least_potential(chain.top)
    first, last = a, 0
    for k in range(a + 1):
        if chain.bounds[k] >= floor:
            first, last = min(first, k), max(last, k)
    width = last - first + 1
    weights = np.zeros((a, width))
    q, groups = hits.mass.shape
    for g in range(groups):
        for k in range(width):
            worth = ratio.scale / (hits.sizes[g] + ratio.share * (first + k)) if hits.sizes[g] > 0 else 0.0
            for p in range(q):
                weights[hits.positions[p], k] += hits.mass[p, g] * worth
    bounds = chain.bounds[first : last + 1].copy()
    _relaxed(chain, weights, bounds)
    if first == 0:
        bounds[0] -= ratio.empty * hits.empty
    best = -np.inf
    trial = np.empty(a, dtype=np.int8)
    scores = np.empty((a, len(chain.entry), last + 1))
    while True:
        k = bounds.argmax()
        if not bounds[k] > best:
            return
        constant = ratio.empty * hits.empty if first + k == 0 else 0.0
        column = weights[:, k].copy()
        count, value = _viterbi_pattern(chain, column, trial)
        if count != first + k:
            value = _decode(chain, column, first + k, scores, trial)
        if value - constant > best:
            best = value - constant
            for t in range(a):
                pattern[t] = trial[t]
        bounds[k] = -np.inf


@inner
def best_chain(chain, pattern):
    """Write the ``pattern`` [a] of the labelling of highest potential."""
    if len(chain.active) > 0:
        _viterbi_pattern(chain, np.zeros(len(chain.active)), pattern)


@inner
def potential_chain(chain, pattern):
    """Best potential of a labelling with this ``pattern`` [a]."""
    entry, steps, target = chain.entry, chain.steps, chain.table.target
    a, m = len(pattern), len(entry)
    if a == 0:
        return chain.top
    score, through = np.empty(m), np.empty(m)
    for c in range(m):
        score[c] = entry[c] if (c == target) == (pattern[0] == 1) else -np.inf
    for t in range(1, a):
        for c in range(m):
            best = -np.inf
            if (c == target) == (pattern[t] == 1):
                for b in range(m):
                    best = max(best, score[b] + steps[t - 1, b, c])
            through[c] = best
        score, through = through, score
    best = -np.inf
    for c in range(m):
        best = max(best, score[c] + chain.tail[c])
    return best


@inner
def complete_chain(chain, pattern, tags):
    """Write the best ``tags`` int8 [n] with the target exactly where ``pattern`` [a] has it."""
    unary, pairwise, target = chain.table
    n, m = unary.shape
    wanted = np.zeros(n, dtype=np.bool_)
    for k in range(len(pattern)):
        wanted[chain.active[k]] = pattern[k] == 1
    back = np.empty((n, m), dtype=np.int8)
    score, through = np.empty(m), np.empty(m)
    for c in range(m):
        score[c] = unary[0, c] if (c == target) == wanted[0] else -np.inf
    for t in range(1, n):
        for c in range(m):
            best, tag = -np.inf, 0
            if (c == target) == wanted[t]:
                for b in range(m):
                    other = score[b] + pairwise[t - 1, b, c]
                    if other > best:
                        best, tag = other, b
            back[t, c] = tag
            through[c] = best + unary[t, c]
        score, through = through, score
    tag = score.argmax()
    for t in range(n - 1, -1, -1):
        tags[t] = tag
        if t > 0:
            tag = back[t, tag]


@inner
def pattern_chain(chain, tags, pattern):
    """Write the ``pattern`` [a] of ``tags`` [n]; False if the target stands where it may not."""
    target = chain.table.target
    inside, every = 0, 0
    for k in range(len(chain.active)):
        pattern[k] = 1 if tags[chain.active[k]] == target else 0
        inside += pattern[k]
    for t in range(len(tags)):
        if tags[t] == target:
            every += 1
    return every == inside
