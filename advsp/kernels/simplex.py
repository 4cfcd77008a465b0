"""A dense simplex for matrix games that grow by rows and columns, warm from solve to solve.

The column player of a positive game A [r, c] maximises sum(u) subject to A u <= 1, u >= 0; then the value is
1 / sum(u), the column mixture u / sum(u), and the prices of the rows give the row mixture (Dantzig, 1951).
The tableau is the condensed one of Tucker: one line per basic variable, one per nonbasic variable,

    basic[i] = tableau[i, 0] - sum_j tableau[i, j] * nonbasic[j],      i, j >= 1,

line 0 for the objective.  A variable is named j >= 0 for u_j and -1 - i for the slack of row i.  A new
column leaves the point primal feasible, a new row leaves the prices feasible: the primal and the dual method
go on from there.

Arguments, wherever they occur: ``tableau`` float [>= rows + 1, >= columns + 1], ``basic`` int64 [>= rows + 1]
and ``nonbasic`` int64 [>= columns + 1], changed in place; ``rows`` and ``columns`` int, of the game;
``payoffs`` float [>= rows, >= columns] unless something else is said; ``levels`` float [rows + 1] and
``prices`` float [columns + 1], column 0 and line 0 of the tableau; ``row_mixture`` float [>= rows] and
``column_mixture`` float [>= columns].
"""

from __future__ import annotations

import numpy as np

from advsp.kernels.compilation import inner, kernel

#: What counts as zero: a reduced cost or a level, and an entry that must not be divided by.
_ZERO, _PIVOT = 1e-12, 1e-9
#: By how much a level or a price is moved where pivots go in circles: first by this, then by ever less.
_MOVE, _TRIALS = 1e-8, 4
#: Largest duality gap that counts as solved, as in :mod:`advsp.engine.lp.base`.
TOLERANCE = 1e-9


@inner
def pivot(tableau, basic, nonbasic, rows, columns, r, s):
    """Exchange the basic variable of line ``r`` and the nonbasic one of column ``s``."""
    inverse = 1.0 / tableau[r, s]
    for j in range(columns + 1):
        tableau[r, j] *= inverse
    tableau[r, s] = inverse
    for i in range(rows + 1):
        if i != r:
            factor = tableau[i, s]
            if factor != 0.0:
                for j in range(columns + 1):
                    tableau[i, j] -= factor * tableau[r, j]
                tableau[i, s] = -factor * inverse
    basic[r], nonbasic[s] = nonbasic[s], basic[r]


@inner
def add_row(tableau, basic, nonbasic, rows, columns, payoffs):
    """Line rows + 1 for the new row of the game, ``payoffs`` [columns]; the caller counts it."""
    new = rows + 1
    tableau[new, 0] = 1.0
    for j in range(1, columns + 1):
        tableau[new, j] = payoffs[nonbasic[j]] if nonbasic[j] >= 0 else 0.0
    for i in range(1, rows + 1):
        if basic[i] >= 0:
            payoff = payoffs[basic[i]]
            for j in range(columns + 1):
                tableau[new, j] -= payoff * tableau[i, j]
    basic[new] = -1 - rows


@inner
def add_column(tableau, basic, nonbasic, rows, columns, payoffs):
    """Column columns + 1 for the new column of the game, ``payoffs`` [rows]; the caller counts it."""
    new = columns + 1
    tableau[0, new] = -1.0
    for i in range(1, rows + 1):
        tableau[i, new] = payoffs[-1 - basic[i]] if basic[i] < 0 else 0.0
    for j in range(1, columns + 1):
        if nonbasic[j] < 0:
            payoff = payoffs[-1 - nonbasic[j]]
            for i in range(rows + 1):
                tableau[i, new] += payoff * tableau[i, j]
    nonbasic[new] = columns


@inner
def optimise(tableau, basic, nonbasic, rows, columns):
    """Dual simplex while a level is negative, then primal simplex; False if it does not end.

    Where many vertices are one and the same point the pivots may go in circles.  After a long stretch they
    go on with levels and prices moved a little, by different amounts, and from there with the true ones
    again (Charnes, 1952).  At last the criss-cross method takes over, which ends from any basis (Terlaky,
    1985).
    """
    patience = 2 * (rows + columns) + 50
    levels, prices = np.empty(rows + 1), np.empty(columns + 1)
    ended = _stretch(tableau, basic, nonbasic, rows, columns, levels, prices, False, patience)
    for trial in range(_TRIALS):
        if ended > 0:
            break
        _move(tableau, rows, columns, levels, prices, trial)
        _stretch(tableau, basic, nonbasic, rows, columns, levels, prices, True, 4 * patience)
        for i in range(rows + 1):
            tableau[i, 0] = levels[i]
        for j in range(1, columns + 1):
            tableau[0, j] = prices[j]
        ended = _stretch(tableau, basic, nonbasic, rows, columns, levels, prices, False, patience)
    return ended > 0 or _criss_cross(tableau, basic, nonbasic, rows, columns, 10 * patience)


@inner
def _stretch(tableau, basic, nonbasic, rows, columns, levels, prices, moved, max_pivots):
    """At most so many pivots: 1 at the optimum, 0 if it is not reached, -1 where no pivot is possible.

    Where the tableau is ``moved``, the true ``levels`` [rows + 1] and ``prices`` [columns + 1] take part.
    """
    for _ in range(max_pivots):
        r = s = np.int64(0)
        lowest = -_ZERO
        for i in range(1, rows + 1):
            if tableau[i, 0] < lowest:
                lowest, r = tableau[i, 0], i
        if r > 0:
            s = _dual_entering(tableau[0], tableau[r], columns)
            if s == 0:
                return -1
        else:
            lowest = -_ZERO
            for j in range(1, columns + 1):
                if tableau[0, j] < lowest:
                    lowest, s = tableau[0, j], j
            if s == 0:
                return 1
            r = _primal_leaving(tableau, s, rows)
            if r == 0:
                return -1
        if moved:
            _pivot_margins(tableau, rows, columns, r, s, levels, prices)
        pivot(tableau, basic, nonbasic, rows, columns, r, s)
    return 0


@inner
def _pivot_margins(tableau, rows, columns, r, s, levels, prices):
    """What :func:`pivot` is about to do to column 0 and line 0, done to ``levels`` and ``prices``."""
    inverse = 1.0 / tableau[r, s]
    levels[r] *= inverse
    for i in range(1, rows + 1):
        if i != r:
            levels[i] -= tableau[i, s] * levels[r]
    factor = prices[s]
    levels[0] -= factor * levels[r]
    for j in range(1, columns + 1):
        if j != s:
            prices[j] -= factor * tableau[r, j] * inverse
    prices[s] = -factor * inverse


@inner
def _move(tableau, rows, columns, levels, prices, trial):
    """Keep the true ``levels`` and ``prices``, and add to those that are feasible a little each."""
    size = _MOVE * 0.2**trial
    # A congruential generator: the same amounts wherever and whenever the game is solved.
    state = np.int64(12345 + 7919 * trial)
    for i in range(rows + 1):
        levels[i] = tableau[i, 0]
        state = (state * 1103515245 + 12345) % 2147483648
        if i > 0 and levels[i] > -_ZERO:
            tableau[i, 0] = max(levels[i], 0.0) + size * (1.0 + state / 2147483648.0)
    for j in range(1, columns + 1):
        prices[j] = tableau[0, j]
        state = (state * 1103515245 + 12345) % 2147483648
        if prices[j] > -_ZERO:
            tableau[0, j] = max(prices[j], 0.0) + size * (1.0 + state / 2147483648.0)


@inner
def _dual_entering(prices, line, columns):
    """The column that keeps the prices feasible, of equal ones that of the largest entry; 0 for none."""
    s = 0
    best, size = np.inf, 0.0
    for j in range(1, columns + 1):
        entry = -line[j]
        if entry > _PIVOT:
            ratio = max(prices[j], 0.0) / entry
            if ratio < best - _ZERO or (ratio < best + _ZERO and entry > size):
                best, size, s = min(ratio, best), entry, j
    return s


@inner
def _primal_leaving(tableau, s, rows):
    """The line that keeps the levels feasible, of equal ones that of the largest entry; 0 for none."""
    r = 0
    best, size = np.inf, 0.0
    for i in range(1, rows + 1):
        entry = tableau[i, s]
        if entry > _PIVOT:
            ratio = max(tableau[i, 0], 0.0) / entry
            if ratio < best - _ZERO or (ratio < best + _ZERO and entry > size):
                best, size, r = min(ratio, best), entry, i
    return r


@inner
def _criss_cross(tableau, basic, nonbasic, rows, columns, max_pivots):
    """Exchange variables of the smallest names until nothing is infeasible; False if that takes longer."""
    largest = np.iinfo(np.int64).max
    for _ in range(max_pivots):
        r = s = np.int64(0)
        name = largest
        for i in range(1, rows + 1):
            if tableau[i, 0] < -_ZERO and basic[i] < name:
                r, name = i, basic[i]
        for j in range(1, columns + 1):
            if tableau[0, j] < -_ZERO and nonbasic[j] < name:
                r, s, name = 0, j, nonbasic[j]
        if name == largest:
            return True
        name = largest
        if s > 0:
            for i in range(1, rows + 1):
                if tableau[i, s] > _PIVOT and basic[i] < name:
                    r, name = i, basic[i]
        else:
            for j in range(1, columns + 1):
                if tableau[r, j] < -_PIVOT and nonbasic[j] < name:
                    s, name = j, nonbasic[j]
        if name == largest:
            return False
        pivot(tableau, basic, nonbasic, rows, columns, r, s)
    return False


@kernel
def restart(tableau, basic, nonbasic, rows, columns, payoffs):
    """The tableau of the slack basis, made from ``payoffs`` [>= rows, >= columns]."""
    tableau[0, 0] = 0.0
    for j in range(1, columns + 1):
        tableau[0, j] = -1.0
        nonbasic[j] = j - 1
    for i in range(1, rows + 1):
        tableau[i, 0] = 1.0
        basic[i] = -i
        for j in range(1, columns + 1):
            tableau[i, j] = payoffs[i - 1, j - 1]


@inner
def rebuild(tableau, basic, nonbasic, rows, columns, payoffs):
    """The tableau of the same basis made anew from ``payoffs``, without the rounding of all pivots so far."""
    wanted = np.zeros(columns, dtype=np.bool_)
    leaves = np.zeros(rows, dtype=np.bool_)
    for i in range(1, rows + 1):
        if basic[i] >= 0:
            wanted[basic[i]] = True
    for j in range(1, columns + 1):
        if nonbasic[j] < 0:
            leaves[-1 - nonbasic[j]] = True
    restart(tableau, basic, nonbasic, rows, columns, payoffs)
    while True:
        # The largest entry of all that may still be exchanged: complete pivoting.
        r = s = np.int64(0)
        size = _PIVOT
        for i in range(1, rows + 1):
            if basic[i] < 0 and leaves[-1 - basic[i]]:
                for j in range(1, columns + 1):
                    if nonbasic[j] >= 0 and wanted[nonbasic[j]] and abs(tableau[i, j]) > size:
                        r, s, size = i, j, abs(tableau[i, j])
        if r == 0:
            return
        pivot(tableau, basic, nonbasic, rows, columns, r, s)


@inner
def read(tableau, basic, nonbasic, rows, columns, row_mixture, column_mixture):
    """Write the mixtures [rows], [columns] of the current basis; False if they are none."""
    for i in range(rows):
        row_mixture[i] = 0.0
    for j in range(columns):
        column_mixture[j] = 0.0
    for j in range(1, columns + 1):
        if nonbasic[j] < 0:
            row_mixture[-1 - nonbasic[j]] = max(tableau[0, j], 0.0)
    for i in range(1, rows + 1):
        if basic[i] >= 0:
            column_mixture[basic[i]] = max(tableau[i, 0], 0.0)
    return _normalise(row_mixture, rows) and _normalise(column_mixture, columns)


@inner
def _normalise(mixture, used):
    """Divide the weights [used] of a mixture by their sum; False if that is none."""
    total = 0.0
    for i in range(used):
        total += mixture[i]
    if not 0.0 < total < np.inf:
        return False
    for i in range(used):
        mixture[i] /= total
    return True


@inner
def bracket(payoffs, rows, columns, row_mixture, column_mixture):
    """min_j (row A)_j and max_i (A column)_i: the certificate of two mixtures."""
    upper = -np.inf
    for i in range(rows):
        total = 0.0
        for j in range(columns):
            if column_mixture[j] > 0.0:
                total += payoffs[i, j] * column_mixture[j]
        upper = max(upper, total)
    totals = np.zeros(columns)
    for i in range(rows):
        if row_mixture[i] > 0.0:
            for j in range(columns):
                totals[j] += row_mixture[i] * payoffs[i, j]
    lower = np.inf
    for j in range(columns):
        lower = min(lower, totals[j])
    return lower, upper


@inner
def saddle(payoffs, rows, columns):
    """A saddle point (row, column) in pure strategies, or (-1, -1)."""
    best, row = -np.inf, 0
    for i in range(rows):
        worst = payoffs[i, 0]
        for j in range(1, columns):
            worst = min(worst, payoffs[i, j])
            if worst <= best:
                break
        if worst > best:
            best, row = worst, i
    for j in range(columns):
        highest = payoffs[0, j]
        for i in range(1, rows):
            highest = max(highest, payoffs[i, j])
            if highest > best:
                break
        if highest <= best:
            return row, j
    return -1, -1


@kernel
def solve(tableau, basic, nonbasic, rows, columns, payoffs, row_mixture, column_mixture):
    """Write a certified equilibrium of ``payoffs`` [rows, columns], every entry positive.

    The tableau holds the game as it was, with new lines and columns added.  Where the rounding of all pivots
    so far costs too many digits, the tableau of the same basis is made anew; if the answer still fails the
    certificate, the game is solved anew from no basis.

    Returns
    -------
    The value, the number of answers that failed, and whether the last one did not.
    """
    failures = 0
    for attempt in range(3):
        if attempt == 1:
            rebuild(tableau, basic, nonbasic, rows, columns, payoffs)
        elif attempt == 2:
            restart(tableau, basic, nonbasic, rows, columns, payoffs)
        if optimise(tableau, basic, nonbasic, rows, columns) and read(
            tableau, basic, nonbasic, rows, columns, row_mixture, column_mixture
        ):
            lower, upper = bracket(payoffs, rows, columns, row_mixture, column_mixture)
            if upper - lower <= TOLERANCE:
                return 0.5 * (lower + upper), failures, True
        if attempt > 0:
            failures += 1
    return 0.0, failures, False


@kernel
def workspace(rows, columns):
    """An empty tableau and its names, with space for ``rows`` and ``columns``."""
    tableau = np.empty((rows + 1, columns + 1))
    return tableau, np.empty(rows + 1, dtype=np.int64), np.empty(columns + 1, dtype=np.int64)


@kernel
def grown(tableau, basic, nonbasic, rows, columns):
    """The same with space for at least ``rows`` and ``columns``: as it is, or with twice the space it had."""
    high, wide = len(basic) - 1, len(nonbasic) - 1
    if rows <= high and columns <= wide:
        return tableau, basic, nonbasic
    while high < rows:
        high *= 2
    while wide < columns:
        wide *= 2
    larger, lines, places = workspace(high, wide)
    for i in range(len(basic)):
        lines[i] = basic[i]
        for j in range(len(nonbasic)):
            larger[i, j] = tableau[i, j]
    for j in range(len(nonbasic)):
        places[j] = nonbasic[j]
    return larger, lines, places


@kernel
def extend(tableau, basic, nonbasic, rows, columns, payoffs):
    """Add the lines and columns that ``payoffs`` has beyond the game of ``rows`` and ``columns``."""
    for i in range(rows, payoffs.shape[0]):
        add_row(tableau, basic, nonbasic, i, columns, payoffs[i, :columns])
    if payoffs.shape[0] > rows:
        optimise(tableau, basic, nonbasic, payoffs.shape[0], columns)
    for j in range(columns, payoffs.shape[1]):
        add_column(tableau, basic, nonbasic, payoffs.shape[0], j, payoffs[:, j].copy())


@kernel
def maximise(gains, matrix, limits):
    """Point [n] and prices [m] of a linear program, or None if none are found.

    Maximise gains @ x subject to matrix @ x <= limits and x >= 0.
    """
    rows, columns = matrix.shape
    tableau, basic, nonbasic = workspace(rows, columns)
    restart(tableau, basic, nonbasic, rows, columns, matrix)
    for j in range(columns):
        tableau[0, j + 1] = -gains[j]
    for i in range(rows):
        tableau[i + 1, 0] = limits[i]
    if not optimise(tableau, basic, nonbasic, rows, columns):
        return None
    point, prices = np.zeros(columns), np.zeros(rows)
    for i in range(1, rows + 1):
        if basic[i] >= 0:
            point[basic[i]] = tableau[i, 0]
    for j in range(1, columns + 1):
        if nonbasic[j] < 0:
            prices[-1 - nonbasic[j]] = tableau[0, j]
    return point, prices
