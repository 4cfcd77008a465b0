"""Stacking: no pair's labels reach its own context, and what is kept decides as what was trained."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit
from training.toy import toy_pairs

from advsp.engine.settings import Engine
from advsp.experiments.config import OptimiserConfig
from advsp.experiments.recipe import Recipe, train
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.cross_fitting import FirstStage, regression
from advsp.learners.logistic import LogisticLinks
from advsp.learners.ssvm import StructuredSVM
from advsp.learners.stacked import StackedLinks, context_columns, in_context
from advsp.learners.trained_model import load_model
from advsp.support.errors import InputError
from advsp.training.edge_model import EdgeModel
from advsp.training.instances import EdgeInstances

CLASSES = ("all",)
SHAPES = ((2, 2), (1, 3), (2, 3), (3, 2), (2, 1), (1, 1), (3, 3))


@pytest.fixture
def pairs() -> EdgeInstances:
    rng = np.random.default_rng(4)
    cells = sum(n * m for n, m in SHAPES)
    return toy_pairs(shapes=SHAPES, labels=tuple(rng.integers(0, 3, cells).tolist()))


def relabelled(pairs: EdgeInstances, out: list[int]) -> EdgeInstances:
    """Other gold links of some pairs."""
    labels = pairs.labels.copy()
    for pair in out:
        labels[pairs.rows(pair)] = (labels[pairs.rows(pair)] + 1) % 3
    return replace(pairs, labels=labels)


FIRST = FirstStage(l2=0.5, folds=3)


def test_no_label_of_a_pair_reaches_what_the_first_stage_says_of_it(pairs):
    _, before = FIRST.cross_fit(pairs)
    for pair in range(len(SHAPES)):
        _, after = FIRST.cross_fit(relabelled(pairs, [pair]))
        changed = [
            p for p in range(len(SHAPES)) if not np.array_equal(before[pairs.rows(p)], after[pairs.rows(p)])
        ]
        assert pair not in changed
        assert len(changed) >= len(SHAPES) // 2


def test_no_label_of_a_held_out_pair_reaches_the_context_of_any(pairs):
    """A fold that is held out is decoded by what the others teach alone."""
    kept, out = np.arange(5), np.array([5, 6])
    for given in (pairs, relabelled(pairs, out.tolist())):
        recipe = Recipe(StackedLinks(LogisticLinks(), FIRST), CLASSES).seen(given.take(kept))
        made = recipe.learner.model(given.take(kept)).instances.features
        decoded = recipe.decode(given.take(out), recipe.learner.complete(np.ones(made.shape[1])), 1e-6)["all"]
        if given is pairs:
            expected = made, decoded
    np.testing.assert_array_equal(expected[0], made)
    np.testing.assert_array_equal(expected[1].marginal, decoded.marginal)


def test_first_stage_is_the_regression_of_all_other_pairs(pairs):
    everything, logits = FIRST.cross_fit(pairs)
    order = np.random.default_rng(FIRST.folds).permutation(len(SHAPES))
    for part in range(FIRST.folds):
        out = order[part :: FIRST.folds]
        weights = FIRST.weights(pairs.take(np.setdiff1d(order, out)))
        for pair in out:
            rows = pairs.rows(pair)
            np.testing.assert_allclose(logits[rows], pairs.features[rows] @ weights)
    np.testing.assert_allclose(everything, FIRST.weights(pairs))


@pytest.mark.parametrize(
    "second",
    [
        LogisticLinks(),
        LogisticLinks(possible="label", bias=10.0),
        LogisticLinks(possible="label", possible_features="bias"),
        AdversarialLinks(possible="label"),
        AdversarialLinks(possible="ignore", scale="length", bias=3.0),
        StructuredSVM(),
    ],
    ids=str,
)
def test_what_is_kept_says_of_other_pairs_what_scaled_columns_would(pairs, second):
    """Weights that are kept are of columns as they are; those that were learnt, of scaled ones."""
    learner = StackedLinks(second, FIRST).seen(pairs, CLASSES)
    model = learner.model(pairs)
    weights = np.random.default_rng(1).normal(size=model.size)
    weights[: pairs.features.shape[1]] = 0
    other = toy_pairs(seed=9, shapes=((2, 3), (1, 2)))
    complete = learner.complete(weights)
    found = StackedLinks(second, FIRST).decode(learner.model(other), complete, CLASSES, Engine(), 1e-6)["all"]
    everything, logits = FIRST.cross_fit(pairs)
    context = in_context(pairs, logits)
    columns = context.features[:, context.context]
    by_hand = in_context(other, other.features @ everything)
    features = by_hand.features.copy()
    deviations = np.where(columns.std(axis=0) == 0, 1, columns.std(axis=0))
    features[:, by_hand.context] = (features[:, by_hand.context] - columns.mean(axis=0)) / deviations
    scaled = second.model(replace(by_hand, features=features))
    expected = second.decode(scaled, weights, CLASSES, Engine(), 1e-6)["all"]
    np.testing.assert_allclose(found.marginal, expected.marginal, atol=1e-6)
    np.testing.assert_array_equal(found.mode, expected.mode)


def test_training_leaves_the_place_of_the_first_stage_alone(pairs):
    recipe = Recipe(
        StackedLinks(AdversarialLinks(possible="ignore"), FIRST),
        CLASSES,
        optimiser=OptimiserConfig(name="adagrad", passes=2, l2=0.1),
    ).seen(pairs)
    weights = recipe.fit(recipe.objective(pairs), passes=2, seed=1)
    first = pairs.features.shape[1]
    assert not weights[:first].any()
    assert weights[first:].any()
    np.testing.assert_array_equal(recipe.learner.complete(weights)[:first], FIRST.weights(pairs))


def test_a_saved_model_says_the_same(pairs, tmp_path):
    optimiser = OptimiserConfig(name="lbfgs", passes=1, l2=1.0)
    model = train(StackedLinks(LogisticLinks(), FIRST), pairs, CLASSES, optimiser=optimiser)
    model.save(tmp_path)
    other = toy_pairs(seed=9, shapes=((2, 3), (1, 2)))
    again = load_model(tmp_path)
    assert again.learner == StackedLinks(LogisticLinks(), FIRST)
    np.testing.assert_array_equal(
        model.decode(other, 1e-6)["all"].marginal, again.decode(other, 1e-6)["all"].marginal
    )


def test_context_of_a_link_by_hand():
    columns = context_columns(np.array([[2.0, -1.0], [0.0, 1.0]]))
    assert len(columns) == 33
    q = expit(np.array([[2.0, -1.0], [0.0, 1.0]]))
    assert columns["probability"] == pytest.approx(q)
    assert columns["after"][0, 0] == pytest.approx(q[1, 1])
    assert columns["rest of source"][0, 0] == pytest.approx(q[0, 1])
    assert columns["lead of target"][0, 0] == pytest.approx(q[0, 0] - q[1, 0])


def test_second_stage_is_a_learner_of_one_stage():
    with pytest.raises(InputError, match="is no learner of one stage for links"):
        StackedLinks(StackedLinks())


@pytest.mark.parametrize("possible", ["ignore", "label"])
def test_a_great_bias_is_not_shrunk(pairs, possible):
    """With the bias a thousandfold, L2 leaves the log-odds of all links what the labels say."""
    alone = replace(pairs, features=np.ones((len(pairs.labels), 1)), feature_names=("bias",))
    for bias, penalised in ((1000.0, False), (None, True)):
        learner = LogisticLinks(possible=possible, bias=bias)
        model = train(
            learner,
            alone,
            CLASSES,
            optimiser=OptimiserConfig(name="lbfgs", passes=1, l2=50.0, improvement=0.0),
        )
        labels = pairs.labels if possible == "label" else pairs.labels[pairs.labels != 1]
        share = (labels == 2).mean()
        found = float(model.decode(alone, 1e-6)["all"].marginal[0])
        assert (abs(found - share) < 1e-3) != penalised
    assert isinstance(learner.model(alone), EdgeModel)


@pytest.mark.parametrize("l2", [1e-3, 1.0, 100.0])
def test_newton_finds_the_regression(pairs, l2):
    """The gradient vanishes, with features of any size."""
    rng = np.random.default_rng(2)
    features = rng.normal(size=(60, 7)) * np.array([1, 1, 1, 100, 0.01, 1, 1])
    positive = features @ rng.normal(size=7) + rng.normal(size=60) > 0
    weights = regression(features, positive, l2)
    gradient = features.T @ (expit(features @ weights) - positive) + l2 * weights
    assert np.abs(gradient).max() < 1e-4
    assert not regression(features, np.zeros(60, bool), 1e9)[0] > 1e-6
