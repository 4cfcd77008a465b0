"""The double oracle as one compiled function: linear program, responses and certificate, round by round.

The twin of :mod:`advsp.engine.double_oracle`, for every structure and every score that is a ratio of hits to
counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels import simplex
from advsp.kernels.compilation import inner, kernel
from advsp.kernels.pools import holds, new_pool, put
from advsp.kernels.scores import labels_of_ones, least_potential, score
from advsp.kernels.structures import (
    best,
    exact,
    expand,
    places,
    potential,
    predict,
    prepare,
    respond,
    restrict,
)

#: Payoffs are moved to begin at 1: the simplex wants them positive, and best responses then stay below 3.
_LOWEST = 1.0

#: Strategies of a player there is room for at first.
_ROOM = 8


class Solved(NamedTuple):
    """An equilibrium; attributes as of :class:`advsp.engine.double_oracle.Equilibrium`.

    Attributes
    ----------
    bounds: float [3], value, lower and upper.
    rounds: int64 [3], rounds taken, answers of the simplex that failed the certificate, and 1 if the last of
        them was never mended: then the gap is what it was, and certified all the same.
    predicted, row: int8 [s, n] and float [s]; only strategies of positive probability.
    actual, column: int8 [r, n] and float [r]; likewise.
    """

    bounds: np.ndarray
    rounds: np.ndarray
    predicted: np.ndarray
    row: np.ndarray
    actual: np.ndarray
    column: np.ndarray


@kernel
def solve(table, ratio, length, warm_rows, warm_columns, tolerance, most):
    """Solve one game.

    Parameters
    ----------
    table, ratio: potentials and score.
    length: number of positions n.
    warm_rows, warm_columns: int8 [*, n], strategies to begin with.
    tolerance: stop once the gap is at most this.
    most: rounds after which the game is given up.
    """
    structure = prepare(table)
    place = places(structure)
    size = len(place)
    certain = exact(structure)
    away = _LOWEST + structure.top
    # Labellings that fall short of the best by more than the score's range are no best responses.
    floor = least_potential(structure.top)
    labels, ones = np.empty(size, dtype=np.int8), np.empty(size, dtype=np.int8)
    opponent = labels_of_ones()
    rows, columns = new_pool(_ROOM, size), new_pool(_ROOM, size)
    # Counters that begin as numbers of numpy have one type from the start: nothing is compiled twice.
    r = c = np.int64(0)
    if len(warm_rows) > 0:
        for i in range(len(warm_rows)):
            for k in range(size):
                ones[k] = warm_rows[i, place[k]]
            if not holds(rows, r, ones):
                rows = put(rows, r, ones, 0.0, *opponent)
                r += 1
    for i in range(len(warm_columns)):
        if restrict(structure, warm_columns[i], labels) and not holds(columns, c, labels):
            psi = potential(structure, labels)
            if psi >= floor:
                columns = put(columns, c, labels, psi, ratio.hits, ratio.counted)
                c += 1
    if c == 0:
        best(structure, labels)
        columns = put(columns, c, labels, potential(structure, labels), ratio.hits, ratio.counted)
        c += 1
    if r == 0:
        predict(structure, ratio, columns, np.ones(1), c, ones)
        rows = put(rows, r, ones, 0.0, *opponent)
        r += 1
    high = wide = _ROOM
    while high < r:
        high *= 2
    while wide < c:
        wide *= 2
    payoffs = np.empty((high, wide))
    tableau, basic, nonbasic = simplex.room(high, wide)
    row, column = np.empty(high), np.empty(wide)
    for i in range(r):
        _payoff_row(ratio, rows, i, columns, c, away, payoffs)
    simplex.restart(tableau, basic, nonbasic, r, c, payoffs)
    best_lower, best_upper, value = -np.inf, np.inf, 0.0
    best_row, best_column = np.empty(0), np.empty(0)
    failures = broken = iteration = np.int64(0)
    for iteration in range(1, most + 1):
        if r == high or c == wide:
            high, wide = 2 * high if r == high else high, 2 * wide if c == wide else wide
            payoffs = _enlarged(payoffs, high, wide)
            tableau, basic, nonbasic = simplex.grown(tableau, basic, nonbasic, high, wide)
            row, column = np.empty(high), np.empty(wide)
        value, failed, certified = simplex.solve(tableau, basic, nonbasic, r, c, payoffs, row, column)
        failures += failed
        if not certified:
            # Any mixtures have a bracket; those of this round are the last ones, and pure.
            broken = 1
            value = _pure(payoffs, row, r, 0, column, c, 0)
        i, j = simplex.saddle(payoffs, r, c)
        if i >= 0 and not broken:
            value = _pure(payoffs, row, r, i, column, c, j)
        predict(structure, ratio, columns, column, c, ones)
        respond(structure, ratio, rows, row, r, labels)
        # The responses stand behind the strategies until it is known whether they are new.
        psi = potential(structure, labels)
        rows = put(rows, r, ones, 0.0, *opponent)
        columns = put(columns, c, labels, psi, ratio.hits, ratio.counted)
        _payoff_row(ratio, rows, r, columns, c, away, payoffs)
        _payoff_column(ratio, rows, r + 1, columns, c, away, payoffs)
        upper, lower = 0.0, 0.0
        for j in range(c):
            upper += payoffs[r, j] * column[j]
        for i in range(r):
            lower += payoffs[i, c] * row[i]
        new_row = upper > value and not holds(rows, r, ones)
        new_column = lower < value and not holds(columns, c, labels)
        upper, lower = max(upper, value), min(lower, value)
        if lower > best_lower or not certain:
            best_lower, best_row = lower, _head(row, r)
        if upper < best_upper or not certain:
            best_upper, best_column = upper, _head(column, c)
        if broken or best_upper - best_lower <= tolerance or not (new_row or new_column):
            break
        _grow(tableau, basic, nonbasic, r, c, payoffs, new_row, new_column)
        r += new_row
        c += new_column
    best_lower = min(best_lower, best_upper)
    value = max(best_lower, min(value, best_upper))
    predicted, row_mixture = _strategies(rows, best_row, place, length)
    support, column_mixture = _support(best_column)
    actual = np.empty((len(support), length), dtype=np.int8)
    for j in range(len(support)):
        expand(structure, columns.labels[support[j]], actual[j])
    bounds, rounds = np.empty(3), np.empty(3, dtype=np.int64)
    bounds[0], bounds[1], bounds[2] = value - away, best_lower - away, best_upper - away
    rounds[0], rounds[1], rounds[2] = iteration, failures, broken
    return Solved(bounds, rounds, predicted, row_mixture, actual, column_mixture)


# What follows knows no structure: it is compiled once for all of them.


@inner
def _payoff_row(ratio, rows, i, columns, c, away, payoffs):
    """Write the payoffs of row ``i`` against the first ``c`` columns."""
    for j in range(c):
        payoffs[i, j] = score(ratio, rows, i, columns, j) - columns.potentials[j] + away


@inner
def _payoff_column(ratio, rows, r, columns, j, away, payoffs):
    """Write the payoffs of the first ``r`` rows against column ``j``."""
    for i in range(r):
        payoffs[i, j] = score(ratio, rows, i, columns, j) - columns.potentials[j] + away


@inner
def _pure(payoffs, row, r, i, column, c, j):
    """Make the mixtures those of one strategy each; what they are worth."""
    for k in range(r):
        row[k] = 0.0
    for k in range(c):
        column[k] = 0.0
    row[i], column[j] = 1.0, 1.0
    return payoffs[i, j]


@inner
def _head(mixture, used):
    """A copy of the first ``used`` weights."""
    head = np.empty(used)
    for i in range(used):
        head[i] = mixture[i]
    return head


@inner
def _grow(tableau, basic, nonbasic, r, c, payoffs, new_row, new_column):
    """Add row ``r`` and column ``c`` of the payoffs to the game, where they are new."""
    if new_row:
        simplex.add_row(tableau, basic, nonbasic, r, c, payoffs[r])
        r += 1
        if new_column:
            simplex.optimise(tableau, basic, nonbasic, r, c)
    if new_column:
        added = np.empty(r)
        for i in range(r):
            added[i] = payoffs[i, c]
        simplex.add_column(tableau, basic, nonbasic, r, c, added)


@inner
def _support(mixture):
    """Numbers of the strategies of positive probability, and these probabilities."""
    found, weights = np.empty(len(mixture), dtype=np.int64), np.empty(len(mixture))
    count = 0
    for i in range(len(mixture)):
        if mixture[i] > 0.0:
            found[count], weights[count] = i, mixture[i]
            count += 1
    return found[:count], weights[:count]


@inner
def _strategies(pool, mixture, place, length):
    """Labellings int8 [s, length] of positive probability, 0 but at the ``place``, and probabilities [s]."""
    support, weights = _support(mixture)
    labellings = np.zeros((len(support), length), dtype=np.int8)
    for s in range(len(support)):
        for k in range(len(place)):
            labellings[s, place[k]] = pool.labels[support[s], k]
    return labellings, weights


@inner
def _enlarged(matrix, rows, columns):
    """The matrix in the corner of a larger one."""
    larger = np.empty((rows, columns))
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            larger[i, j] = matrix[i, j]
    return larger
