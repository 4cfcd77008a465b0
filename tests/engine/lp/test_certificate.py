"""The certificate refuses whatever is not an equilibrium, and a session gets a right answer all the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from advsp.engine.lp import solvers
from advsp.engine.lp.base import (
    CertifiedSession,
    LPSolver,
    Session,
    UncertifiedSolution,
    certify,
    pure_saddle,
)

PENNIES = np.array([[1.0, -1.0], [-1.0, 1.0]])
#: Value 1/5, attained by 2/5 and 3/5 on either side; no saddle point.
STAKES = np.array([[2.0, -1.0], [-1.0, 1.0]])
EVEN, FIRST = np.array([0.5, 0.5]), np.array([1.0, 0.0])
Linprog = solvers.get("linprog")

# --- certify ---------------------------------------------------------------------------------------


def test_equilibrium_is_certified_with_its_value():
    solution = certify(STAKES, np.array([0.4, 0.6]), np.array([0.4, 0.6]), 1e-9)
    assert solution.value == pytest.approx(0.2, abs=1e-15)
    assert solution.gap == pytest.approx(0.0, abs=1e-15)


def test_value_is_the_middle_of_the_bracket_and_gap_its_width():
    solution = certify(PENNIES, EVEN, np.array([0.55, 0.45]), 0.1)
    assert (solution.value, solution.gap) == (pytest.approx(0.05), pytest.approx(0.1))


@pytest.mark.parametrize(
    ("row", "column", "complaint"),
    [
        (FIRST, EVEN, "the gap is 1"),
        (EVEN, FIRST, "the gap is 1"),
        (np.array([1.5, -0.5]), EVEN, "the row mixture has a probability of -0.5"),
        (EVEN, np.array([-0.5, 1.5]), "the column mixture has a probability of -0.5"),
        (np.array([0.25, 0.25]), EVEN, "the row mixture sums to 0.5"),
        (EVEN, np.array([0.75, 0.75]), "the column mixture sums to 1.5"),
        (np.zeros(2), EVEN, "the row mixture sums to 0"),
        (np.array([np.nan, 1.0]), EVEN, "the row mixture is not finite"),
        (EVEN, np.array([np.inf, 0.0]), "the column mixture is not finite"),
    ],
)
def test_what_is_no_equilibrium_is_refused_with_the_reason(row, column, complaint):
    with pytest.raises(UncertifiedSolution, match=complaint):
        certify(PENNIES, row, column, 1e-9)


def test_rounding_is_cleaned_up():
    solution = certify(PENNIES, np.array([0.5, 0.5 + 1e-12]), EVEN, 1e-9)
    assert solution.row.sum() == pytest.approx(1.0, abs=1e-15)
    tiny = np.array([[1.0, -1.0, 5.0], [-1.0, 1.0, 5.0]])
    solution = certify(tiny, EVEN, np.array([0.5, 0.5, -1e-12]), 1e-9)
    assert solution.column.min() == 0.0
    assert solution.column.sum() == pytest.approx(1.0, abs=1e-15)


def test_tolerance_grows_with_the_spread_of_the_payoffs():
    slightly_off = np.array([0.5 + 1e-4, 0.5 - 1e-4])
    assert certify(1e3 * PENNIES, EVEN, slightly_off, 2e-4).gap == pytest.approx(0.2)
    with pytest.raises(UncertifiedSolution, match="allowed 0.1"):
        certify(1e3 * PENNIES, EVEN, slightly_off, 5e-5)


def test_payoffs_that_are_not_numbers_are_never_certified():
    with pytest.raises(UncertifiedSolution):
        certify(np.full((2, 2), np.nan), EVEN, EVEN, 1e-9)


# --- saddle points ---------------------------------------------------------------------------------

small_games = hnp.arrays(
    float,
    hnp.array_shapes(min_dims=2, max_dims=2, max_side=4),
    elements=st.integers(-2, 2).map(float),
)


@settings(derandomize=True, deadline=1000)
@given(small_games)
def test_saddle_point_is_found_exactly_where_there_is_one(payoffs):
    has_one = any(
        payoffs[i, j] == payoffs[i].min() == payoffs[:, j].max() for i, j in np.ndindex(payoffs.shape)
    )
    found = pure_saddle(payoffs)
    assert (found is not None) == has_one
    if found is not None:
        assert certify(payoffs, *found, tolerance=0.0).gap == 0.0


# --- backends that lie -----------------------------------------------------------------------------


class FakeSession(Session):
    def __init__(self, answer):
        self.answer = answer

    def solve(self, payoffs):
        return self.answer(payoffs)


class Fake(LPSolver):
    """A backend whose sessions give the answers handed in, one after another; the last one for ever."""

    def __init__(self, *answers):
        self.answers, self.sessions = list(answers), 0

    def session(self):
        self.sessions += 1
        return FakeSession(self.next_answer)

    def maximise(self, program):
        raise AssertionError("a game is no linear program")

    def next_answer(self, payoffs):
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return answer(payoffs)


def honest(payoffs):
    return Linprog().session().solve(payoffs)


def only_the_first_strategies(payoffs):
    return np.eye(len(payoffs))[0], np.eye(payoffs.shape[1])[0]


def mixtures_swapped(payoffs):
    return honest(payoffs)[::-1]


def half_the_mass(payoffs):
    row, column = honest(payoffs)
    return row / 2, column


def negative_mass(payoffs):
    row, column = honest(payoffs)
    return 2 * row - np.eye(len(row))[0], column


def not_a_number(payoffs):
    row, column = honest(payoffs)
    return row, column * np.nan


def admits_failure(payoffs):
    raise UncertifiedSolution("status Infeasible")


def must_not_be_asked(payoffs):
    raise AssertionError("nobody should have asked")


LIES = [only_the_first_strategies, half_the_mass, negative_mass, not_a_number, admits_failure]


@pytest.mark.parametrize("lie", LIES)
def test_lie_is_caught_asked_again_and_replaced_by_the_fallback(lie):
    backend, fallback = Fake(lie), Fake(honest)
    session = CertifiedSession(backend, fallback)
    assert session.solve(STAKES).value == pytest.approx(0.2, abs=1e-9)
    assert session.failures == 2
    assert (backend.sessions, fallback.sessions) == (2, 1)


def test_mixtures_handed_to_the_wrong_players_are_caught():
    asymmetric = np.array([[3.0, 1.0], [0.0, 2.0]])
    session = CertifiedSession(Fake(mixtures_swapped), Fake(honest))
    assert session.solve(asymmetric).value == pytest.approx(1.5, abs=1e-9)
    assert session.failures == 2


@pytest.mark.parametrize("lie", LIES)
def test_single_lie_is_mended_by_a_fresh_session_of_the_same_backend(lie):
    backend = Fake(lie, honest)
    session = CertifiedSession(backend, Fake(must_not_be_asked))
    assert session.solve(STAKES).value == pytest.approx(0.2, abs=1e-9)
    assert session.failures == 1
    assert backend.sessions == 2


def test_session_that_lied_is_not_trusted_with_the_next_matrix():
    backend = Fake(only_the_first_strategies, honest)
    session = CertifiedSession(backend, Fake(must_not_be_asked))
    session.solve(STAKES)
    session.solve(np.pad(STAKES, ((0, 1), (0, 0)), constant_values=-5.0))
    assert backend.sessions == 3
    assert session.failures == 1


def test_honest_session_is_kept_while_the_game_grows():
    backend = Fake(honest)
    session = CertifiedSession(backend, Fake(must_not_be_asked))
    session.solve(STAKES)
    session.solve(np.pad(STAKES, ((0, 1), (0, 0)), constant_values=-5.0))
    assert (backend.sessions, session.failures) == (1, 0)


def test_saddle_point_needs_no_linear_program():
    session = CertifiedSession(Fake(must_not_be_asked), Fake(must_not_be_asked))
    assert session.solve(np.array([[4.0, 2.0], [1.0, 0.0]])).value == 2.0


def test_when_all_lie_the_error_says_what_each_of_them_did():
    session = CertifiedSession(Fake(half_the_mass), Fake(only_the_first_strategies))
    with pytest.raises(UncertifiedSolution, match=r"sums to 0\.5.*sums to 0\.5.*the gap is"):
        session.solve(STAKES)


def test_every_lie_is_logged(caplog):
    caplog.set_level("INFO")
    CertifiedSession(Fake(half_the_mass), Fake(honest)).solve(STAKES)
    assert caplog.text.count("a matrix game of 2 x 2 failed its certificate: Fake: the row mixture sums") == 2


def test_mixture_over_strategies_that_do_not_exist_is_replaced_by_the_fallback():
    def one_too_many(payoffs):
        row, column = honest(payoffs)
        return np.append(row, 0.0), column

    session = CertifiedSession(Fake(one_too_many), Fake(honest))
    assert session.solve(STAKES).value == pytest.approx(0.2, abs=1e-9)
