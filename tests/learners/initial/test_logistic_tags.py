"""The logistic beginning of taggers: the regressions, and where random edge weights come from."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit
from training.toy import toy_instances

from advsp.learners.adversarial import Adversarial
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.initial.logistic_tags import LogisticTags
from advsp.support.errors import InputError
from advsp.support.random import generators
from advsp.training.chain_model import ChainModel
from advsp.training.objective import Objective

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("sklearn") is None, reason="scikit-learn is not installed"
)

DATA = toy_instances(lengths=(3, 1, 4))
MODEL = ChainModel(DATA, "own", bias=True)
TAGS = DATA.tag_names


def begin(classes: tuple[str, ...] = (), run: int = 1, **options) -> tuple[np.ndarray, np.ndarray]:
    """Node weights [F_node, m] and edge weights [F_edge, edges]."""
    learner = Adversarial(bias=True)
    weights = LogisticTags(**options).weights(learner, Objective(MODEL, None), run, classes)
    node, edge = MODEL.tables(weights)
    return node, edge


def test_bias_is_a_last_node_feature_that_is_always_one():
    plain = ChainModel(DATA)
    assert MODEL.node_features == plain.node_features + 1
    assert MODEL.size == plain.size + MODEL.tags
    assert (MODEL.node[:, [-1]].toarray() == 1.0).all()
    assert (MODEL.node[:, :-1] != DATA.node).nnz == 0
    potentials = MODEL.all_potentials(np.ones(MODEL.size)) - plain.all_potentials(np.ones(plain.size))
    assert np.allclose(potentials[:, : MODEL.tags], 1.0) and not potentials[:, MODEL.tags :].any()


@pytest.mark.parametrize("l2", [0.1, 2.0])
def test_regression_of_a_tag_is_where_its_gradient_is_zero(l2):
    node, edge = begin(l2=l2, tolerance=1e-8)
    for tag in range(MODEL.tags):
        is_tag = DATA.tags == tag
        if is_tag.any() and not is_tag.all():
            slope = MODEL.node.T @ (expit(MODEL.node @ node[:, tag]) - is_tag) + l2 * node[:, tag]
            assert np.abs(slope).max() < 1e-4
    assert not edge.any()


def test_tag_that_never_occurs_has_no_weights():
    node, _ = begin()
    there = np.isin(np.arange(MODEL.tags), DATA.tags)
    assert node[:, there].any(axis=0).all() and not node[:, ~there].any()


@given(seed=st.integers(0, 2**40), skip=st.integers(0, 10_000), added=st.floats(-1.0, 1.0))
def test_edges_are_drawn_pair_by_pair_from_one_stream_for_all_classes(seed, skip, added):
    generator = generators.get("java")(seed)
    generator.skip(skip)
    for label in TAGS[:-1]:
        drawn = generator.uniform(MODEL.edges * MODEL.edge_features) + added
        _, edge = begin((label,), edges="uniform", generator="java", seed=seed, skip=skip, added=added)
        assert np.array_equal(edge.T.ravel(), drawn)


def test_seed_of_the_run_stands_in_for_one_of_the_generator():
    assert np.array_equal(begin(run=5, edges="uniform")[1], begin(edges="uniform", seed=5)[1])
    assert not np.array_equal(begin(run=5, edges="uniform")[1], begin(run=6, edges="uniform")[1])


@given(scale=st.floats(0.01, 10.0))
def test_scale_is_a_factor_of_all_weights(scale):
    whole, scaled = begin(edges="uniform"), begin(edges="uniform", scale=scale)
    for part, other in zip(whole, scaled, strict=True):
        assert np.allclose(scale * part, other, rtol=1e-12)


def test_learner_of_links_is_refused():
    with pytest.raises(InputError, match="are weights of tags, the learner is one of alignment"):
        LogisticTags().check(AdversarialLinks())


def test_unknown_generator_is_refused_by_its_key():
    with pytest.raises(InputError, match="optimiser.initial.generator: unknown random generator"):
        LogisticTags(generator="jawa").check(Adversarial())


def test_missing_package_is_refused_with_what_installs_it(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError) as raised:
        LogisticTags().check(Adversarial())
    assert str(raised.value) == (
        "optimiser.initial: logistic-tags cannot be used: the package 'scikit-learn' is not installed "
        '(pip install "advsp[published]", or choose zeros or uniform)'
    )
