"""The log-loss of a chain against the sum over all tag sequences."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest
from training.toy import BACKGROUND, TAGS, defined_potential, toy_instances

from advsp.learners.log_loss import ChainLogLoss, forward_backward
from advsp.training.chain_model import ChainModel
from advsp.training.objective import Objective

M = len(TAGS)
starts = pytest.mark.parametrize("start", ["own", "latent"])


@pytest.fixture
def instances():
    return toy_instances()


def make(instances, start: str, scale: float = 0.5) -> tuple[ChainModel, np.ndarray, np.ndarray]:
    """Model, weights and the table of all potentials."""
    model = ChainModel(instances, start)
    weights = np.random.default_rng(9).normal(scale=scale, size=model.size)
    return model, weights, model.all_potentials(weights)


def every_path(model: ChainModel, example: int, weights: np.ndarray, latent: bool) -> list[tuple]:
    """(tag before the sentence, tag sequence, potential) of everything the normaliser sums over."""
    befores = range(M) if latent else [BACKGROUND]
    return [
        (before, y, defined_potential(model.instances, example, y, weights, model.start, before))
        for before in befores
        for y in brute_force.labellings(len(model.gold(example)), M)
    ]


def log_sum(paths: list[tuple]) -> float:
    return float(np.log(sum(np.exp(potential) for _, _, potential in paths)))


def expected_moments(model: ChainModel, example: int, paths: list[tuple]) -> np.ndarray:
    """Moments under the distribution proportional to exp potential, one path after another."""
    total = log_sum(paths)
    moments = np.zeros((len(model.gold(example)), model.width))
    for before, y, potential in paths:
        probability = np.exp(potential - total)
        for t, tag in enumerate(y):
            left = before if t == 0 else y[t - 1]
            pair = left * M + tag
            transition = pair if model.start == "latent" else tag if t == 0 else M + pair
            moments[t, tag] += probability
            moments[t, M + transition] += probability
    return moments


CASES = [("own", False), ("latent", False), ("latent", True)]
cases = pytest.mark.parametrize(("start", "latent"), CASES)


@cases
def test_normaliser_sums_over_every_path(instances, start, latent):
    model, weights, potentials = make(instances, start)
    found, _ = forward_backward(model, potentials, model.offsets, latent=latent)
    for example in range(model.examples):
        paths = every_path(model, example, weights, latent)
        assert found[example] == pytest.approx(log_sum(paths), abs=1e-12)


@cases
def test_moments_are_expectations_over_every_path(instances, start, latent):
    model, weights, potentials = make(instances, start)
    _, found = forward_backward(model, potentials, model.offsets, latent=latent)
    for example in range(model.examples):
        paths = every_path(model, example, weights, latent)
        expected = expected_moments(model, example, paths)
        assert found[model.rows(example)] == pytest.approx(expected, abs=1e-12)


@starts
def test_loss_is_minus_the_log_probability_of_the_gold_path(instances, start):
    model, weights, potentials = make(instances, start)
    loss = ChainLogLoss(model)
    for example in range(model.examples):
        paths = every_path(model, example, weights, start == "latent")
        gold = defined_potential(instances, example, tuple(model.gold(example).tolist()), weights, start)
        value = loss.evaluate(example, potentials[model.rows(example)], tolerance=1.0)
        assert value.attained == value.bound == pytest.approx(log_sum(paths) - gold, abs=1e-12)
        assert value.attained > 0.0


@starts
def test_all_sentences_at_once_equal_one_after_another(instances, start):
    model, _, potentials = make(instances, start)
    loss = ChainLogLoss(model)
    alone = [loss.evaluate(i, potentials[model.rows(i)], 1.0) for i in range(model.examples)]
    attained, bound, moments = loss.evaluate_all(potentials, 1.0)
    assert attained == bound == pytest.approx(sum(value.attained for value in alone), abs=1e-12)
    assert moments == pytest.approx(np.concatenate([value.moments for value in alone]), abs=1e-13)


@starts
def test_without_weights_every_path_is_alike(instances, start):
    model = ChainModel(instances, start)
    loss, _, _ = ChainLogLoss(model).evaluate_all(model.all_potentials(np.zeros(model.size)), 1.0)
    choices = model.offsets[-1] + (model.examples if start == "latent" else 0)
    assert loss == pytest.approx(choices * np.log(M))


@starts
def test_gradient_equals_finite_differences(instances, start):
    model, weights, _ = make(instances, start)
    objective = Objective(model, ChainLogLoss(model), l2=0.3)
    gradient, step = objective.full(weights)[2], 1e-5
    for index in range(model.size):
        shift = step * (np.arange(model.size) == index)
        difference = objective.full(weights + shift)[0] - objective.full(weights - shift)[0]
        assert gradient[index] == pytest.approx(difference / (2 * step), abs=1e-8)


@starts
def test_sentences_of_equal_and_of_unequal_length_may_come_in_any_order(start):
    for lengths in ((2, 2, 2), (1, 4, 1, 3), (4, 3, 1)):
        model, weights, potentials = make(toy_instances(lengths=lengths), start)
        found, _ = forward_backward(model, potentials, model.offsets, latent=model.start == "latent")
        expected = [log_sum(every_path(model, i, weights, start == "latent")) for i in range(model.examples)]
        assert found == pytest.approx(np.array(expected), abs=1e-12)


@starts
def test_large_potentials_in_common_neither_overflow_nor_change_the_moments(instances, start):
    model, _, potentials = make(instances, start)
    lifted = potentials.copy()
    lifted[:, :M] += 1e4
    normaliser, moments = forward_backward(model, potentials, model.offsets, latent=model.start == "latent")
    lifted_normaliser, lifted_moments = forward_backward(
        model, lifted, model.offsets, latent=model.start == "latent"
    )
    assert lifted_normaliser == pytest.approx(normaliser + 1e4 * np.diff(model.offsets), rel=1e-12)
    assert lifted_moments == pytest.approx(moments, abs=1e-10)


def test_potentials_that_contradict_each_other_by_a_thousand_stay_finite():
    # The first token insists on tag 0 and the transition insists on leaving another tag.
    model = ChainModel(toy_instances(lengths=(2,)), "own")
    potentials = np.zeros((2, model.width))
    potentials[0, 0] = 2000.0
    potentials[1, M + M :] = [-1000.0] * M + [0.0] * (M * M - M)
    normaliser, moments = forward_backward(model, potentials, model.offsets, latent=model.start == "latent")
    assert normaliser[0] == pytest.approx(2000.0 - 1000.0 + np.log(M))
    assert np.isfinite(moments).all()


def test_probabilities_of_a_token_sum_to_one(instances):
    for start, latent in CASES:
        model, _, potentials = make(instances, start, scale=3.0)
        _, moments = forward_backward(model, potentials, model.offsets, latent=latent)
        assert moments[:, :M].sum(axis=1) == pytest.approx(np.ones(len(moments)))
        assert moments[:, M:].sum(axis=1) == pytest.approx(np.ones(len(moments)))


def test_gain_of_the_gold_labelling_is_its_entropy_which_is_zero(instances):
    moments, gains = ChainLogLoss(ChainModel(instances)).start()
    assert not moments.any() and not gains.any()
