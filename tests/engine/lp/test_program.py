"""Linear programs: what is none, what the certificate refuses, and who is asked when a solver is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_array

from advsp.engine.lp import maximise, solvers
from advsp.engine.lp.base import UncertifiedSolution
from advsp.engine.lp.program import LinearProgram, certify_program
from advsp.support.errors import InputError

#: 3 a + 2 b where a + b <= 4 and a <= 2: best at a = b = 2, at prices of 2 and 1.
PROGRAM = LinearProgram(np.array([3.0, 2.0]), np.array([[1.0, 1.0], [1.0, 0.0]]), np.array([4.0, 2.0]))
POINT, PRICES = np.array([2.0, 2.0]), np.array([2.0, 1.0])


# --- programs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gains", "matrix", "limits"),
    [
        ([1.0], [[1.0, 1.0]], [1.0]),
        ([1.0, 1.0], [[1.0, 1.0]], [1.0, 2.0]),
        ([], np.zeros((1, 0)), [1.0]),
        ([1.0], np.zeros((0, 1)), []),
        ([[1.0]], [[1.0]], [1.0]),
        ([1.0], [[1.0]], 1.0),
    ],
)
def test_sizes_must_agree(gains, matrix, limits):
    with pytest.raises(ValueError, match="make no linear program"):
        LinearProgram(gains, matrix, limits)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_must_be_finite(bad):
    for gains, matrix, limits in (([bad], [[1.0]], [1.0]), ([1.0], [[bad]], [1.0]), ([1.0], [[1.0]], [bad])):
        with pytest.raises(ValueError, match="must be finite"):
            LinearProgram(gains, matrix, limits)


def test_matrix_may_be_sparse():
    sparse = LinearProgram(PROGRAM.gains, coo_array(PROGRAM.matrix.toarray()), PROGRAM.limits)
    assert np.array_equal(sparse.matrix.toarray(), PROGRAM.matrix.toarray())
    assert maximise(sparse).value == pytest.approx(10.0)


# --- the certificate -------------------------------------------------------------------------------


def test_optimum_is_certified_with_its_value():
    solution = certify_program(PROGRAM, POINT, PRICES, 1e-9)
    assert (solution.value, solution.gap) == (10.0, 0.0)
    assert np.array_equal(solution.point, POINT) and np.array_equal(solution.prices, PRICES)


@pytest.mark.parametrize(
    ("point", "prices", "complaint"),
    [
        ([0.0, 4.0], PRICES, "the gap is 2"),
        (POINT, [3.0, 0.0], "the gap is 2"),
        ([3.0, 1.0], PRICES, "a limit is exceeded by 1"),
        ([2.5, 2.0], PRICES, "a limit is exceeded by 0.5"),
        ([-0.5, 4.0], PRICES, "point with a number of -0.5"),
        (POINT, [1.5, 1.0], "the prices fall short of a gain by 0.5"),
        (POINT, [3.5, -1.0], "prices with a number of -1"),
        ([np.nan, 2.0], PRICES, "point with a number that is not finite"),
        (POINT, [np.inf, 1.0], "prices with a number that is not finite"),
        ([2.0], PRICES, r"point of shape \(1,\), expected \(2,\)"),
        (POINT, [2.0, 1.0, 0.0], r"prices of shape \(3,\), expected \(2,\)"),
    ],
)
def test_what_is_no_optimum_is_refused_with_the_reason(point, prices, complaint):
    with pytest.raises(UncertifiedSolution, match=complaint):
        certify_program(PROGRAM, np.array(point), np.array(prices), 1e-9)


def test_rounding_is_cleaned_up():
    shut = LinearProgram([1.0, 1.0], [[1.0, 1.0]], [0.0])
    solution = certify_program(shut, np.array([1e-12, -1e-12]), np.array([1.0]), 1e-9)
    assert solution.point.min() == 0.0
    free = LinearProgram([-1.0], [[1.0]], [1.0])
    assert certify_program(free, np.array([0.0]), np.array([-1e-12]), 1e-9).prices.tolist() == [0.0]


@pytest.mark.parametrize(
    ("point", "prices"),
    [([2.0, 2.0], [2.0, 1.0 - 4e-6]), ([2.0, 2.0 + 4e-6], [2.0, 1.0]), ([2.0, 2.0 - 4e-6], [2.0, 1.0])],
    ids=["price too low", "limit exceeded", "less than there is"],
)
def test_everything_holds_to_the_tolerance(point, prices):
    certify_program(PROGRAM, np.array(point), np.array(prices), 3e-6)
    with pytest.raises(UncertifiedSolution):
        certify_program(PROGRAM, np.array(point), np.array(prices), 3e-7)


def test_tolerance_grows_with_limits_and_gains():
    large = LinearProgram(1e3 * PROGRAM.gains, PROGRAM.matrix, 1e3 * PROGRAM.limits)
    point, prices = 1e3 * POINT + np.array([0.0, 1e-3]), 1e3 * PRICES - np.array([0.0, 1e-3])
    assert certify_program(large, point, prices, 1e-6).value == pytest.approx(1e7)
    with pytest.raises(UncertifiedSolution, match="a limit is exceeded by 0.001"):
        certify_program(large, point, 1e3 * PRICES, 1e-7)
    with pytest.raises(UncertifiedSolution, match="the prices fall short of a gain by 0.001"):
        certify_program(large, 1e3 * POINT, prices, 1e-7)


# --- solvers that lie ------------------------------------------------------------------------------


def admits_failure(program):
    raise UncertifiedSolution("status Infeasible")


def does_nothing(program):
    return np.zeros(2), np.array([program.gains.max(), 0.0])


def must_not_be_asked(program):
    raise AssertionError("nobody should have asked")


@pytest.fixture
def backends(monkeypatch):
    """Puts answers in the place of highs, and of the fallback."""

    def replace(backend, fallback=None):
        monkeypatch.setattr(solvers.get("highs"), "missing", classmethod(lambda cls: None))
        monkeypatch.setattr(solvers.get("highs"), "maximise", lambda self, program: backend(program))
        if fallback is not None:
            monkeypatch.setattr(solvers.get("linprog"), "maximise", lambda self, program: fallback(program))

    return replace


@pytest.mark.parametrize("lie", [does_nothing, admits_failure])
def test_lie_is_caught_and_replaced_by_the_fallback(backends, lie):
    backends(lie)
    solution = maximise(PROGRAM, "highs")
    assert solution.value == pytest.approx(10.0)
    assert solution.point == pytest.approx(POINT)


def test_fallback_is_not_asked_without_need(backends):
    # A backend is given the gains in a unit of their own.
    backends(lambda program: (POINT, PRICES * program.gains[0] / PROGRAM.gains[0]), must_not_be_asked)
    assert maximise(PROGRAM, "highs").value == pytest.approx(10.0)


def test_when_all_lie_the_error_says_what_each_of_them_did(backends):
    backends(does_nothing, admits_failure)
    with pytest.raises(UncertifiedSolution, match="Highs: the gap is .*; Linprog: status Infeasible"):
        maximise(PROGRAM, "highs")
    with pytest.raises(UncertifiedSolution, match="^Linprog: status Infeasible$"):
        maximise(PROGRAM, "linprog")


def test_every_lie_is_logged(backends, caplog):
    backends(does_nothing)
    with caplog.at_level("INFO"):
        maximise(PROGRAM, "highs")
    assert caplog.text.count("a linear program of 2 x 2 failed its certificate: Highs: the gap is") == 1


def test_unknown_and_missing_solvers_are_named(monkeypatch):
    with pytest.raises(InputError, match="unknown LP solver 'linprg' .*did you mean 'linprog'"):
        maximise(PROGRAM, "linprg")
    monkeypatch.setattr(solvers.get("highs"), "package", "no_such_package_anywhere")
    with pytest.raises(InputError, match=r"'no_such_package_anywhere' is not installed.*pip install"):
        maximise(PROGRAM, "highs")
