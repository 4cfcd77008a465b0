"""What every registered LP solver must do: solve games whose value is known, grown or fresh, in silence."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest

from advsp.lp import open_session, resolve, solvers
from advsp.lp.base import certify

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
    monkeypatch.setattr(solvers.get("highs"), "missing", classmethod(lambda cls: "taken away"))
    assert resolve("auto") == "linprog"
    monkeypatch.setattr(solvers.get("highs"), "missing", classmethod(lambda cls: None))
    assert resolve("auto") == "highs"
