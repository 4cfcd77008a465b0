"""The dense simplex: matrix games that grow, degenerate ones, and linear programs."""

from __future__ import annotations

import brute_force
import numba
import numpy as np
import pytest
from scipy.optimize import linprog

from advsp.engine.lp.base import certify
from advsp.engine.lp.compiled import _CompiledSession
from advsp.kernels import simplex

#: Games by the way they are drawn from a generator, for a number of rows and of columns.
GAMES = {
    "normal": lambda rng, r, c: rng.normal(size=(r, c)),
    "zeros and ones": lambda rng, r, c: rng.choice([0.0, 1.0], size=(r, c)),
    "signs": lambda rng, r, c: rng.choice([-1.0, 0.0, 1.0], size=(r, c)),
    "few values": lambda rng, r, c: np.round(3 * rng.normal(size=(r, c))),
    "all equal": lambda rng, r, c: np.full((r, c), rng.normal()),
    "identity": lambda rng, r, c: np.eye(r, c),
    "minus identity": lambda rng, r, c: -np.eye(r, c),
    "twins": lambda rng, r, c: np.repeat(rng.normal(size=(r, c)), 2, axis=0)[:r],
    "blocks": lambda rng, r, c: np.kron(np.eye(max(r, c)), rng.choice([0.0, 1.0, 2.0], size=(3, 3)))[:r, :c],
}


def positive(payoffs: np.ndarray) -> np.ndarray:
    return payoffs - payoffs.min() + 1.0


def solved(tableau, payoffs: np.ndarray) -> tuple[float, int]:
    """Value of a positive game in a tableau, certified here once more; and the failures on the way."""
    rows, columns = payoffs.shape
    row, column = np.empty(rows), np.empty(columns)
    value, failures, certified = simplex.solve(*tableau, rows, columns, payoffs, row, column)
    assert certified
    assert certify(payoffs, row, column, 1e-9).value == pytest.approx(value, abs=2e-9)
    return value, failures


def fresh(payoffs: np.ndarray):
    tableau = simplex.workspace(*payoffs.shape)
    simplex.restart(*tableau, *payoffs.shape, payoffs)
    return tableau


@pytest.mark.parametrize("by", ["rows", "columns", "both", "any"])
@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_a_game_that_grows_is_solved_at_every_size(kind, by, seed):
    rng = np.random.default_rng(seed)
    payoffs = positive(GAMES[kind](rng, *rng.integers(2, 16, size=2)))
    high, wide = payoffs.shape
    rows = high if by == "columns" else 1
    columns = wide if by == "rows" else 1
    tableau = fresh(payoffs[:rows, :columns].copy())
    while True:
        value, failures = solved(tableau, payoffs[:rows, :columns].copy())
        assert failures == 0
        assert value == pytest.approx(brute_force.value(payoffs[:rows, :columns]), abs=1e-7)
        if (rows, columns) == payoffs.shape:
            return
        step = rng.integers(0, 3, size=2) if by == "any" else np.ones(2, dtype=int)
        more = min(high, rows + step[0]), min(wide, columns + step[1])
        tableau = simplex.grown(*tableau, *more)
        simplex.extend(*tableau, rows, columns, payoffs[: more[0], : more[1]].copy())
        rows, columns = more


@pytest.mark.parametrize("kind", GAMES)
def test_large_games_are_solved_without_a_failure(kind):
    payoffs = positive(GAMES[kind](np.random.default_rng(0), 200, 200))
    assert solved(fresh(payoffs), payoffs)[1] == 0


@pytest.mark.parametrize("seed", range(8))
def test_games_of_scores_with_many_ties_do_not_go_in_circles(seed):
    # F-scores of random labellings less few distinct potentials: many optimal vertices, and equal ones.
    rng = np.random.default_rng(seed)
    said, meant = rng.random((80, 10)) < 0.4, rng.random((80, 10)) < 0.4
    both = (said[:, None] & meant[None]).sum(axis=2)
    score = 2.0 * both / np.maximum(1, said.sum(axis=1)[:, None] + meant.sum(axis=1))
    payoffs = positive(score - rng.choice([-0.3, 0.0, 0.3], size=80))
    tableau = fresh(payoffs[:4, :4].copy())
    for size in range(4, 81):
        if size > 4:
            tableau = simplex.grown(*tableau, size, size)
            simplex.extend(*tableau, size - 1, size - 1, payoffs[:size, :size].copy())
        assert solved(tableau, payoffs[:size, :size].copy())[1] == 0


def test_a_session_begins_anew_where_a_payoff_comes_close_to_zero():
    # Moved as the first payoff is, the second would be 1e-10: no pivot.
    session = _CompiledSession()
    payoffs = np.array([[1.0, 1e-10, 1.0]])
    for columns in (1, 2, 3):
        known = payoffs[:, :columns]
        assert certify(known, *session.solve(known), 1e-9).value == pytest.approx(known.min(), abs=1e-9)


def test_a_tableau_made_anew_is_the_same_but_for_rounding():
    @numba.njit
    def rebuild(tableau, basic, nonbasic, payoffs):
        simplex.rebuild(tableau, basic, nonbasic, payoffs.shape[0], payoffs.shape[1], payoffs)

    payoffs = positive(np.random.default_rng(1).normal(size=(12, 9)))
    tableau = fresh(payoffs)
    value, _ = solved(tableau, payoffs)
    before = set(tableau[1][1:].tolist())
    tableau[0][:] = np.nan
    rebuild(*tableau, payoffs)
    assert set(tableau[1][1:].tolist()) == before
    assert solved(tableau, payoffs)[0] == pytest.approx(value, abs=1e-12)


def test_a_spoilt_tableau_is_repaired_and_what_was_solved_anew_is_counted():
    payoffs = positive(np.random.default_rng(2).normal(size=(10, 10)))
    value, _ = solved(fresh(payoffs), payoffs)
    tableau = fresh(payoffs)
    solved(tableau, payoffs)
    tableau[0][1:, 0] *= np.random.default_rng(3).uniform(0.5, 1.5, size=10)
    assert solved(tableau, payoffs)[0] == pytest.approx(value, abs=1e-12)


@numba.njit
def criss_cross(tableau, basic, nonbasic, most):
    return simplex._criss_cross(tableau, basic, nonbasic, len(basic) - 1, len(nonbasic) - 1, most)


@pytest.mark.parametrize("kind", GAMES)
def test_criss_cross_alone_finds_the_equilibrium(kind):
    payoffs = positive(GAMES[kind](np.random.default_rng(4), 6, 5))
    tableau = fresh(payoffs)
    assert criss_cross(*tableau, 1000)
    pivoted = tableau[0][0, 0]
    assert 1.0 / pivoted == pytest.approx(brute_force.value(payoffs), abs=1e-7)


def test_criss_cross_gives_up_after_so_many_pivots():
    assert not criss_cross(*fresh(positive(np.random.default_rng(5).normal(size=(6, 5)))), 1)


def programs():
    """Linear programs: feasible or not, bounded or not, degenerate or not."""
    for seed in range(150):
        rng = np.random.default_rng(seed)
        rows, columns = rng.integers(1, 9, size=2)
        gains, matrix, limits = (
            rng.normal(size=columns),
            rng.normal(size=(rows, columns)),
            rng.normal(size=rows),
        )
        if seed % 2:
            gains, matrix, limits = np.round(gains), np.round(matrix), np.round(limits)
        if seed % 3 == 0:
            matrix = np.abs(matrix)
        if seed % 5 == 0:
            limits = np.abs(limits)
        if seed % 11 == 0:
            limits[:] = 0.0
        yield gains, matrix, limits


def test_linear_programs_are_solved_as_scipy_does_or_not_at_all():
    solvable = 0
    for gains, matrix, limits in programs():
        found = simplex.maximise(gains, matrix, limits)
        expected = linprog(-gains, A_ub=matrix, b_ub=limits, method="highs")
        assert (found is not None) == (expected.status == 0)
        if found is None:
            continue
        solvable += 1
        point, prices = found
        assert gains @ point == pytest.approx(-expected.fun, abs=1e-8)
        assert prices @ limits == pytest.approx(-expected.fun, abs=1e-8)
        assert point.min() >= -1e-9 and np.all(matrix @ point <= limits + 1e-9)
        assert prices.min() >= -1e-9 and np.all(prices @ matrix >= gains - 1e-9)
    assert 20 < solvable < 130


@pytest.mark.parametrize(
    "gains, matrix, limits",
    [
        ([1.0], [[1.0]], [-1.0]),  # nothing is feasible
        ([1.0], [[-1.0]], [1.0]),  # no end
        ([1.0, 1.0], [[1.0, -1.0]], [0.0]),
    ],
)
def test_programs_without_an_optimum_give_none(gains, matrix, limits):
    assert simplex.maximise(np.array(gains), np.array(matrix), np.array(limits)) is None


def test_the_program_on_which_the_largest_gain_goes_in_circles_ends():
    # Beale (1955), as in textbooks.
    gains = np.array([0.75, -20.0, 0.5, -6.0])
    matrix = np.array([[0.25, -8.0, -1.0, 9.0], [0.5, -12.0, -0.5, 3.0], [0.0, 0.0, 1.0, 0.0]])
    point, _ = simplex.maximise(gains, matrix, np.array([0.0, 0.0, 1.0]))
    assert gains @ point == pytest.approx(1.25)
