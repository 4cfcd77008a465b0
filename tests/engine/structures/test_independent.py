"""Independent labels: many counts, pruned and not, and labels that are forbidden."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.base import CountCosts
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.measures.roles import Roles
from advsp.engine.mixture import Mixture
from advsp.engine.structures import independent
from advsp.engine.structures.independent import IndependentLabels


@pytest.mark.parametrize("seed", range(3))
def test_counts_taken_in_small_blocks_give_the_same_response(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    structure = IndependentLabels(rng.normal(scale=0.1, size=(30, 3)))
    predictions = (rng.random((4, 30)) < 0.3).astype(np.int8)
    costs = AlignmentAccuracy().on_links().adversary_costs(Mixture(predictions, np.full(4, 0.25)))
    whole = structure.respond(costs, prune=False)
    monkeypatch.setattr(independent, "_CELLS", 100)
    blocked = structure.respond(costs, prune=False)
    assert blocked.cost == whole.cost
    assert np.array_equal(blocked.labelling, whole.labelling)


def attained(structure: IndependentLabels, costs: CountCosts, labelling: np.ndarray) -> float:
    own = costs.counted[labelling].sum()
    hits = costs.hits[labelling[costs.positions]] @ costs.weights[:, own]
    return costs.constant[own] + hits - structure.potential(labelling[None])[0]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scale", [0.0, 0.01, 0.1, 1.0, 5.0])
@pytest.mark.parametrize(
    "measure", [AlignmentAccuracy().on_links(), FBeta(2.0).on_target(3, 1)], ids=["aer", "f2"]
)
def test_pruned_response_over_many_edges_equals_the_reference(measure, scale, seed, monkeypatch):
    # Counts looked at one by one show most clearly if one is left out.
    monkeypatch.setattr(independent, "_BLOCK", 1)
    rng = np.random.default_rng([seed, int(100 * scale)])
    adversary = IndependentLabels(rng.normal(scale=scale, size=(150, 3)) - [0.0, 0.5 * scale, scale])
    predictor = IndependentLabels(np.zeros((150, 2)))
    mass = rng.dirichlet(np.ones(5))
    predictions = (rng.random((5, 150)) < 0.2).astype(np.int8)
    actuals = rng.choice(3, p=[0.7, 0.2, 0.1], size=(5, 150)).astype(np.int8)
    for structure, costs in (
        (adversary, measure.adversary_costs(Mixture(predictions, mass))),
        (predictor, measure.predictor_costs(Mixture(actuals, mass))),
    ):
        pruned, reference = structure.respond(costs, prune=True), structure.respond(costs, prune=False)
        assert pruned.cost == pytest.approx(reference.cost, abs=1e-10)
        for response in (pruned, reference):
            assert attained(structure, costs, response.labelling) == pytest.approx(response.cost, abs=1e-10)


def test_count_whose_bound_is_just_below_the_best_cost_so_far_is_looked_at(monkeypatch):
    # A single hit costs 0.5 but two cost nothing each: the bound of count 1 is far too low, so that
    # count 1 comes first; count 0, which is best, comes within a hair of being left out.
    monkeypatch.setattr(independent, "_BLOCK", 1)
    costs = CountCosts(
        positions=np.array([0, 1]),
        weights=np.array([[0.0, 0.5, 0.0], [0.0, 0.5, 0.0]]),
        constant=np.array([0.5 - 1e-9, 0.0, 0.6]),
        roles=Roles.of_target(2, 1),
        span=1.0,
    )
    response = IndependentLabels(np.zeros((2, 2))).respond(costs, prune=True)
    assert response.labelling.tolist() == [0, 0]
    assert response.cost == 0.5 - 1e-9


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("prune", [True, False])
@pytest.mark.parametrize("only", [0, 1])
def test_position_whose_label_is_forced_keeps_it(only, prune):
    potentials = np.zeros((3, 3))
    potentials[1] = -np.inf
    potentials[1, only] = 0.25
    structure = IndependentLabels(potentials)
    costs = (
        AlignmentAccuracy()
        .on_links()
        .adversary_costs(Mixture(np.array([[1, 1, 0], [0, 1, 1]]), np.full(2, 0.5)))
    )
    response = structure.respond(costs, prune)
    assert response.labelling[1] == only
    assert attained(structure, costs, response.labelling) == pytest.approx(response.cost)


@pytest.mark.parametrize("prune", [True, False])
def test_position_that_could_only_hold_a_counted_label_is_refused(prune):
    potentials = np.zeros((3, 3))
    potentials[1, :2] = -np.inf
    costs = AlignmentAccuracy().on_links().adversary_costs(Mixture.pure(np.array([1, 1, 0])))
    with pytest.raises(ValueError, match="a label that does not count"):
        IndependentLabels(potentials).respond(costs, prune)
