"""What every registered LP solver must do: solve games and programs whose value is known, in silence."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest

from advsp.engine.lp import maximise, open_session, solvers
from advsp.engine.lp.base import UncertifiedSolution, certify
from advsp.engine.lp.program import LinearProgram, certify_program

#: Games and their values.
KNOWN = {
    "matching pennies": ([[1, -1], [-1, 1]], 0.0),
    "rock, paper, scissors": ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0.0),
    "unequal stakes": ([[2, -1], [-1, 1]], 1 / 5),
    "guess one of four": (np.eye(4), 1 / 4),
    "strictly dominated row and column": ([[1, -1, 9], [-1, 1, 9], [-9, -9, 0]], 0.0),
    "saddle point": ([[4, 2, 5], [1, 0, 9]], 2.0),
    "all payoffs equal": (np.full((3, 4), 0.7), 0.7),
    "two equal rows": ([[1, -1], [1, -1], [-1, 1]], 0.0),
    "one row": ([[0.3, -0.2, 0.5]], -0.2),
    "one column": ([[0.3], [-0.2], [0.5]], 0.5),
    "one cell": ([[-3.5]], -3.5),
    "never positive": ([[-5, -7], [-8, -4]], -6.0),
    "large payoffs": (1e4 * np.array([[2, -1], [-1, 1]]) + 3e3, 5e3),
    "small payoffs": (1e-3 * np.array([[2, -1], [-1, 1]]), 2e-4),
}


@pytest.fixture(params=solvers.names())
def name(request) -> str:
    reason = solvers.get(request.param).missing()
    if reason is not None:
        pytest.skip(f"{request.param}: {reason}")
    return request.param


def slack(name: str, payoffs: np.ndarray) -> float:
    return solvers.get(name).tolerance * max(1.0, float(np.ptp(payoffs)))


@pytest.mark.parametrize("title", KNOWN)
def test_known_game_has_its_value_in_a_certified_session(name, title):
    payoffs, expected = np.array(KNOWN[title][0], dtype=float), KNOWN[title][1]
    session = open_session(name)
    assert session.solve(payoffs).value == pytest.approx(expected, abs=slack(name, payoffs))
    assert session.failures == 0


@pytest.mark.parametrize("title", KNOWN)
def test_backend_itself_passes_the_certificate(name, title):
    # A certified session takes saddle points as they are; here the linear program is solved for all.
    payoffs, expected = np.array(KNOWN[title][0], dtype=float), KNOWN[title][1]
    solver = solvers.get(name)()
    solution = certify(payoffs, *solver.session().solve(payoffs), tolerance=solver.tolerance)
    assert solution.value == pytest.approx(expected, abs=slack(name, payoffs))


def test_mixtures_of_rock_paper_scissors_are_uniform(name):
    solution = open_session(name).solve(np.array(KNOWN["rock, paper, scissors"][0], dtype=float))
    assert solution.row == pytest.approx(np.full(3, 1 / 3), abs=1e-5)
    assert solution.column == pytest.approx(np.full(3, 1 / 3), abs=1e-5)


def test_mixtures_of_unequal_stakes_are_those_that_make_the_opponent_indifferent(name):
    solution = open_session(name).solve(np.array(KNOWN["unequal stakes"][0], dtype=float))
    assert solution.row == pytest.approx([2 / 5, 3 / 5], abs=1e-5)
    assert solution.column == pytest.approx([2 / 5, 3 / 5], abs=1e-5)


def test_dominated_strategies_get_no_mass(name):
    solution = open_session(name).solve(np.array(KNOWN["strictly dominated row and column"][0], dtype=float))
    assert solution.row == pytest.approx([0.5, 0.5, 0.0], abs=1e-5)
    assert solution.column == pytest.approx([0.5, 0.5, 0.0], abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_random_game_of_50_by_50_has_the_value_found_independently(name, seed):
    payoffs = np.random.default_rng(seed).normal(size=(50, 50))
    session = open_session(name)
    expected = brute_force.value(payoffs)
    assert session.solve(payoffs).value == pytest.approx(expected, abs=slack(name, payoffs))
    assert session.failures == 0


def grown_shapes(rng: np.random.Generator) -> list[tuple[int, int]]:
    """Shapes from 1 x 1 on, each with some rows or columns, or both, or none more than the last."""
    shapes = [(1, 1)]
    while len(shapes) < 16:
        rows, columns = shapes[-1]
        shapes.append((rows + int(rng.integers(0, 3)), columns + int(rng.integers(0, 3))))
    return shapes


@pytest.mark.parametrize("seed", range(3))
def test_grown_session_equals_a_fresh_one(name, seed):
    rng = np.random.default_rng(seed)
    shapes = grown_shapes(rng)
    whole = rng.integers(-3, 4, size=shapes[-1]) / 3.0
    solver = solvers.get(name)()
    grown = solver.session()
    for rows, columns in shapes:
        payoffs = whole[:rows, :columns]
        later = certify(payoffs, *grown.solve(payoffs), tolerance=solver.tolerance)
        fresh = certify(payoffs, *solver.session().solve(payoffs), tolerance=solver.tolerance)
        assert later.value == pytest.approx(fresh.value, abs=slack(name, payoffs))


def test_session_does_not_touch_its_matrix(name):
    payoffs = np.random.default_rng(7).normal(size=(5, 6))
    before = payoffs.copy()
    open_session(name).solve(payoffs)
    assert np.array_equal(payoffs, before)


def test_two_sessions_do_not_disturb_each_other(name):
    first, second = np.random.default_rng(1).normal(size=(2, 6, 6))
    solver = solvers.get(name)()
    one, other = solver.session(), solver.session()
    one.solve(first[:3, :3])
    other.solve(second[:4, :4])
    solution = certify(first, *one.solve(first), tolerance=solver.tolerance)
    assert solution.value == pytest.approx(brute_force.value(first), abs=slack(name, first))


def test_solving_prints_nothing(name, capfd):
    open_session(name).solve(np.random.default_rng(3).normal(size=(8, 8)))
    assert capfd.readouterr() == ("", "")


def test_payoffs_below_a_billionth_are_solved(name):
    # Solvers drop entries of a matrix that are nearly zero.
    payoffs = 9e-10 * np.array([[1.0, -1.0], [-1.0, 1.0]])
    session = open_session(name)
    assert session.solve(payoffs).value == pytest.approx(0.0, abs=1e-9)
    assert session.failures == 0


@pytest.mark.parametrize("common", [1e4, 1e8, 1e12, -1e8])
def test_payoffs_with_a_large_part_in_common_are_solved(name, common):
    rounding = 1e-14 * abs(common)
    for seed in range(10):
        payoffs = np.random.default_rng(seed).normal(size=(4, 4)) + common
        session = open_session(name)
        expected = brute_force.value(payoffs)
        assert session.solve(payoffs).value == pytest.approx(expected, abs=slack(name, payoffs) + rounding)
        assert session.failures == 0


def test_auto_is_the_first_installed_of_the_fastest(monkeypatch):
    for name in ("compiled", "highs"):
        monkeypatch.setattr(solvers.get(name), "missing", classmethod(lambda cls: "taken away"))
    assert solvers.resolve("auto") == "linprog"
    monkeypatch.setattr(solvers.get("highs"), "missing", classmethod(lambda cls: None))
    assert solvers.resolve("auto") == "highs"


# --- linear programs -------------------------------------------------------------------------------

#: Gains, matrix and limits of a linear program, and the most that can be gained.
PROGRAMS = {
    "two limits": ([3, 2], [[1, 1], [1, 0]], [4, 2], 10.0),
    "one variable and one limit": ([2], [[4]], [6], 3.0),
    "nothing to gain": ([0, 0], [[1, 1]], [1], 0.0),
    "everything loses": ([-1, -2], [[1, 1]], [1], 0.0),
    "something must be done": ([-2, -1], [[-1, -1]], [-3], -3.0),
    "two variables alike": ([1, 1], [[1, 1]], [2], 2.0),
    "variable that no limit bounds": ([-1, 2], [[0, 1]], [1], 2.0),
    "limit on nothing": ([1, 2], [[0, 0], [1, 1]], [1, 1], 2.0),
    "limit of zero": ([1, 1], [[1, -1], [1, 1]], [0, 2], 2.0),
    "degenerate vertex": ([1, 1], [[1, 0], [0, 1], [1, 1], [2, 1]], [1, 1, 2, 3], 2.0),
    "limits that say the same": ([1, 0], [[1, 1], [2, 2], [1, 1]], [1, 2, 1], 1.0),
    "vertex of fractions": ([1, 1, 1], [[1, 1, 0], [0, 1, 1], [1, 0, 1]], [1, 1, 1], 1.5),
    "large gains": ([3e9, 2e9], [[1, 1], [1, 0]], [4, 2], 1e10),
    "tiny gains": ([3e-9, 2e-9], [[1, 1], [1, 0]], [4, 2], 1e-8),
}


def program(title: str) -> LinearProgram:
    gains, matrix, limits, _ = PROGRAMS[title]
    return LinearProgram(gains, matrix, limits)


@pytest.mark.parametrize("title", PROGRAMS)
def test_known_program_has_its_optimum_with_a_certificate(name, title):
    gains, matrix, limits, expected = PROGRAMS[title]
    unit = float(np.abs(gains).max()) or 1.0
    allowed = 5 * solvers.get(name).tolerance * unit
    solution = maximise(program(title), name)
    assert solution.value == pytest.approx(expected, rel=0, abs=allowed)
    assert np.dot(gains, solution.point) == pytest.approx(solution.value, rel=1e-12)
    assert np.dot(limits, solution.prices) == pytest.approx(solution.value + solution.gap, rel=1e-12)
    assert abs(solution.gap) <= allowed
    assert min(solution.point.min(), solution.prices.min()) >= 0.0
    assert np.all(np.array(matrix) @ solution.point <= np.array(limits) + 1e-6)
    assert np.all(np.array(matrix).T @ solution.prices >= np.array(gains) - allowed)


@pytest.mark.parametrize("title", [title for title in PROGRAMS if "gains" not in title])
def test_backend_itself_finds_what_the_certificate_asks_for(name, title):
    solver = solvers.get(name)()
    found = certify_program(program(title), *solver.maximise(program(title)), tolerance=solver.tolerance)
    assert found.value == pytest.approx(PROGRAMS[title][-1], abs=5 * solver.tolerance)


def test_prices_say_what_one_more_unit_of_a_limit_is_worth(name):
    assert maximise(program("two limits"), name).prices == pytest.approx([2.0, 1.0], abs=1e-5)


def test_the_unit_of_the_gains_changes_no_point(name):
    for unit in (1e-12, 1e12):
        gains, matrix, limits, _ = PROGRAMS["two limits"]
        solution = maximise(LinearProgram(unit * np.array(gains), matrix, limits), name)
        assert solution.point == pytest.approx([2.0, 2.0], abs=1e-5)
        assert solution.prices == pytest.approx([2.0 * unit, unit], rel=1e-5)


@pytest.mark.parametrize("seed", range(12))
def test_random_program_has_the_value_found_by_trying_all_vertices(name, seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 5, size=2)
    gains, matrix = rng.integers(-2, 4, size=columns) / 2.0, rng.integers(-1, 3, size=(rows, columns)) / 1.0
    # A last limit bounds all variables; where some limits are below zero there may be nothing to find.
    matrix = np.vstack([matrix, np.ones(columns)])
    limits = np.append(rng.integers(-1, 4, size=rows), 5.0)
    expected = brute_force.linear_program(gains, matrix, limits)
    if np.isfinite(expected):
        found = maximise(LinearProgram(gains, matrix, limits), name)
        assert found.value == pytest.approx(expected, abs=20 * solvers.get(name).tolerance)
    else:
        with pytest.raises(UncertifiedSolution):
            maximise(LinearProgram(gains, matrix, limits), name)


@pytest.mark.parametrize(
    ("matrix", "limits"), [([[1.0], [-1.0]], [1.0, -2.0]), ([[-1.0]], [1.0])], ids=["infeasible", "unbounded"]
)
def test_program_without_an_optimum_is_refused(name, matrix, limits):
    with pytest.raises(UncertifiedSolution):
        solvers.get(name)().maximise(LinearProgram([1.0], matrix, limits))
    with pytest.raises(UncertifiedSolution, match="(?i)infeasible|unbounded"):
        maximise(LinearProgram([1.0], matrix, limits), name)


def test_solving_a_program_prints_nothing_and_touches_nothing(name, capfd):
    asked = program("vertex of fractions")
    before = asked.gains.copy(), asked.matrix.toarray(), asked.limits.copy()
    maximise(asked, name)
    assert capfd.readouterr() == ("", "")
    for numbers, old in zip((asked.gains, asked.matrix.toarray(), asked.limits), before, strict=True):
        assert np.array_equal(numbers, old)
