"""Bipartite matchings: the assignment problem, the linear program, and every matching tried, agree."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from installed import each

from advsp.engine import lp
from advsp.engine.lp import solvers
from advsp.engine.lp.program import ProgramSolution, UncertifiedSolution
from advsp.engine.measures.base import AdditiveCosts
from advsp.engine.structures.matching import BipartiteMatching
from advsp.engine.structures.matching_program import matching_by_program

NO_COST = AdditiveCosts(np.zeros((6, 2)))
PRECISE = each(solvers, lambda solver: solver.tolerance <= 1e-9)
COARSE = each(solvers, lambda solver: solver.tolerance > 1e-9)

both_paths = pytest.mark.parametrize("prune", [True, False], ids=["assignment", "linear program"])


@both_paths
def test_best_response_may_leave_the_single_best_link_out(prune):
    # The best link, 5, blocks both links of 4.
    potentials = np.zeros((4, 2))
    potentials[:, 1] = [5.0, 4.0, 4.0, 0.0]
    structure = BipartiteMatching(potentials, (2, 2))
    assert structure.best().tolist() == [0, 1, 1, 0]
    assert structure.respond(AdditiveCosts(np.zeros((4, 2))), prune).labelling.tolist() == [0, 1, 1, 0]


@both_paths
def test_links_that_lose_are_not_made(prune):
    potentials = np.zeros((6, 2))
    potentials[:, 1] = -1.0
    response = BipartiteMatching(potentials, (2, 3)).respond(NO_COST, prune)
    assert (response.labelling.tolist(), response.cost) == ([0] * 6, 0.0)


@both_paths
def test_links_that_are_forbidden_are_not_made_though_they_cost_nothing(prune):
    potentials = np.zeros((2, 3))
    potentials[0, 1:] = potentials[1, 2] = -np.inf
    costs = AdditiveCosts(np.array([[0.0, -9.0, -9.0], [0.0, -1.0, -9.0]]))
    response = BipartiteMatching(potentials, (1, 2)).respond(costs, prune)
    assert (response.labelling.tolist(), response.cost) == ([0, 1], -1.0)


@both_paths
def test_where_every_link_is_forbidden_there_is_none(prune):
    potentials = np.full((4, 3), -np.inf)
    potentials[:, 0] = 0.5
    response = BipartiteMatching(potentials, (2, 2)).respond(AdditiveCosts(np.zeros((4, 3))), prune)
    assert (response.labelling.tolist(), response.cost) == ([0] * 4, -2.0)


def test_edges_must_fill_the_grid():
    with pytest.raises(ValueError, match=r"6 edges do not fill a grid of \(2, 2\)"):
        BipartiteMatching(np.zeros((6, 2)), (2, 2))


def test_an_edge_cannot_be_forced_to_be_a_link():
    potentials = np.zeros((4, 2))
    potentials[2, 0] = -np.inf
    with pytest.raises(ValueError, match="every edge must be allowed to go without a link"):
        BipartiteMatching(potentials, (2, 2))


def test_a_word_of_either_side_may_have_one_link_only():
    structure = BipartiteMatching(np.zeros((6, 3)), (2, 3))
    labellings = {
        (0, 0, 0, 0, 0, 0): True,
        (0, 0, 1, 2, 0, 0): True,
        (1, 0, 2, 0, 0, 0): False,
        (0, 1, 0, 0, 2, 0): False,
        (0, 0, 0, 0, 1, 1): False,
        (0, 0, 2, 0, 0, 2): False,
    }
    assert structure.allows(np.array(list(labellings), np.int8)).tolist() == list(labellings.values())


# --- the linear program ----------------------------------------------------------------------------

SHAPES = [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1), (3, 2), (3, 3)]
#: Savings that tie, that are nothing, that differ by a hair, that are forbidden.
SAVINGS = {
    "zero": st.just(0.0),
    "ties": st.integers(-2, 2).map(float),
    "near ties": st.sampled_from([0.0, 1.0, 1.0 + 1e-6, 1.0 - 1e-6, 2.0, 2.0 + 1e-6]),
    "tiny": st.sampled_from([0.0, 1e-5, -1e-5, 3e-7, -1e-8, 1e-12]),
    "normal": st.floats(-1.0, 1.0, width=32),
    "large": st.floats(-1e6, 1e6, width=32),
    "forbidden": st.sampled_from([0.0, 0.5, 1.0, -np.inf]),
}


@st.composite
def savings(draw) -> tuple[np.ndarray, tuple[int, int]]:
    """What links of one or two kinds save, and the shape of their grid."""
    shape, kinds = draw(st.sampled_from(SHAPES)), draw(st.integers(1, 2))
    elements = SAVINGS[draw(st.sampled_from(sorted(SAVINGS)))]
    return draw(hnp.arrays(float, (shape[0] * shape[1], kinds), elements=elements)), shape


def checked(examples: int):
    return settings(derandomize=True, deadline=2000, max_examples=examples)


def assert_saves_most(labelling: np.ndarray, table: np.ndarray, shape: tuple[int, int], slack: float) -> None:
    """No matching saves more, to ``slack`` times the largest saving."""

    def saved(matching: tuple) -> float:
        return sum(table[edge, label - 1] for edge, label in enumerate(matching) if label)

    every = brute_force.matchings(shape, table.shape[1] + 1)
    assert labelling.dtype == np.int8
    assert tuple(labelling.tolist()) in every
    unit = max((abs(saving) for saving in table.ravel() if np.isfinite(saving)), default=0.0)
    assert saved(tuple(labelling.tolist())) >= max(map(saved, every)) - slack * unit


@pytest.mark.parametrize("name", PRECISE)
@checked(150)
@given(drawn=savings())
def test_linear_program_finds_the_matching_that_saves_most(name, drawn):
    assert_saves_most(matching_by_program(*drawn, name), *drawn, slack=1e-11)


@pytest.mark.parametrize("name", COARSE)
@checked(25)
@given(drawn=savings())
def test_solver_of_few_digits_finds_a_matching_that_saves_about_as_much(name, drawn):
    assert_saves_most(matching_by_program(*drawn, name), *drawn, slack=3 * solvers.get(name).tolerance)


@checked(200)
@given(drawn=savings())
def test_assignment_and_linear_program_agree(drawn):
    table, shape = drawn
    structure = BipartiteMatching(np.concatenate([np.zeros((len(table), 1)), table], axis=1), shape)
    costs = AdditiveCosts(np.zeros((len(table), structure.labels)))
    assignment, program = structure.respond(costs, prune=True), structure.respond(costs, prune=False)
    assert_saves_most(assignment.labelling, table, shape, slack=1e-12)
    for response in (assignment, program):
        attained = -structure.potential(response.labelling[None])[0]
        assert response.cost == pytest.approx(attained, rel=1e-12, abs=1e-12)
    unit = max(1.0, np.abs(table, where=np.isfinite(table), out=np.zeros_like(table)).max())
    assert assignment.cost == pytest.approx(program.cost, abs=1e-11 * unit)


@pytest.mark.parametrize("name", PRECISE)
@pytest.mark.parametrize("shape", [(12, 12), (7, 20), (20, 7)])
def test_assignment_and_linear_program_agree_on_large_grids(name, shape):
    rng = np.random.default_rng(shape)
    potentials = rng.normal(size=(shape[0] * shape[1], 3))
    potentials[rng.random(len(potentials)) < 0.2, 2] = -np.inf
    structure, costs = BipartiteMatching(potentials, shape), rng.random((len(potentials), 3))
    reduced = costs - potentials
    labelling = matching_by_program(reduced[:, :1] - reduced[:, 1:], shape, name)
    assert structure.allows(labelling[None])[0]
    expected = structure.respond(AdditiveCosts(costs)).cost
    assert reduced[np.arange(len(reduced)), labelling].sum() == pytest.approx(expected, abs=1e-8)


def test_reference_solves_the_linear_program_and_the_other_path_does_not(monkeypatch):
    from advsp.engine.structures import matching

    asked = []
    original = matching.matching_by_program
    monkeypatch.setattr(
        matching, "matching_by_program", lambda *given: asked.append(given) or original(*given)
    )
    structure = BipartiteMatching(np.ones((6, 2)), (2, 3))
    structure.respond(NO_COST, prune=True)
    assert asked == []
    structure.respond(NO_COST, prune=False)
    assert len(asked) == 1


def test_optimum_that_is_no_matching_is_refused(monkeypatch):
    # Both links of a word save alike; half of either is optimal, too, but no vertex.
    from advsp.engine.structures import matching_program

    halves = ProgramSolution(np.array([0.5, 0.5]), np.array([1.0, 0.0, 0.0]), 1.0, 0.0)
    assert lp.maximise is matching_program.maximise
    monkeypatch.setattr(matching_program, "maximise", lambda program, name: halves)
    with pytest.raises(UncertifiedSolution, match="a mixture of matchings"):
        matching_by_program(np.ones((2, 1)), (1, 2))
