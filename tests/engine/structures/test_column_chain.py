"""Column chains: by hand, pruned against unpruned on larger pairs, and their distribution by enumeration."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.mixture import Mixture
from advsp.engine.structures.column_chain import STEPS, ColumnChain
from advsp.engine.structures.column_sums import column_sums

N, P, S = range(3)


def drawn(seed: int, shape: tuple[int, int], labels: int = 3, scale: float = 1.0) -> ColumnChain:
    rng = np.random.default_rng(seed)
    potentials = rng.normal(scale=scale, size=(shape[0] * shape[1], labels))
    return ColumnChain(potentials, shape, rng.normal(scale=scale, size=(shape[1] - 1, 3)))


def grid(*rows: str) -> np.ndarray:
    """A labelling from its rows: a dot for no link, P and S for the others."""
    return np.array([".PS".index(label) for row in rows for label in row], dtype=np.int8)


@pytest.mark.parametrize(
    ("rows", "steps"),
    [
        (("S.", ".S"), "monotone"),
        ((".S", "S."), "swap"),
        (("SS", ".."), "stay"),
        (("S.", "P.", ".S"), "monotone"),
        (("SS", "P.", ".."), "stay"),
        (("..", "SS", "SP"), "stay"),
        ((".S", ".S", "S."), "swap"),
        (("S.", "..", ".S"), None),
        (("S.", "P.", ".."), None),
    ],
)
def test_every_step_has_its_own_potential(rows, steps):
    shape, labelling = (len(rows), len(rows[0])), grid(*rows)
    values = np.array([[1.0, 10.0, 100.0]])
    structure = ColumnChain(np.zeros((len(labelling), 3)), shape, values)
    expected = np.array([step == steps for step in STEPS], dtype=float)
    assert structure.potential(labelling[None])[0] == expected @ values[0]
    moments = ColumnChain.step_moments(labelling[None], np.array([0.25]), shape)
    assert moments.tolist() == [(0.25 * expected).tolist()]


def test_a_step_may_draw_a_word_to_a_link_it_would_not_have():
    potentials = np.zeros((4, 2))
    potentials[:, 1] = [2.0, -3.0, -5.0, -0.5]
    assert ColumnChain(potentials, (2, 2)).best().tolist() == [1, 0, 0, 0]
    assert ColumnChain(potentials, (2, 2), np.array([[1.0, 0.0, 0.0]])).best().tolist() == [1, 0, 0, 1]
    assert ColumnChain(potentials, (2, 2), np.array([[1.0, 0.0, 4.1]])).best().tolist() == [1, 1, 0, 0]


def test_nearest_keeps_the_two_neighbours_of_the_highest_labels_and_invents_nothing():
    gold = grid("S.P", "P.S", "S.S", "P..")
    kept = grid("S..", "P.S", "..S", "...")
    assert drawn(0, (4, 3)).nearest(gold).tolist() == kept.tolist()
    apart = grid("S", ".", "P", ".")
    assert drawn(0, (4, 1)).nearest(apart).tolist() == grid("S", ".", ".", ".").tolist()


@given(st.integers(0, 10**6), st.sampled_from([(1, 3), (3, 2), (2, 3), (4, 1)]))
def test_nearest_is_the_part_of_highest_labels_that_is_a_labelling(seed, shape):
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 3, size=shape[0] * shape[1]).astype(np.int8)
    parts = [np.array(y) for y in brute_force.column_chains(shape, 3)]
    parts = [y for y in parts if ((y == gold) | (y == 0)).all()]
    nearest = drawn(seed, shape).nearest(gold)
    assert any(np.array_equal(nearest, y) for y in parts)
    assert nearest.sum() == max(y.sum() for y in parts)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scale", [0.0, 0.1, 1.0, 5.0])
@pytest.mark.parametrize(
    "measure", [AlignmentAccuracy().on_links(), FBeta(2.0).on_target(3, 1)], ids=["aer", "f2"]
)
def test_pruned_response_over_a_sentence_equals_the_reference(measure, scale, seed):
    rng = np.random.default_rng([seed, int(10 * scale)])
    structure = drawn(seed, (9, 8), scale=scale)
    predictions = (rng.random((5, 72)) < 0.2).astype(np.int8)
    costs = measure.adversary_costs(Mixture(predictions, rng.dirichlet(np.ones(5))))
    pruned, reference = structure.respond(costs, prune=True), structure.respond(costs, prune=False)
    assert pruned.cost == pytest.approx(reference.cost, abs=1e-10)
    assert structure.allows(pruned.labelling[None])[0]
    own = costs.counted[pruned.labelling].sum()
    hits = costs.hits[pruned.labelling[costs.positions]] @ costs.weights[:, own]
    attained = costs.constant[own] + hits - structure.potential(pruned.labelling[None])[0]
    assert attained == pytest.approx(pruned.cost, abs=1e-10)


@pytest.mark.parametrize(("bad", "shape"), [((4, 3), (2, 3)), ((6, 3), (2, 2))])
def test_edges_that_do_not_fill_the_grid_are_refused(bad, shape):
    with pytest.raises(ValueError, match="edges do not fill a grid"):
        ColumnChain(np.zeros(bad), shape)


def test_steps_of_another_shape_and_edges_that_must_be_linked_are_refused():
    with pytest.raises(ValueError, match=r"potentials of steps must have shape \(1, 3\), not \(2, 3\)"):
        ColumnChain(np.zeros((4, 2)), (2, 2), np.zeros((2, 3)))
    forbidding = np.zeros((4, 2))
    forbidding[1, 0] = -np.inf
    with pytest.raises(ValueError, match="every edge must be allowed to go without a link"):
        ColumnChain(forbidding, (2, 2))


# --- the distribution -----------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1), (2, 2), (3, 2), (2, 3)])
@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0])
def test_sums_are_those_over_all_labellings(shape, labels, scale):
    structure = drawn(7, shape, labels, scale)
    if labels == 3:
        structure.potentials[0, P] = -np.inf
        structure = ColumnChain(structure.potentials, shape, structure.steps)
    every = np.array(brute_force.column_chains(shape, labels), dtype=np.int8)
    potentials = structure.potential(every)
    top = potentials.max()
    weights = np.exp(potentials - top)
    chances = weights / weights.sum()
    sums = column_sums(structure)
    assert sums.log_normaliser == pytest.approx(top + np.log(weights.sum()), rel=1e-12)
    for label in range(labels):
        assert sums.labels[:, label] == pytest.approx(chances @ (every == label), abs=1e-12)
    assert sums.steps == pytest.approx(ColumnChain.step_moments(every, chances, shape), abs=1e-12)
