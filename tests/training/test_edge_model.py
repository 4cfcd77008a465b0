"""The linear map of word alignment: adjoint, supports, moments, and what training leaves out."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.engine.measures.roles import N, P, S
from advsp.engine.structures.independent import IndependentLabels
from advsp.training.edge_model import EdgeModel
from advsp.training.instances import EdgeInstances

VARIANTS = pytest.mark.parametrize(
    ("possible", "features", "size", "width"),
    [("label", "all", 6, 2), ("label", "bias", 4, 2), ("ignore", "all", 3, 1)],
)


@pytest.fixture
def instances() -> EdgeInstances:
    rng = np.random.default_rng(4)
    shapes = np.array([[2, 3], [1, 1], [2, 2]])
    edges = shapes.prod(axis=1)
    features = rng.normal(size=(edges.sum(), 3))
    features[:, 0] = 1.0
    labels = np.array([2, 0, 1, 0, 2, 0, 2, 0, 1, 0, 0], dtype=np.int8)
    offsets = np.concatenate([[0], np.cumsum(edges)])
    words = [tuple(f"w{i}" for i in range(n)) for n in range(4)]
    return EdgeInstances(
        features, labels, offsets, shapes, ("bias", "dice", "distance"),
        tuple(words[e] for e, _ in shapes), tuple(words[f] for _, f in shapes),
    )  # fmt: skip


@VARIANTS
def test_weights_and_potentials_have_the_stated_sizes(instances, possible, features, size, width):
    model = EdgeModel(instances, possible, features)
    assert (model.size, model.width) == (size, width)
    assert model.all_potentials(np.zeros(size)).shape == (11, width)


@VARIANTS
def test_pulling_back_is_the_transposed_map(instances, possible, features, size, width):
    model = EdgeModel(instances, possible, features)
    rng = np.random.default_rng(1)
    weights, moments = rng.normal(size=size), rng.normal(size=(11, width))
    there = np.vdot(model.all_potentials(weights), moments)
    assert there == pytest.approx(weights @ model.adjoint_all(moments))


@VARIANTS
def test_examples_are_parts_of_the_whole(instances, possible, features, size, width):
    model = EdgeModel(instances, possible, features)
    rng = np.random.default_rng(2)
    weights, moments = rng.normal(size=size), rng.normal(size=(11, width))
    table, gradient = model.all_potentials(weights), np.zeros(size)
    for example in range(3):
        rows = model.rows(example)
        assert model.potentials(example, weights[model.support(example)]) == pytest.approx(table[rows])
        gradient[model.support(example)] += model.adjoint(example, moments[rows])
    assert gradient == pytest.approx(model.adjoint_all(moments))


# --- features by the length of the pair ---------------------------------------------------------------


@VARIANTS
def test_potentials_are_divided_by_the_mean_length_of_the_pair(instances, possible, features, size, width):
    plain, scaled = (EdgeModel(instances, possible, features, scale) for scale in ("none", "length"))
    assert (scaled.size, scaled.width) == (size, width)
    weights = np.random.default_rng(3).normal(size=size)
    for example, length in enumerate((2.5, 1.0, 2.0)):
        rows = plain.rows(example)
        expected = plain.all_potentials(weights)[rows] / length
        assert scaled.all_potentials(weights)[rows] == pytest.approx(expected)
        assert scaled.potentials(example, weights) == pytest.approx(expected)


@VARIANTS
def test_pulling_back_is_the_transposed_map_of_divided_features(instances, possible, features, size, width):
    model = EdgeModel(instances, possible, features, "length")
    rng = np.random.default_rng(4)
    weights, moments = rng.normal(size=size), rng.normal(size=(11, width))
    gradient = model.adjoint_all(moments)
    assert np.vdot(model.all_potentials(weights), moments) == pytest.approx(weights @ gradient)
    parts = [model.adjoint(example, moments[model.rows(example)]) for example in range(3)]
    assert gradient == pytest.approx(np.sum(parts, axis=0))


def test_dividing_features_leaves_labels_and_instances_alone(instances):
    before = instances.features.copy()
    plain, scaled = (EdgeModel(instances, scale=scale) for scale in ("none", "length"))
    assert np.array_equal(instances.features, before)
    for example in range(3):
        assert np.array_equal(plain.gold_moments(example), scaled.gold_moments(example))


@VARIANTS
def test_blocks_are_the_weights_of_a_label_each(instances, possible, features, size, width):
    model = EdgeModel(instances, possible, features)
    assert len(model.blocks) == width
    for label, block in enumerate(model.blocks):
        weights = np.zeros(size)
        weights[block] = 1.0
        table = model.all_potentials(weights)
        assert table[:, label].any()
        assert not np.delete(table, label, axis=1).any()


def test_moments_are_the_probabilities_of_the_labels(instances):
    labellings = np.array([[2, 1, 0, 0], [2, 2, 0, 1]], dtype=np.int8)
    mixture = np.array([0.25, 0.75])
    both = EdgeModel(instances).layout.moments(0, labellings, mixture)
    assert both == pytest.approx(np.array([[1.0, 0.0], [0.75, 0.25], [0.0, 0.0], [0.0, 0.75]]))
    assert EdgeModel(instances, "ignore").layout.moments(0, labellings, mixture) == pytest.approx(both[:, :1])


def test_possible_links_that_are_ignored_are_no_links_and_left_out_of_training(instances):
    model = EdgeModel(instances, "ignore")
    assert model.gold(0).tolist() == [2, 0, 0, 0, 2, 0]
    assert model.ignored()[:6].tolist() == [False, False, True, False, False, False]
    assert EdgeModel(instances).gold(0).tolist() == [2, 0, 1, 0, 2, 0]
    assert not EdgeModel(instances).ignored().any()


def test_labels_that_are_ruled_out_have_a_potential_of_minus_infinity(instances):
    model = EdgeModel(instances, "ignore")
    structure = model.layout_of(IndependentLabels, model.ignored()).structure(0, np.ones((6, 1)))
    assert not structure.potentials[:, N].any()
    assert np.isneginf(structure.potentials[:, P]).all()
    assert np.isneginf(structure.potentials[:, S]).tolist() == model.ignored()[:6].tolist()
