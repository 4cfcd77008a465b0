"""Linear chains in compiled form: pruning, contraction and the adversary's best response by count.

One part is played in the score by the tags of a set, the target, and none by any other.  A chain is first
contracted over the positions that may hold a target (see :class:`Chain`); everything after that works on
patterns, 1 for a target and 0 for any other tag, each of which stands for the best labelling with that
pattern.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import in_place, inner, kernel
from advsp.kernels.max_plus import best_into, best_out_of, best_tag_into, raise_to
from advsp.kernels.scores import expected_offset, least_potential, weight
from advsp.kernels.structures.dispatch import register_rows, register_structure
from advsp.kernels.twins import twin_of


@twin_of("chain-rows")
class ChainRows(NamedTuple):
    """Cells of a token's tags, of START and its tag, and of the tag before and its tag.

    Attributes
    ----------
    tags: number of tags m; the first m cells are the potentials of the token's tags.
    own: whether the next m cells are those of START.
    background: the tag before the sentence where START is none of its own.
    """

    tags: int
    own: bool
    background: int


@twin_of("chain")
class ChainTable(NamedTuple):
    """A chain as it is given.

    Attributes
    ----------
    unary: float [n, m]; pairwise: float [n - 1, m, m]; potentials.
    counted: bool [m], the tags of the target.
    """

    unary: np.ndarray
    pairwise: np.ndarray
    counted: np.ndarray


class Chain(NamedTuple):
    """A chain contracted over its ``a`` active positions: those at which a target may be.

    Attributes
    ----------
    table: the chain itself.
    active: int64 [a], positions whose max-marginal of a target is within the score's range of the best.
    entry: float [m], best potential of everything up to the first active position, by its tag.
    steps: float [a - 1, m, m], best potential of everything after one active position up to the next one.
    tail: float [m], best potential of everything after the last one.
    bounds: float [a + 1], best potential of any labelling with exactly k targets.
    top: best potential of all.
    span: how far two scores can be apart.
    """

    table: ChainTable
    active: np.ndarray
    entry: np.ndarray
    steps: np.ndarray
    tail: np.ndarray
    bounds: np.ndarray
    top: float
    span: float


# --- pruning and contraction ---------------------------------------------------------------------------


@inner
def prepare_chain(table, span):
    """Prune and contract; time O(n m^2) for the pruning, and O(a^2 m^2) for the bounds.

    table: :class:`ChainTable`; span: how far two scores can be apart.
    """
    active, top = _active(table, span)
    a, m = len(active), len(table.counted)
    entry, tail = np.empty(m), np.zeros(m)
    steps = np.empty((max(a - 1, 0), m, m))
    if a == 0:
        return Chain(table, active, entry, steps, tail, np.full(1, top), top, span)
    _enter(table, active[0], entry)
    _leave(table, active[a - 1], tail)
    here, there = np.empty(m), np.empty(m)
    for k in range(a - 1):
        _bridge(table, active[k], active[k + 1], steps[k], here, there)
    scores = np.empty((a, m, a + 1))
    _by_count(entry, steps, np.zeros(a), table.counted, a, scores)
    bounds = np.full(a + 1, -np.inf)
    for k in range(a + 1):
        for c in range(m):
            bounds[k] = max(bounds[k], scores[a - 1, c, k] + tail[c])
    return Chain(table, active, entry, steps, tail, bounds, top, span)


@in_place
def _active(table, span):
    """Positions int64 [a] that may hold a target in a best response, and the best potential of all."""
    unary, pairwise, counted = table
    n, m = unary.shape
    forward, after = np.empty((n, m)), np.empty(m)
    for c in range(m):
        forward[0, c] = unary[0, c]
    for t in range(1, n):
        before = forward[t - 1]
        for c in range(m):
            forward[t, c] = best_into(before, pairwise, t - 1, c) + unary[t, c]
    top = forward[n - 1].max()
    floor = least_potential(top, span)
    active = np.empty(n, dtype=np.int64)
    backward, a = np.zeros(m), np.int64(0)
    # From the right, so that only one position's backward potentials are kept.
    for t in range(n - 1, -1, -1):
        if t < n - 1:
            for c in range(m):
                after[c] = unary[t + 1, c] + backward[c]
            for c in range(m):
                backward[c] = best_out_of(pairwise, t, c, after)
        for c in range(m):
            if counted[c] and forward[t, c] + backward[c] >= floor:
                a += 1
                active[n - a] = t
                break
    return active[n - a :].copy(), top


@in_place
def _enter(table, first, entry):
    """Write the best potential of everything up to position ``first``, without targets before it."""
    unary, pairwise, counted = table
    m = len(entry)
    here, there = np.empty(m), np.empty(m)
    for c in range(m):
        here[c] = unary[0, c]
    for t in range(first):
        _advance(unary, pairwise, counted, t, here, there)
        here, there = there, here
    for c in range(m):
        entry[c] = here[c]


@in_place
def _advance(unary, pairwise, counted, t, here, there):
    """Write the best potentials at position t + 1, float [m], from those at t, where no target may be."""
    m = len(here)
    for c in range(m):
        if counted[c]:
            here[c] = -np.inf
    for c in range(m):
        there[c] = best_into(here, pairwise, t, c) + unary[t + 1, c]


@in_place
def _leave(table, last, tail):
    """Write the best potential of everything after position ``last``, without targets there."""
    unary, pairwise, counted = table
    n, m = unary.shape
    after = np.empty(m)
    for t in range(n - 2, last - 1, -1):
        for c in range(m):
            after[c] = -np.inf if counted[c] else unary[t + 1, c] + tail[c]
        for c in range(m):
            tail[c] = best_out_of(pairwise, t, c, after)


@in_place
def _bridge(table, left, right, step, here, there):
    """Write the best potential of everything after ``left`` up to ``right``, float [m, m], as one ``step``.

    here, there: float [m], to work in.
    """
    unary, pairwise, counted = table
    m = len(here)
    for start in range(m):
        for c in range(m):
            here[c] = pairwise[left, start, c] + unary[left + 1, c]
        for t in range(left + 1, right):
            _advance(unary, pairwise, counted, t, here, there)
            here, there = there, here
        for c in range(m):
            step[start, c] = here[c]


# --- dynamic programs over a contracted chain ----------------------------------------------------------


@inner
def _by_count(entry, steps, weights, counted, max_count, scores):
    """Best potential less the weights of targets, by position, tag and count.

    The dynamic program of Algorithm 2 (LCFM) of the paper for one vector of weights.

    entry: float [m]; steps: float [a - 1, m, m]; weights: float [a]; counted: bool [m]; max_count: int;
    scores: float [a, m, >= max_count + 1], written.
    """
    a, m = len(weights), len(entry)
    for c in range(m):
        scores[0, c, : max_count + 1] = -np.inf
    for c in range(m):
        if not counted[c]:
            scores[0, c, 0] = entry[c]
        elif max_count > 0:
            scores[0, c, 1] = entry[c] - weights[0]
    for t in range(1, a):
        # No more targets than positions so far.
        reach = min(t, max_count)
        for c in range(m):
            line = scores[t, c]
            line[: max_count + 1] = -np.inf
            if counted[c]:
                width = min(reach, max_count - 1) + 1
                if width > 0:
                    shifted = line[1 : width + 1]
                    for b in range(m):
                        raise_to(shifted, scores[t - 1, b], steps[t - 1, b, c] - weights[t], width)
            else:
                for b in range(m):
                    raise_to(line, scores[t - 1, b], steps[t - 1, b, c], reach + 1)


@inner
def _relaxed(chain, weights, bounds):
    """Lower each of ``bounds`` float [K] to the best potential less weights, whatever the count is.

    chain: :class:`Chain`; weights: float [a, K].
    """
    entry, steps, counted = chain.entry, chain.steps, chain.table.counted
    a, width = weights.shape
    m = len(entry)
    score, through = np.empty((m, width)), np.empty((m, width))
    for c in range(m):
        for k in range(width):
            score[c, k] = entry[c]
        if counted[c]:
            for k in range(width):
                score[c, k] -= weights[0, k]
    for t in range(1, a):
        for c in range(m):
            line = through[c]
            step = steps[t - 1, 0, c]
            for k in range(width):
                line[k] = score[0, k] + step
            for b in range(1, m):
                raise_to(line, score[b], steps[t - 1, b, c], width)
            if counted[c]:
                for k in range(width):
                    line[k] -= weights[t, k]
        score, through = through, score
    for k in range(width):
        best = -np.inf
        for c in range(m):
            best = max(best, score[c, k] + chain.tail[c])
        bounds[k] = min(bounds[k], best)


@inner
def _best_pattern(chain, weights, pattern):
    """Write the ``pattern`` int8 [a] of the best labelling less ``weights`` float [a].

    Returns its count and its value.
    """
    entry, steps, counted = chain.entry, chain.steps, chain.table.counted
    a, m = len(weights), len(entry)
    back = np.empty((a, m), dtype=np.int8)
    score, through = entry.copy(), np.empty(m)
    for c in range(m):
        if counted[c]:
            score[c] -= weights[0]
    for t in range(1, a):
        for c in range(m):
            best, back[t, c] = best_tag_into(score, steps, t - 1, c)
            through[c] = best - weights[t] if counted[c] else best
        score, through = through, score
    best, tag = -np.inf, 0
    for c in range(m):
        if score[c] + chain.tail[c] > best:
            best, tag = score[c] + chain.tail[c], c
    count = 0
    for t in range(a - 1, -1, -1):
        pattern[t] = 1 if counted[tag] else 0
        count += pattern[t]
        if t > 0:
            tag = back[t, tag]
    return count, best


@inner
def _best_pattern_of(chain, weights, count, scores, pattern):
    """Write the ``pattern`` int8 [a] of the best labelling less weights with exactly ``count`` targets.

    weights: float [a]; scores: float [a, m, >= count + 1], to work in.  Returns the value.
    """
    entry, steps, counted = chain.entry, chain.steps, chain.table.counted
    a, m = len(weights), len(entry)
    _by_count(entry, steps, weights, counted, count, scores)
    best, tag = -np.inf, 0
    for c in range(m):
        total = scores[a - 1, c, count] + chain.tail[c]
        if total > best:
            best, tag = total, c
    left = count
    for t in range(a - 1, -1, -1):
        pattern[t] = 1 if counted[tag] else 0
        if t > 0:
            left -= pattern[t]
            _, tag = best_tag_into(scores[t - 1, :, left], steps, t - 1, tag)
    return best


# --- what the double oracle asks for -------------------------------------------------------------------


@inner
def respond_chain(chain, score, hits, pattern):
    """Write the adversary's best response, a ``pattern`` int8 [a], to a mixture's ``hits``.

    Algorithm 2 (LCFM) of the paper.  A count is bounded by its best potential without the score, and by the
    best labelling at its weights whatever that one's count is; counts are taken in the order of that bound.
    """
    a = len(chain.active)
    if a == 0:
        return
    first, last = _range_of_counts(chain)
    width = last - first + 1
    weights = np.zeros((a, width))
    q, groups = len(hits.positions), len(hits.sizes)
    for g in range(groups):
        if hits.sizes[g] > 0:
            for k in range(width):
                worth = weight(score, hits.sizes[g], first + k)
                for p in range(q):
                    weights[hits.positions[p], k] += hits.mass[p, g] * worth
    bounds = chain.bounds[first : last + 1].copy()
    _relaxed(chain, weights, bounds)
    for k in range(width):
        bounds[k] -= expected_offset(score, hits, first + k)
    best = -np.inf
    trial = np.empty(a, dtype=np.int8)
    scores = np.empty((a, len(chain.entry), last + 1))
    while True:
        k = bounds.argmax()
        if not bounds[k] > best:
            return
        constant = expected_offset(score, hits, first + k)
        column = weights[:, k].copy()
        count, value = _best_pattern(chain, column, trial)
        if count != first + k:
            value = _best_pattern_of(chain, column, first + k, scores, trial)
        if value - constant > best:
            best = value - constant
            for t in range(a):
                pattern[t] = trial[t]
        bounds[k] = -np.inf


@in_place
def _range_of_counts(chain):
    """The first and the last count with which some labelling is within the score's range of the best."""
    a = len(chain.active)
    floor = least_potential(chain.top, chain.span)
    first, last = a, 0
    for k in range(a + 1):
        if chain.bounds[k] >= floor:
            first, last = min(first, k), max(last, k)
    return first, last


@inner
def best_chain(chain, pattern):
    """Write the ``pattern`` int8 [a] of the labelling of highest potential."""
    if len(chain.active) > 0:
        _best_pattern(chain, np.zeros(len(chain.active)), pattern)


@inner
def potential_chain(chain, pattern):
    """Best potential of a labelling with this ``pattern`` int8 [a]."""
    entry, steps, counted = chain.entry, chain.steps, chain.table.counted
    a, m = len(pattern), len(entry)
    if a == 0:
        return chain.top
    score, through = np.empty(m), np.empty(m)
    for c in range(m):
        score[c] = entry[c] if counted[c] == (pattern[0] == 1) else -np.inf
    for t in range(1, a):
        for c in range(m):
            through[c] = -np.inf
            if counted[c] == (pattern[t] == 1):
                through[c] = best_into(score, steps, t - 1, c)
        score, through = through, score
    best = -np.inf
    for c in range(m):
        best = max(best, score[c] + chain.tail[c])
    return best


@inner
def complete_chain(chain, pattern, tags):
    """Write the best ``tags`` int8 [n] with targets exactly where ``pattern`` int8 [a] has them."""
    unary, pairwise, counted = chain.table
    n, m = unary.shape
    wanted = np.zeros(n, dtype=np.bool_)
    for k in range(len(pattern)):
        wanted[chain.active[k]] = pattern[k] == 1
    back = np.empty((n, m), dtype=np.int8)
    score, through = np.empty(m), np.empty(m)
    for c in range(m):
        score[c] = unary[0, c] if counted[c] == wanted[0] else -np.inf
    for t in range(1, n):
        for c in range(m):
            through[c], back[t, c] = -np.inf, 0
            if counted[c] == wanted[t]:
                best, back[t, c] = best_tag_into(score, pairwise, t - 1, c)
                through[c] = best + unary[t, c]
        score, through = through, score
    tag = score.argmax()
    for t in range(n - 1, -1, -1):
        tags[t] = tag
        if t > 0:
            tag = back[t, tag]


@inner
def pattern_chain(chain, tags, pattern):
    """Write the ``pattern`` int8 [a] of ``tags`` int8 [n]; False if a target stands where it may not."""
    counted = chain.table.counted
    inside, every = 0, 0
    for k in range(len(chain.active)):
        pattern[k] = 1 if counted[tags[chain.active[k]]] else 0
        inside += pattern[k]
    for t in range(len(tags)):
        if counted[tags[t]]:
            every += 1
    return every == inside


@inner
def places_chain(chain):
    """The active positions, int64 [a]."""
    return chain.active


register_structure(
    ChainTable,
    Chain,
    prepare=prepare_chain,
    respond=respond_chain,
    best=best_chain,
    potential=potential_chain,
    restrict=pattern_chain,
    expand=complete_chain,
    places=places_chain,
)


# --- tables of potentials ------------------------------------------------------------------------------


@inner
def first_cells(rows):
    """First cell of a pair of tags, b before c at ``b * m + c`` from there; and first cell of START."""
    m = rows.tags
    return (m + m, m) if rows.own else (m, m + rows.background * m)


@kernel
def chain_table(rows, example, potentials, counted):
    """The chain that a table of potentials stands for.

    rows: :class:`ChainRows`; example: int; potentials: float [n, w]; counted: bool [m].
    """
    n, m = len(potentials), rows.tags
    begin, entry = first_cells(rows)
    unary, pairwise = np.empty((n, m)), np.empty((n - 1, m, m))
    for t in range(n):
        for c in range(m):
            unary[t, c] = potentials[t, c]
        if t > 0:
            for b in range(m):
                for c in range(m):
                    pairwise[t - 1, b, c] = potentials[t, begin + b * m + c]
    for c in range(m):
        unary[0, c] += potentials[0, entry + c]
    return ChainTable(unary, pairwise, counted)


@kernel
def add_tags(rows, example, labelling, mass, moments):
    """Add ``mass`` for every tag and every step of a labelling int8 [n] to ``moments`` float [n, w]."""
    m = rows.tags
    begin, entry = first_cells(rows)
    for t in range(len(labelling)):
        tag = labelling[t]
        moments[t, tag] += mass
        place = entry + tag if t == 0 else begin + labelling[t - 1] * m + tag
        moments[t, place] += mass


register_rows(ChainRows, table_of=chain_table, add_statistics=add_tags)

#: What is played with patterns instead of labels.
OVER_PATTERNS = (ChainTable, ChainRows)
