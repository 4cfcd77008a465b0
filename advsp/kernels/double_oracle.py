"""The double oracle as one compiled function: linear program, responses and certificate, round by round.

The twin of :mod:`advsp.engine.double_oracle`, for every structure and every score of these kernels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels import simplex
from advsp.kernels.compilation import in_place, inner, kernel
from advsp.kernels.pools import known, new_pool, put
from advsp.kernels.scores import labels_of_ones, least_potential, permitted, score_pair
from advsp.kernels.structures.dispatch import (
    best,
    expand,
    places,
    potential,
    predict,
    prepare,
    respond,
    restrict,
)

#: Payoffs are moved to begin at 1: the simplex wants them positive.
_LOWEST = 1.0

#: Strategies of a player there is space for at first.
_SPACE = 8


class Solved(NamedTuple):
    """An equilibrium; attributes as of :class:`advsp.engine.double_oracle.Equilibrium`.

    Attributes
    ----------
    value, lower, upper: float.
    iterations, failures: rounds taken, and answers of the simplex that failed the certificate.
    finished: False if the last of them was never mended: then the gap is what it was, and certified all the
        same.
    predicted, row: int8 [s, n] and float [s]; only strategies of positive probability.
    actual, column: int8 [r, n] and float [r]; likewise.
    """

    value: float
    lower: float
    upper: float
    iterations: int
    failures: int
    finished: bool
    predicted: np.ndarray
    row: np.ndarray
    actual: np.ndarray
    column: np.ndarray


@kernel
def solve(table, score, certain, length, warm_rows, warm_columns, tolerance, max_iterations):
    """Solve one game; returns a :class:`Solved`.

    Parameters
    ----------
    table, score: potentials, as a structure has them, and :class:`~advsp.kernels.scores.Score`.
    certain: whether responses are best responses, so that their values bound the value of the game.
    length: number of positions n.
    warm_rows, warm_columns: int8 [*, n], strategies to begin with.
    tolerance: stop once the gap is at most this.
    max_iterations: rounds after which the game is given up.
    """
    structure = prepare(table, score.span)
    place = places(structure)
    shift = _LOWEST - score.lowest + structure.top
    if score.closed and len(place) == 0:
        return _without_choice(structure, score, length, shift)
    labels, ones = np.empty(len(place), dtype=np.int8), np.empty(len(place), dtype=np.int8)
    opponent = labels_of_ones()
    rows, r, columns, c = _begin(structure, score, opponent, place, warm_rows, warm_columns, labels, ones)
    payoffs, tableau, basic, nonbasic = _restricted(score, rows, r, columns, c, shift)
    row, column = np.empty(len(payoffs)), np.empty(payoffs.shape[1])
    best_lower, best_upper, value = -np.inf, np.inf, 0.0
    best_row, best_column = row[:0], column[:0]
    failures, iteration, finished = np.int64(0), np.int64(0), True
    for iteration in range(1, max_iterations + 1):
        if r == len(payoffs) or c == payoffs.shape[1]:
            payoffs = _enlarged(payoffs, r, c)
            tableau, basic, nonbasic = simplex.grown(tableau, basic, nonbasic, *payoffs.shape)
            row, column = np.empty(len(payoffs)), np.empty(payoffs.shape[1])
        value, failed, finished = _mix(tableau, basic, nonbasic, r, c, payoffs, row, column)
        failures += failed
        count = predict(structure, score, columns, column, c, ones)
        respond(structure, score, rows, row, r, labels)
        # The responses stand behind the strategies until it is known whether they are new.
        rows = put(rows, r, ones, 0.0, *opponent)
        rows.counts[r] = count
        columns = put(columns, c, labels, potential(structure, labels), score.hits, score.counted)
        _payoff_row(score, rows, r, columns, c, shift, payoffs)
        _payoff_column(score, rows, r + 1, columns, c, shift, payoffs)
        upper, lower = _against(payoffs, r, c, row, column)
        new_row = upper > value and not known(rows, r)
        new_column = lower < value and not known(columns, c)
        upper, lower = max(upper, value), min(lower, value)
        if lower > best_lower or not certain:
            best_lower, best_row = lower, _head(row, r)
        if upper < best_upper or not certain:
            best_upper, best_column = upper, _head(column, c)
        if not finished or best_upper - best_lower <= tolerance or not (new_row or new_column):
            break
        _grow(tableau, basic, nonbasic, r, c, payoffs, new_row, new_column)
        r += new_row
        c += new_column
    best_lower = min(best_lower, best_upper)
    value = max(best_lower, min(value, best_upper))
    bounds = value - shift, best_lower - shift, best_upper - shift
    predicted, row_mixture = _rows_of(rows, best_row, place, length)
    actual, column_mixture = _columns_of(structure, columns, best_column, length)
    mixtures = predicted, row_mixture, actual, column_mixture
    return Solved(*bounds, iteration, failures, finished, *mixtures)


@inner
def _without_choice(structure, score, length, shift):
    """The :class:`Solved` of a game in which nothing that counts can be played: one round, one strategy each.

    That is most games of a trained model; the bits are those that the loop would end with.
    """
    nothing = np.empty(0, dtype=np.int8)
    predicted, actual = np.zeros((1, length), dtype=np.int8), np.empty((1, length), dtype=np.int8)
    expand(structure, nothing, actual[0])
    value = score.empty - potential(structure, nothing) + shift - shift
    return Solved(
        value, value, value, np.int64(1), np.int64(0), True, predicted, np.ones(1), actual, np.ones(1)
    )


@in_place
def _begin(structure, score, opponent, place, warm_rows, warm_columns, labels, ones):
    """Pools of the strategies to begin with, and how many there are of either player.

    opponent: hits and counted of the predictor's labels; place: int64 [p]; warm_rows, warm_columns: int8
    [*, n]; labels, ones: int8 [p], to work in.
    """
    # Labellings that fall short of the best by more than the score's range are no best responses.
    floor = least_potential(structure.top, score.span)
    rows, columns = new_pool(_SPACE, len(place)), new_pool(_SPACE, len(place))
    # Counters that begin as numbers of numpy have one type from the start: nothing is compiled twice.
    r = c = np.int64(0)
    for i in range(len(warm_rows)):
        count = np.int64(warm_rows[i].sum())
        if permitted(score, count):
            for k in range(len(place)):
                ones[k] = warm_rows[i, place[k]]
            rows = put(rows, r, ones, 0.0, *opponent)
            if not score.closed:
                # Ones at other positions count there, too.
                rows.counts[r] = count
            r += not known(rows, r)
    for i in range(len(warm_columns)):
        if restrict(structure, warm_columns[i], labels):
            psi = potential(structure, labels)
            if psi >= floor:
                columns = put(columns, c, labels, psi, score.hits, score.counted)
                c += not known(columns, c)
    if c == 0:
        best(structure, labels)
        columns = put(columns, c, labels, potential(structure, labels), score.hits, score.counted)
        c += 1
    if r == 0:
        count = predict(structure, score, columns, np.ones(1), c, ones)
        rows = put(rows, r, ones, 0.0, *opponent)
        rows.counts[r] = count
        r += 1
    return rows, r, columns, c


@inner
def _columns_of(structure, pool, mixture, length):
    """Labellings int8 [s, length] of positive probability in a mixture float [c], and probabilities [s]."""
    support, probabilities = _support(mixture)
    labellings = np.empty((len(support), length), dtype=np.int8)
    for j in range(len(support)):
        expand(structure, pool.labels[support[j]], labellings[j])
    return labellings, probabilities


# What follows knows no structure: it is compiled once for all of them.


@inner
def _restricted(score, rows, r, columns, c, shift):
    """Payoffs and tableau of the game of the first ``r`` rows and ``c`` columns, with space for more."""
    high = wide = _SPACE
    while high < r:
        high *= 2
    while wide < c:
        wide *= 2
    payoffs = np.empty((high, wide))
    for i in range(r):
        _payoff_row(score, rows, i, columns, c, shift, payoffs)
    tableau, basic, nonbasic = simplex.workspace(high, wide)
    simplex.restart(tableau, basic, nonbasic, r, c, payoffs)
    return payoffs, tableau, basic, nonbasic


@in_place
def _mix(tableau, basic, nonbasic, r, c, payoffs, row, column):
    """Write an equilibrium of the restricted game: ``row`` float [>= r], ``column`` float [>= c].

    Returns its value, the answers of the simplex that failed, and False if none was certified; the mixtures
    are the first strategies then.
    """
    value, failed, certified = simplex.solve(tableau, basic, nonbasic, r, c, payoffs, row, column)
    if not certified:
        # Any mixtures have a bracket; those of this round are the last ones, and pure.
        return _pure(payoffs, row, r, 0, column, c, 0), failed, False
    i, j = simplex.saddle(payoffs, r, c)
    if i >= 0:
        value = _pure(payoffs, row, r, i, column, c, j)
    return value, failed, True


@inner
def _payoff_row(score, rows, i, columns, c, shift, payoffs):
    """Write the payoffs of row ``i`` against the first ``c`` columns into ``payoffs`` float [> i, >= c]."""
    for j in range(c):
        payoffs[i, j] = score_pair(score, rows, i, columns, j) - columns.potentials[j] + shift


@inner
def _payoff_column(score, rows, r, columns, j, shift, payoffs):
    """Write the payoffs of the first ``r`` rows against column ``j`` into ``payoffs`` float [>= r, > j]."""
    for i in range(r):
        payoffs[i, j] = score_pair(score, rows, i, columns, j) - columns.potentials[j] + shift


@in_place
def _against(payoffs, r, c, row, column):
    """Payoff of row ``r`` against the column mixture float [>= c], and of column ``c`` against the row's."""
    upper, lower = 0.0, 0.0
    for j in range(c):
        upper += payoffs[r, j] * column[j]
    for i in range(r):
        lower += payoffs[i, c] * row[i]
    return upper, lower


@inner
def _pure(payoffs, row, r, i, column, c, j):
    """Make the mixtures, float [>= r] and [>= c], those of one strategy each; what they are worth."""
    for k in range(r):
        row[k] = 0.0
    for k in range(c):
        column[k] = 0.0
    row[i], column[j] = 1.0, 1.0
    return payoffs[i, j]


@inner
def _head(mixture, used):
    """A copy of the first ``used`` weights of a mixture float [>= used]."""
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
    """Numbers int64 [s] of the strategies of positive probability, and these probabilities float [s]."""
    found, weights = np.empty(len(mixture), dtype=np.int64), np.empty(len(mixture))
    count = 0
    for i in range(len(mixture)):
        if mixture[i] > 0.0:
            found[count], weights[count] = i, mixture[i]
            count += 1
    return found[:count], weights[:count]


@inner
def _rows_of(pool, mixture, place, length):
    """Labellings int8 [s, length] of positive probability in a mixture float [r], and probabilities [s].

    Labels of the pool stand at ``place`` int64 [p]; ones that stand elsewhere are put at the first positions
    that are no such place.
    """
    support, weights = _support(mixture)
    labellings = np.zeros((len(support), length), dtype=np.int8)
    for s in range(len(support)):
        left = pool.counts[support[s]]
        for k in range(len(place)):
            labellings[s, place[k]] = pool.labels[support[s], k]
            left -= pool.labels[support[s], k]
        if left > 0:
            _place_elsewhere(labellings[s], place, left)
    return labellings, weights


@inner
def _place_elsewhere(labelling, place, left):
    """Put so many ones into ``labelling`` int8 [n], first positions first, but not at ``place`` int64 [p]."""
    elsewhere = np.ones(len(labelling), dtype=np.bool_)
    for k in range(len(place)):
        elsewhere[place[k]] = False
    t = 0
    while left > 0:
        if elsewhere[t]:
            labelling[t] = 1
            left -= 1
        t += 1


@inner
def _enlarged(matrix, rows, columns):
    """A ``matrix`` float [R, C] in the corner of a larger one.

    That has twice as many rows where the matrix has ``rows`` of them, and twice as many columns likewise.
    """
    high, wide = matrix.shape
    larger = np.empty((2 * high if rows == high else high, 2 * wide if columns == wide else wide))
    for i in range(high):
        for j in range(wide):
            larger[i, j] = matrix[i, j]
    return larger
