"""Linear chains: shapes, Viterbi, and pruning that never changes a response."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from advsp.engine.measures.base import CountCosts
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.measures.roles import Roles
from advsp.engine.mixture import Mixture
from advsp.engine.structures.chain import LinearChain

TAGS, TARGET = 4, 1
COUNTED = np.arange(TAGS) == TARGET


def random_chain(rng: np.random.Generator, length: int, scale: float, peak: float) -> LinearChain:
    """A chain of random potentials, whose first tag is preferred by about ``peak`` everywhere."""
    unary = rng.normal(scale=scale, size=(length, TAGS))
    unary[:, 0] += peak
    # Here and there the target is as good as the preferred tag.
    tempting = rng.random(length) < 0.2
    unary[tempting, TARGET] += peak
    return LinearChain(unary, rng.normal(scale=0.3 * scale, size=(length - 1, TAGS, TAGS)))


def costs_of_random_mixture(rng: np.random.Generator, length: int, density: float) -> CountCosts:
    size = int(rng.integers(1, 8))
    labellings = (rng.random((size, length)) < density).astype(np.int8)
    return FBeta().on_target(TAGS, TARGET).adversary_costs(Mixture(labellings, rng.dirichlet(np.ones(size))))


# --- shapes ----------------------------------------------------------------------------------------


def test_one_table_of_pairs_means_the_same_table_at_every_step():
    rng = np.random.default_rng(0)
    unary, pairwise = rng.normal(size=(4, 3)), rng.normal(size=(3, 3))
    every = np.array(brute_force.labellings(4, 3), np.int8)
    shared, spelled_out = LinearChain(unary, pairwise), LinearChain(unary, np.stack([pairwise] * 3))
    assert np.array_equal(shared.potential(every), spelled_out.potential(every))


def test_rows_of_the_pair_table_are_the_left_tag():
    pairwise = np.array([[0.0, 7.0], [0.0, 0.0]])
    chain = LinearChain(np.zeros((2, 2)), pairwise)
    assert chain.potential(np.array([[0, 1], [1, 0]])).tolist() == [7.0, 0.0]


def test_arrays_handed_in_are_left_alone():
    unary, start = np.zeros((2, 2)), np.ones(2)
    LinearChain(unary, np.zeros((2, 2)), start)
    assert not unary.any()


@pytest.mark.parametrize("unary", [np.zeros(3), np.zeros((0, 3)), np.zeros((2, 3, 3))])
def test_unary_potentials_need_two_axes_and_a_position(unary):
    with pytest.raises(ValueError, match="unary potentials must have shape"):
        LinearChain(unary, np.zeros((3, 3)))


@pytest.mark.parametrize("pairwise", [np.zeros(3), np.zeros((3, 2)), np.zeros((2, 3, 3)), np.zeros((4, 4))])
def test_pairwise_potentials_must_fit_the_chain(pairwise):
    with pytest.raises(ValueError, match="pairwise potentials must have shape"):
        LinearChain(np.zeros((4, 3)), pairwise)


# --- Viterbi ---------------------------------------------------------------------------------------


def test_viterbi_finds_the_best_labelling_of_each_of_many_unaries():
    rng = np.random.default_rng(1)
    pairwise, unaries = rng.normal(size=(3, 3)), rng.normal(size=(6, 4, 3))
    found = LinearChain(np.zeros((4, 3)), pairwise).viterbi(unaries)
    for unary, labelling in zip(unaries, found.tolist(), strict=True):
        best = max(
            brute_force.labellings(4, 3), key=lambda y: brute_force.chain_potential(y, unary, pairwise)
        )
        assert tuple(labelling) == best


def test_refreshing_gives_the_best_labelling_of_the_same_pattern():
    rng = np.random.default_rng(2)
    chain = random_chain(rng, 4, 1.0, 0.0)
    every = np.array(brute_force.labellings(4, TAGS), np.int8)
    potentials = chain.potential(every)
    refreshed = chain.refresh(every, Roles(COUNTED.astype(float), COUNTED))
    for labelling, potential in zip(every, chain.potential(refreshed), strict=True):
        same = np.all(COUNTED[every] == COUNTED[labelling], axis=1)
        assert potential == pytest.approx(potentials[same].max())


# --- pruning ---------------------------------------------------------------------------------------

#: What potentials differ by just around the range of a score, which is what pruning goes by.
AT_THE_EDGE = [0.0, 1.0, -1.0, 0.5, 0.99, -0.99, 1.0 - 1e-5, 1.0 + 1e-12, 1.0 - 1e-12, -1.0 - 1e-10]


@settings(derandomize=True, deadline=1000, max_examples=150)
@given(
    data=st.data(),
    length=st.integers(1, 5),
    tags=st.integers(2, 4),
    beta=st.sampled_from([0.5, 1.0, 2.0]),
)
def test_pruning_at_the_edge_of_the_score_range_loses_nothing(data, length, tags, beta):
    edge = st.sampled_from(AT_THE_EDGE)
    unary = data.draw(hnp.arrays(float, (length, tags), elements=edge))
    pairwise = data.draw(hnp.arrays(float, (tags, tags), elements=st.sampled_from([0.0, 0.0, 1.0, -1.0])))
    predictions = data.draw(hnp.arrays(np.int8, (3, length), elements=st.integers(0, 1)))
    target = data.draw(st.integers(0, tags - 1))
    chain = LinearChain(unary, pairwise)
    costs = (
        FBeta(beta).on_target(tags, target).adversary_costs(Mixture(predictions, np.array([0.5, 0.25, 0.25])))
    )
    pruned, reference = chain.respond(costs, prune=True), chain.respond(costs, prune=False)
    assert pruned.cost == pytest.approx(reference.cost, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("scale", "peak"), [(0.1, 0.0), (0.5, 0.0), (0.3, 2.0), (0.3, 6.0)])
@pytest.mark.parametrize("length", [30, 60])
def test_pruned_response_on_a_long_chain_equals_the_reference(length, scale, peak, seed):
    rng = np.random.default_rng([length, seed])
    chain = random_chain(rng, length, scale, peak)
    costs = costs_of_random_mixture(rng, length, density=0.2)
    pruned, reference = chain.respond(costs, prune=True), chain.respond(costs, prune=False)
    assert pruned.cost == pytest.approx(reference.cost, abs=1e-10)
    for response in (pruned, reference):
        own = costs.counted[response.labelling].sum()
        hits = costs.hits[response.labelling[costs.positions]] @ costs.weights[:, own]
        attained = costs.constant[own] + hits - chain.potential(response.labelling[None])[0]
        assert attained == pytest.approx(response.cost, abs=1e-10)


@pytest.mark.parametrize("shortfall", [0.9, 0.999, 1.0 - 1e-6, 1.0 - 1e-8])
@pytest.mark.parametrize("length", [1, 2, 12])
def test_target_may_cost_almost_a_whole_score_in_potential(length, shortfall):
    # Against a predictor that never says it, one target brings the score from 1 to 0.
    unary = np.zeros((length, TAGS))
    unary[:, TARGET] = -5.0
    unary[length // 2, TARGET] = -shortfall
    costs = FBeta().on_target(TAGS, TARGET).adversary_costs(Mixture.pure(np.zeros(length)))
    response = LinearChain(unary, np.zeros((TAGS, TAGS))).respond(costs, prune=True)
    assert response.cost == pytest.approx(shortfall, abs=1e-12)
    assert np.flatnonzero(response.labelling == TARGET).tolist() == [length // 2]


def test_reference_prunes_nothing(monkeypatch):
    def must_not_be_asked(*args):
        raise AssertionError("this is pruning")

    for shortcut in ("_contraction", "_count_potentials", "_relaxed", "_max_marginals"):
        monkeypatch.setattr(LinearChain, shortcut, must_not_be_asked)
    rng = np.random.default_rng(0)
    chain, costs = random_chain(rng, 20, 0.3, 2.0), costs_of_random_mixture(rng, 20, density=0.2)
    chain.respond(costs, prune=False)
    with pytest.raises(AssertionError, match="this is pruning"):
        chain.respond(costs, prune=True)


def test_response_where_no_target_can_pay_is_the_best_labelling_without_it():
    unary = np.zeros((12, TAGS))
    unary[:, TARGET] = -5.0
    unary[:, 3] = np.linspace(-1.0, 1.0, 12)
    chain = LinearChain(unary, np.zeros((TAGS, TAGS)))
    costs = FBeta().on_target(TAGS, TARGET).adversary_costs(Mixture.pure(np.zeros(12)))
    response = chain.respond(costs)
    assert np.array_equal(response.labelling, chain.best())
    assert response.cost == pytest.approx(1.0 - np.maximum(unary[:, 3], 0.0).sum())


def test_only_tag_of_a_chain_is_the_response_to_anything():
    chain = LinearChain(np.array([[0.5], [0.25]]), np.zeros((1, 1)))
    costs = FBeta().on_target(1, 0).adversary_costs(Mixture.pure(np.array([1, 0])))
    for prune in (True, False):
        response = chain.respond(costs, prune)
        assert response.labelling.tolist() == [0, 0]
        assert response.cost == pytest.approx(2 / 3 - 0.75)
