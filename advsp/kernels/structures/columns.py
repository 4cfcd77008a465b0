"""Column chains in compiled form: the adversary's best response by count, over the states that can be in one.

The twin of :mod:`advsp.engine.structures.column_chain`, whose states and steps are those of here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import in_place, inner
from advsp.kernels.scores import expected_offset, least_potential, weigh
from advsp.kernels.sorting import ascending, every_position
from advsp.kernels.structures.dispatch import (
    every_place,
    register_rows,
    register_structure,
    same_labelling,
    same_labels,
)
from advsp.kernels.structures.independent import LinkRows, add_links, table_of_links
from advsp.kernels.twins import twin_of


@twin_of("column-rows")
class ColumnRows(NamedTuple):
    """As :class:`~advsp.kernels.structures.independent.LinkRows`; potentials of steps stand behind those."""

    offsets: np.ndarray
    width: int
    shapes: np.ndarray
    ignored: np.ndarray


@twin_of("column-chain")
class ColumnTable(NamedTuple):
    """Potentials of edges and of steps.

    Attributes
    ----------
    potentials: float [words * columns, L], row-major.
    steps: float [columns - 1, 3], of monotone, swap and stay.
    words, columns: of the source and of the target sentence.
    counted: bool [L], which labels count.
    """

    potentials: np.ndarray
    steps: np.ndarray
    words: int
    columns: int
    counted: np.ndarray


class States(NamedTuple):
    """States of columns, those of a column one behind the other.

    Attributes
    ----------
    ends: int64 [columns + 1]; column f has the states from ends[f] to ends[f + 1].
    first, last: int64 [s], words with a link, -1 where there is none.
    labels: int8 [s, 2], labels of the two, 0 where there is no such link.
    moved: int64 [s], how many of them count otherwise than no link does.
    gains: float [s], what they add to the potential of no link in the column.
    """

    ends: np.ndarray
    first: np.ndarray
    last: np.ndarray
    labels: np.ndarray
    moved: np.ndarray
    gains: np.ndarray


class Columns(NamedTuple):
    """What responses are found by.

    Attributes
    ----------
    table: the potentials themselves.
    states: those that may be in a best response.
    reach: float [R], highest potential with so many counted labels.
    order: int64 [R], from the highest of them down.
    top: highest potential of all.
    """

    table: ColumnTable
    states: States
    reach: np.ndarray
    order: np.ndarray
    top: float


@inner
def every_state(table):
    """All states that potentials do not forbid."""
    labels = len(table.counted) - 1
    most = 1 + table.words * labels + (table.words - 1) * labels * labels
    ends = np.zeros(table.columns + 1, dtype=np.int64)
    first, last = (
        np.empty(most * table.columns, dtype=np.int64),
        np.empty(most * table.columns, dtype=np.int64),
    )
    pair, moved = (
        np.zeros((most * table.columns, 2), dtype=np.int8),
        np.zeros(most * table.columns, dtype=np.int64),
    )
    gains = np.zeros(most * table.columns)
    s = 0
    for f in range(table.columns):
        first[s] = last[s] = -1
        s += 1
        for e in range(table.words):
            for one in range(1, labels + 1):
                gain = _gain(table, e, f, one)
                if gain == -np.inf:
                    continue
                first[s] = last[s] = e
                pair[s, 0], moved[s], gains[s] = one, _moves(table, one), gain
                s += 1
                if e + 1 == table.words:
                    continue
                for two in range(1, labels + 1):
                    more = _gain(table, e + 1, f, two)
                    if more > -np.inf:
                        first[s], last[s] = e, e + 1
                        pair[s, 0], pair[s, 1] = one, two
                        moved[s], gains[s] = _moves(table, one) + _moves(table, two), gain + more
                        s += 1
        ends[f + 1] = s
    return States(ends, first[:s], last[:s], pair[:s], moved[:s], gains[:s])


@in_place
def _gain(table, e, f, label):
    """What a label of an edge adds to the potential of no link."""
    edge = e * table.columns + f
    return table.potentials[edge, label] - table.potentials[edge, 0]


@in_place
def _moves(table, label):
    """1 if a label counts and no link does not, or the other way round."""
    return 1 if table.counted[label] != table.counted[0] else 0


@in_place
def step_kind(first, last, then, at_last):
    """The step from words ``first`` to ``last`` to those of a next column: 0 for none, else 1 + number."""
    if first < 0 or then < 0:
        return 0
    if then == last + 1:
        return 1
    if at_last + 1 == first:
        return 2
    if then <= last and at_last >= first:
        return 3
    return 0


@in_place
def _step(steps, first, last, then, at_last):
    """Potential of that step; steps: float [3]."""
    kind = step_kind(first, last, then, at_last)
    return 0.0 if kind == 0 else steps[kind - 1]


@inner
def _between(table, states, f, i, j):
    """Potential of the step from state i of column f to state j of the next."""
    return _step(table.steps[f], states.first[i], states.last[i], states.first[j], states.last[j])


@inner
def _those(states, kept):
    """The states of which ``kept`` bool [s] says so."""
    ends = np.zeros_like(states.ends)
    for f in range(len(ends) - 1):
        ends[f + 1] = ends[f]
        for s in range(states.ends[f], states.ends[f + 1]):
            if kept[s]:
                ends[f + 1] += 1
    return States(
        ends,
        states.first[kept],
        states.last[kept],
        states.labels[kept],
        states.moved[kept],
        states.gains[kept],
    )


@inner
def _likely_states(table, states, span):
    """Without those that fall short of the best of their columns by more than all steps can make good."""
    kept = np.zeros(len(states.gains), dtype=np.bool_)
    above, before = span, np.int64(0)
    for f in range(table.columns):
        best = states.ends[f] + states.gains[states.ends[f] : states.ends[f + 1]].argmax()
        if f > 0:
            above += max(0.0, table.steps[f - 1].max()) - _between(table, states, f - 1, before, best)
        before = best
    for f in range(table.columns):
        gains = states.gains[states.ends[f] : states.ends[f + 1]]
        least = least_potential(gains.max(), above)
        for s in range(states.ends[f], states.ends[f + 1]):
            kept[s] = states.gains[s] >= least
    return _those(states, kept)


@inner
def _states_in_play(table, states, span):
    """The states whose best labelling falls short of the best of all by at most ``span``: max-marginals."""
    ends, forward, backward = states.ends, states.gains.copy(), np.zeros(len(states.gains))
    for f in range(1, table.columns):
        for j in range(ends[f], ends[f + 1]):
            best = -np.inf
            for i in range(ends[f - 1], ends[f]):
                best = max(best, forward[i] + _between(table, states, f - 1, i, j))
            forward[j] += best
    for f in range(table.columns - 2, -1, -1):
        for i in range(ends[f], ends[f + 1]):
            best = -np.inf
            for j in range(ends[f + 1], ends[f + 2]):
                best = max(best, _between(table, states, f, i, j) + states.gains[j] + backward[j])
            backward[i] = best
    marginals = forward + backward
    kept = np.zeros(len(marginals), dtype=np.bool_)
    for f in range(table.columns):
        least = least_potential(marginals[ends[f] : ends[f + 1]].max(), span)
        for s in range(ends[f], ends[f + 1]):
            kept[s] = marginals[s] >= least
    return _those(states, kept)


@inner
def prepare_columns(table, span):
    """Leave out what no best response has.

    table: :class:`ColumnTable`; span: how far two scores can be apart.
    """
    states = _states_in_play(table, _likely_states(table, every_state(table), span), span)
    most = 1
    for f in range(table.columns):
        most += states.moved[states.ends[f] : states.ends[f + 1]].max()
    scores = np.empty((len(states.gains), most))
    _fill(table, states, states.gains, most, scores)
    nothing = table.potentials[:, 0].sum()
    reach = np.full(most, -np.inf)
    for s in range(states.ends[table.columns - 1], states.ends[table.columns]):
        for number in range(most):
            reach[number] = max(reach[number], nothing + scores[s, number])
    order = every_position(most)
    ascending(-reach, order)
    return Columns(table, states, reach, order, reach.max())


@inner
def _fill(table, states, gains, numbers, scores):
    """Write the highest gain of the columns up to each by its state and the number of counted labels so far.

    gains: float [s]; scores: float [s, >= numbers].
    """
    ends = states.ends
    scores[:, :numbers] = -np.inf
    for j in range(ends[0], ends[1]):
        if states.moved[j] < numbers:
            scores[j, states.moved[j]] = gains[j]
    for f in range(1, table.columns):
        for j in range(ends[f], ends[f + 1]):
            moved = states.moved[j]
            for i in range(ends[f - 1], ends[f]):
                more = _between(table, states, f - 1, i, j) + gains[j]
                for number in range(moved, numbers):
                    scores[j, number] = max(scores[j, number], scores[i, number - moved] + more)


@inner
def _trace(table, states, gains, number, scores, labels):
    """Write the ``labels`` int8 [n] that attain the highest score with so many counted labels."""
    labels[:] = 0
    f = table.columns - 1
    best = states.ends[f] + scores[states.ends[f] : states.ends[f + 1], number].argmax()
    while True:
        if states.first[best] >= 0:
            labels[states.first[best] * table.columns + f] = states.labels[best, 0]
            if states.labels[best, 1] > 0:
                labels[states.last[best] * table.columns + f] = states.labels[best, 1]
        number -= states.moved[best]
        if f == 0:
            break
        f -= 1
        after, highest = best, -np.inf
        for i in range(states.ends[f], states.ends[f + 1]):
            value = scores[i, number] + _between(table, states, f, i, after)
            if value > highest:
                highest, best = value, i


@inner
def _charge(structure, score, hits, weights, slots, gains):
    """Write ``gains`` float [s] less what hits cost; returns what no link at all costs less its potential.

    weights: float [q], cost of a hit; slots: int64 [n], where in ``hits`` an edge is, or -1.
    """
    table, states = structure.table, structure.states
    nothing = -table.potentials[:, 0].sum()
    for p in range(len(weights)):
        nothing += weights[p] * score.hits[0]
    for f in range(table.columns):
        for s in range(states.ends[f], states.ends[f + 1]):
            gains[s] = states.gains[s]
            for end in range(2):
                label = states.labels[s, end]
                if label > 0:
                    word = states.first[s] if end == 0 else states.last[s]
                    slot = slots[word * table.columns + f]
                    if slot >= 0:
                        gains[s] -= weights[slot] * (score.hits[label] - score.hits[0])
    return nothing


@inner
def respond_columns(structure, score, hits, labels):
    """Write the adversary's best response, ``labels`` int8 [n], to a mixture's ``hits``.

    Viterbi over columns, states and counted labels so far, for every count that can win, those of the highest
    potentials first.
    """
    table, states = structure.table, structure.states
    n, q, size = len(labels), len(hits.positions), len(states.gains)
    weights, gains = np.empty(q), np.empty(size)
    scores, slots = np.empty((size, len(structure.reach))), np.full(n, -1, dtype=np.int64)
    for p in range(q):
        slots[hits.positions[p]] = p
    best, best_number = np.inf, np.int64(-1)
    for k in range(len(structure.order) + 1):
        # The last round is that of the best number once more, to read its labels off.
        last = k == len(structure.order)
        number = best_number if last else structure.order[k]
        count = n - number if score.counted[0] else number
        if not last:
            bound = score.lowest - structure.reach[number]
            if structure.reach[number] == -np.inf or bound - 1e-12 * max(1.0, abs(structure.top)) >= best:
                continue
        weigh(weights, score, hits, count)
        total = expected_offset(score, hits, count) + _charge(structure, score, hits, weights, slots, gains)
        _fill(table, states, gains, number + 1, scores)
        total -= scores[states.ends[table.columns - 1] : states.ends[table.columns], number].max()
        if total < best:
            best, best_number = total, number
    _trace(table, states, gains, best_number, scores, labels)


@inner
def best_columns(structure, labels):
    """Write the ``labels`` int8 [n] of highest potential."""
    states, number = structure.states, structure.order[0]
    scores = np.empty((len(states.gains), len(structure.reach)))
    _fill(structure.table, states, states.gains, number + 1, scores)
    _trace(structure.table, states, states.gains, number, scores, labels)


@inner
def potential_columns(structure, labels):
    """psi of ``labels`` int8 [n]."""
    table = structure.table
    total, first, last = 0.0, np.int64(-1), np.int64(-1)
    for f in range(table.columns):
        then, at_last = np.int64(-1), np.int64(-1)
        for e in range(table.words):
            edge = e * table.columns + f
            total += table.potentials[edge, labels[edge]]
            if labels[edge] != 0:
                then, at_last = (e if then < 0 else then), e
        if f > 0:
            total += _step(table.steps[f - 1], first, last, then, at_last)
        first, last = then, at_last
    return total


@inner
def places_columns(structure):
    """All positions, int64 [n]."""
    return every_place(len(structure.table.potentials))


@inner
def _link_rows(rows):
    return LinkRows(rows.offsets, rows.width, rows.shapes, rows.ignored)


@inner
def table_of_columns(rows, example, potentials, counted):
    """The labels N, P and S of a pair's edges, and its steps, from ``potentials`` float [n, w]."""
    words, columns = rows.shapes[example, 0], rows.shapes[example, 1]
    labels = table_of_links(_link_rows(rows), example, potentials, counted).potentials
    steps = np.empty((columns - 1, 3))
    for f in range(1, columns):
        for kind in range(3):
            steps[f - 1, kind] = potentials[f, rows.width + kind]
    return ColumnTable(labels, steps, words, columns, counted)


@inner
def add_columns(rows, example, labelling, mass, moments):
    """Add ``mass`` for every link, as links do, and for every step of a labelling int8 [n]."""
    add_links(_link_rows(rows), example, labelling, mass, moments)
    words, columns = rows.shapes[example, 0], rows.shapes[example, 1]
    first, last = np.int64(-1), np.int64(-1)
    for f in range(columns):
        then, at_last = np.int64(-1), np.int64(-1)
        for e in range(words):
            if labelling[e * columns + f] != 0:
                then, at_last = (e if then < 0 else then), e
        if f > 0:
            kind = step_kind(first, last, then, at_last)
            if kind > 0:
                moments[f, rows.width + kind - 1] += mass
        first, last = then, at_last


register_rows(ColumnRows, table_of=table_of_columns, add_statistics=add_columns)
register_structure(
    ColumnTable,
    Columns,
    prepare=prepare_columns,
    respond=respond_columns,
    best=best_columns,
    potential=potential_columns,
    restrict=same_labels,
    expand=same_labelling,
    places=places_columns,
)
