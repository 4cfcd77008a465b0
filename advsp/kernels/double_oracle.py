"""The double oracle as one compiled function: linear program, responses and certificate, round by round.

The twin of :mod:`advsp.double_oracle`, for every structure and every score that is a ratio of hits to counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels import simplex
from advsp.kernels.compilation import kernel
from advsp.kernels.pools import holds, new_pool, put
from advsp.kernels.scores import ONE_COUNTED, ONE_HITS, score
from advsp.kernels.structures import (
    best,
    exact,
    expand,
    places,
    positions,
    potential,
    predict,
    prepare,
    respond,
    restrict,
)

#: Payoffs are moved to begin at 1: the simplex wants them positive, and best responses then stay below 3.
_LOWEST = 1.0


class Solved(NamedTuple):
    """An equilibrium; attributes as of :class:`advsp.double_oracle.Equilibrium`.

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
    size = positions(structure)
    certain = exact(structure)
    away = _LOWEST + structure.top
    # Labellings that fall short of the best by more than the score's range are no best responses.
    floor = structure.top - 1.0 - 1e-9 * max(1.0, abs(structure.top))
    labels, ones = np.empty(size, dtype=np.int8), np.empty(size, dtype=np.int8)
    rows, columns = new_pool(8, size), new_pool(8, size)
    r, c = 0, 0
    if len(warm_rows) > 0:
        place = places(structure)
        for i in range(len(warm_rows)):
            for k in range(size):
                ones[k] = warm_rows[i, place[k]]
            if not holds(rows, r, ones):
                rows = put(rows, r, ones, 0.0, ONE_HITS, ONE_COUNTED)
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
        c = 1
    if r == 0:
        predict(structure, ratio, columns, np.ones(1), 1, ones)
        rows = put(rows, r, ones, 0.0, ONE_HITS, ONE_COUNTED)
        r = 1
    high, wide = 8, 8
    while high < r:
        high *= 2
    while wide < c:
        wide *= 2
    payoffs = np.empty((high, wide))
    tableau, basic, nonbasic = simplex.room(high, wide)
    row, column = np.empty(high), np.empty(wide)
    for i in range(r):
        for j in range(c):
            payoffs[i, j] = score(ratio, rows, i, columns, j) - columns.potentials[j] + away
    simplex.restart(tableau, basic, nonbasic, r, c, payoffs)
    best_lower, best_upper, value = -np.inf, np.inf, 0.0
    best_row, best_column = np.empty(0), np.empty(0)
    failures, broken, iteration = 0, 0, 0
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
            row[:r], column[:c] = 0.0, 0.0
            row[0], column[0], value = 1.0, 1.0, payoffs[0, 0]
        i, j = simplex.saddle(payoffs, r, c)
        if i >= 0 and not broken:
            row[:r], column[:c] = 0.0, 0.0
            row[i], column[j] = 1.0, 1.0
            value = payoffs[i, j]
        predict(structure, ratio, columns, column, c, ones)
        respond(structure, ratio, rows, row, r, labels)
        # The responses stand behind the strategies until it is known whether they are new.
        psi = potential(structure, labels)
        rows = put(rows, r, ones, 0.0, ONE_HITS, ONE_COUNTED)
        columns = put(columns, c, labels, psi, ratio.hits, ratio.counted)
        upper, lower = 0.0, 0.0
        for j in range(c):
            payoffs[r, j] = score(ratio, rows, r, columns, j) - columns.potentials[j] + away
            upper += payoffs[r, j] * column[j]
        for i in range(r):
            payoffs[i, c] = score(ratio, rows, i, columns, c) - psi + away
            lower += payoffs[i, c] * row[i]
        new_row = upper > value and not holds(rows, r, ones)
        new_column = lower < value and not holds(columns, c, labels)
        upper, lower = max(upper, value), min(lower, value)
        if lower > best_lower or not certain:
            best_lower, best_row = lower, row[:r].copy()
        if upper < best_upper or not certain:
            best_upper, best_column = upper, column[:c].copy()
        if broken or best_upper - best_lower <= tolerance or not (new_row or new_column):
            break
        if new_row:
            simplex.add_row(tableau, basic, nonbasic, r, c, payoffs[r])
            r += 1
            if new_column:
                payoffs[r - 1, c] = score(ratio, rows, r - 1, columns, c) - psi + away
                simplex.optimise(tableau, basic, nonbasic, r, c)
        if new_column:
            simplex.add_column(tableau, basic, nonbasic, r, c, payoffs[:, c].copy())
            c += 1
    best_lower = min(best_lower, best_upper)
    value = max(best_lower, min(value, best_upper))
    place = places(structure)
    predicted = np.zeros((_support(best_row), length), dtype=np.int8)
    row_mixture = best_row[best_row > 0.0]
    actual = np.empty((_support(best_column), length), dtype=np.int8)
    column_mixture = best_column[best_column > 0.0]
    s = 0
    for i in range(len(best_row)):
        if best_row[i] > 0.0:
            for k in range(size):
                predicted[s, place[k]] = rows.labels[i, k]
            s += 1
    s = 0
    for j in range(len(best_column)):
        if best_column[j] > 0.0:
            expand(structure, columns.labels[j], actual[s])
            s += 1
    return Solved(
        np.array([value - away, best_lower - away, best_upper - away]),
        np.array([iteration, failures, broken]),
        predicted,
        row_mixture,
        actual,
        column_mixture,
    )


@kernel
def _support(mixture):
    """Number of positive probabilities."""
    count = 0
    for probability in mixture:
        if probability > 0.0:
            count += 1
    return count


@kernel
def _enlarged(matrix, rows, columns):
    """The matrix in the corner of a larger one."""
    larger = np.empty((rows, columns))
    larger[: matrix.shape[0], : matrix.shape[1]] = matrix
    return larger
