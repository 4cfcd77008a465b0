"""The linear map of tagged sequences: potentials as defined, and the transposed map that fits them."""

from __future__ import annotations

from dataclasses import replace

import brute_force
import numpy as np
import pytest
from training.toy import BACKGROUND, TAGS, defined_potential, toy_instances

from advsp.training import chain_model
from advsp.training.chain_model import ChainModel

M = len(TAGS)
starts = pytest.mark.parametrize("start", ["own", "latent"])


@pytest.fixture
def instances():
    return toy_instances()


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def tag_sequences(model: ChainModel, example: int) -> list[tuple]:
    return brute_force.labellings(len(model.gold(example)), M)


def usable(model: ChainModel) -> np.ndarray:
    """Cells of the stacked table of potentials that a labelling can use, bool [T, w]."""
    cells = np.ones((int(model.offsets[-1]), model.width), dtype=bool)
    if model.start == "own":
        first = np.zeros(len(cells), dtype=bool)
        first[model.offsets[:-1]] = True
        cells[~first, M : 2 * M] = False
        cells[first, 2 * M :] = False
    return cells


# --- weights to potentials -------------------------------------------------------------------------


@starts
def test_number_of_weights(instances, start):
    pairs = M * M + (M if start == "own" else 0)
    assert ChainModel(instances, start).size == instances.node.shape[1] * M + instances.edge.shape[1] * pairs


@starts
def test_chain_potential_equals_its_definition_weight_by_weight(instances, rng, start):
    model = ChainModel(instances, start)
    weights = rng.normal(size=model.size)
    for example in range(model.examples):
        chain = model.chain(model.potentials(example, weights[model.support(example)]))
        sequences = tag_sequences(model, example)
        expected = [defined_potential(instances, example, y, weights, start) for y in sequences]
        assert chain.potential(np.array(sequences)) == pytest.approx(np.array(expected), abs=1e-12)


@starts
def test_potentials_of_all_examples_are_those_of_each_stacked(instances, rng, start):
    model = ChainModel(instances, start)
    weights = rng.normal(size=model.size)
    stacked = model.all_potentials(weights)
    for example in range(model.examples):
        alone = model.potentials(example, weights[model.support(example)])
        assert stacked[model.rows(example)] == pytest.approx(alone, abs=1e-13)


@starts
def test_potentials_that_no_labelling_can_use_are_zero(instances, rng, start):
    model = ChainModel(instances, start)
    assert not model.all_potentials(rng.normal(size=model.size))[~usable(model)].any()


@starts
def test_potentials_are_linear_in_the_weights(instances, rng, start):
    model = ChainModel(instances, start)
    one, other = rng.normal(size=(2, model.size))
    together = model.all_potentials(2.0 * one - 3.0 * other)
    apart = 2.0 * model.all_potentials(one) - 3.0 * model.all_potentials(other)
    assert together == pytest.approx(apart, abs=1e-12)


# --- weights of some transitions alone ---------------------------------------------------------------


def allowed(instances, start: str) -> np.ndarray:
    """Cells of the edge potentials of transitions that occur, tag by tag."""
    cells = set()
    for example in range(len(instances)):
        tags = instances.tags[instances.rows(example)].tolist()
        for left, right in zip([None, *tags], tags):
            if start == "own":
                cells.add(right if left is None else M + left * M + right)
            else:
                cells.add((BACKGROUND if left is None else left) * M + right)
    return np.array(sorted(cells))


@starts
def test_observed_transitions_have_the_weights_of_the_whole_model_and_others_none(instances, rng, start):
    whole = ChainModel(instances, start)
    some = ChainModel(replace(instances, transitions=instances.observed()), start)
    cells = allowed(instances, start)
    assert 0 < len(cells) < whole.edges and (some.edges, some.width) == (len(cells), whole.width)
    weights = np.zeros(whole.size)
    node, edge = whole.tables(weights)
    node[:], edge[:, cells] = rng.normal(size=node.shape), rng.normal(size=(len(edge), len(cells)))
    fewer = np.concatenate([node.ravel(), edge[:, cells].ravel()])
    assert fewer.size == some.size
    assert np.array_equal(some.all_potentials(fewer), whole.all_potentials(weights))
    moments = rng.normal(size=(int(some.offsets[-1]), some.width)) * usable(some)
    node, edge = whole.tables(whole.adjoint_all(moments))
    assert some.adjoint_all(moments) == pytest.approx(np.concatenate([node.ravel(), edge[:, cells].ravel()]))
    for example in range(some.examples):
        support, rows = some.support(example), some.rows(example)
        assert some.potentials(example, fewer[support]) == pytest.approx(whole.all_potentials(weights)[rows])
        full = np.zeros(some.size)
        full[support] = some.adjoint(example, moments[rows])
        alone = np.zeros_like(moments)
        alone[rows] = moments[rows]
        assert full == pytest.approx(some.adjoint_all(alone))


def test_transitions_are_kept_with_the_instances(instances):
    some = replace(instances, transitions=instances.observed())
    assert some == type(some).from_arrays(some.arrays()) != instances
    assert np.array_equal(some.take(np.array([0])).transitions, some.transitions)
    assert np.array_equal(type(some).joined([some, some]).transitions, some.transitions)
    assert some.signature() != instances.signature() == type(some).from_arrays(instances.arrays()).signature()


# --- supports --------------------------------------------------------------------------------------


@starts
def test_weights_outside_the_support_do_not_matter(instances, rng, start):
    model = ChainModel(instances, start)
    weights = rng.normal(size=model.size)
    for example in range(model.examples):
        disturbed = rng.normal(size=model.size)
        disturbed[model.support(example)] = weights[model.support(example)]
        rows = model.rows(example)
        assert np.array_equal(model.all_potentials(disturbed)[rows], model.all_potentials(weights)[rows])


@starts
def test_support_lists_every_weight_once(instances, start):
    model = ChainModel(instances, start)
    for example in range(model.examples):
        support = model.support(example)
        assert len(np.unique(support)) == len(support)
        assert support.min() >= 0 and support.max() < model.size


@starts
def test_supports_cover_every_feature_that_occurs(instances, start):
    model = ChainModel(instances, start)
    node, edge = model.tables(model.frequencies())
    occurs = np.asarray((instances.node != 0).sum(axis=0)).ravel() > 0
    assert np.array_equal(node.all(axis=1), occurs) and np.array_equal(node.any(axis=1), occurs)
    occurs = np.asarray((instances.edge != 0).sum(axis=0)).ravel() > 0
    assert np.array_equal(edge.all(axis=1), occurs) and np.array_equal(edge.any(axis=1), occurs)


@starts
def test_frequency_is_the_number_of_sentences_that_hold_a_feature(instances, start):
    model = ChainModel(instances, start)
    node, _ = model.tables(model.frequencies())
    table = instances.node.toarray()
    for feature in range(table.shape[1]):
        holders = sum(table[model.rows(example), feature].any() for example in range(model.examples))
        assert node[feature].tolist() == [holders] * M


@pytest.mark.parametrize("examples", [1, 2, 3, 100])
def test_kernels_are_told_which_features_every_sentence_holds_however_many_are_gathered(
    instances, examples, monkeypatch
):
    monkeypatch.setattr(chain_model, "_EXAMPLES", examples)
    fields = ChainModel(instances, "own").describe().fields
    ends, numbers = fields["ends"], fields["blocks"]
    assert (ends.dtype, numbers.dtype, len(ends)) == (np.int64, np.int32, len(instances) + 1)
    table = np.hstack([instances.node.toarray(), instances.edge.toarray()])
    for example in range(len(instances)):
        held = np.flatnonzero(table[instances.rows(example)].any(axis=0))
        assert sorted(numbers[ends[example] : ends[example + 1]].tolist()) == held.tolist()


# --- moments and the transposed map ----------------------------------------------------------------


@starts
def test_moments_times_potentials_is_the_potential_of_the_labelling(instances, rng, start):
    model = ChainModel(instances, start)
    weights = rng.normal(size=model.size)
    for example in range(model.examples):
        potentials = model.potentials(example, weights[model.support(example)])
        for labelling in tag_sequences(model, example):
            moments = model.layout.moments(0, np.array([labelling], np.int8), np.ones(1))
            expected = defined_potential(instances, example, labelling, weights, start)
            assert np.vdot(moments, potentials) == pytest.approx(expected, abs=1e-12)


@starts
def test_moments_of_a_mixture_are_the_mixture_of_moments(instances, rng, start):
    model = ChainModel(instances, start)
    labellings, probabilities = rng.integers(0, M, size=(6, 4)).astype(np.int8), rng.dirichlet(np.ones(6))
    expected = sum(
        p * model.layout.moments(0, y[None], np.ones(1)) for p, y in zip(probabilities, labellings)
    )
    assert model.layout.moments(0, labellings, probabilities) == pytest.approx(expected, abs=1e-15)


@starts
def test_moments_count_one_tag_and_one_transition_a_token(instances, start):
    model = ChainModel(instances, start)
    moments = model.layout.moments(0, np.array([[1, 0, BACKGROUND, BACKGROUND]], np.int8), np.ones(1))
    assert moments[:, :M].tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 1]]
    assert moments[:, M:].sum(axis=1).tolist() == [1, 1, 1, 1]


def test_own_start_has_a_transition_of_its_own(instances):
    moments = ChainModel(instances, "own").layout.moments(0, np.array([[1, 0]], np.int8), np.ones(1))
    assert np.flatnonzero(moments[0, M:]).tolist() == [1]
    assert np.flatnonzero(moments[1, M:]).tolist() == [M + 1 * M + 0]


def test_latent_start_is_a_transition_from_the_background_tag(instances):
    moments = ChainModel(instances, "latent").layout.moments(0, np.array([[1, 0]], np.int8), np.ones(1))
    assert np.flatnonzero(moments[0, M:]).tolist() == [BACKGROUND * M + 1]
    assert np.flatnonzero(moments[1, M:]).tolist() == [1 * M + 0]


@starts
def test_gold_moments_are_those_of_the_gold_tags(instances, start):
    model = ChainModel(instances, start)
    for example in range(model.examples):
        gold = instances.tags[model.rows(example)]
        assert np.array_equal(model.gold(example), gold)
        assert np.array_equal(model.gold_moments(example), model.layout.moments(0, gold[None], np.ones(1)))


@starts
def test_pulling_back_is_the_transposed_map(instances, rng, start):
    model = ChainModel(instances, start)
    for _ in range(5):
        weights = rng.normal(size=model.size)
        moments = rng.normal(size=(int(model.offsets[-1]), model.width)) * usable(model)
        forth = np.vdot(model.all_potentials(weights), moments)
        back = np.vdot(weights, model.adjoint_all(moments))
        assert forth == pytest.approx(back, abs=1e-11)


@starts
def test_pulling_back_one_example_is_the_transposed_map_of_that_example(instances, rng, start):
    model = ChainModel(instances, start)
    for example in range(model.examples):
        local = rng.normal(size=len(model.support(example)))
        rows = model.rows(example)
        moments = rng.normal(size=(rows.stop - rows.start, model.width)) * usable(model)[rows]
        forth = np.vdot(model.potentials(example, local), moments)
        assert forth == pytest.approx(np.vdot(local, model.adjoint(example, moments)), abs=1e-11)


@starts
def test_pulling_back_all_is_the_sum_over_examples(instances, rng, start):
    model = ChainModel(instances, start)
    moments = rng.normal(size=(int(model.offsets[-1]), model.width)) * usable(model)
    total = np.zeros(model.size)
    for example in range(model.examples):
        total[model.support(example)] += model.adjoint(example, moments[model.rows(example)])
    assert model.adjoint_all(moments) == pytest.approx(total, abs=1e-12)


def test_tables_are_views_of_the_weights(instances):
    model = ChainModel(instances, "own")
    weights = np.zeros(model.size)
    node, edge = model.tables(weights)
    node[1, 2], edge[0, 1] = 7.0, 9.0
    assert weights[1 * M + 2] == 7.0
    assert weights[instances.node.shape[1] * M + 1] == 9.0
