"""The objective: losses of the examples, their sum, and the penalty."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.engine.settings import Engine
from advsp.learners.game_loss import chain_game_loss
from advsp.learners.log_loss import ChainLogLoss
from advsp.training.chain_model import ChainModel
from advsp.training.objective import Objective

LOSSES = {"log": ChainLogLoss, "game": lambda model: chain_game_loss(model, [0, 1], Engine())}
losses = pytest.mark.parametrize("loss", LOSSES)


def objective_and_weights(loss: str, l2: float = 0.0) -> tuple[Objective, np.ndarray]:
    model = ChainModel(toy_instances())
    weights = np.random.default_rng(1).normal(scale=0.3, size=model.size)
    return Objective(model, LOSSES[loss](model), l2, tolerance=1e-9), weights


@losses
def test_whole_objective_is_the_sum_over_examples_and_the_penalty(loss):
    objective, weights = objective_and_weights(loss, l2=0.7)
    values = [objective.example(i, weights[objective.model.support(i)]) for i in range(4)]
    attained, bound, gradient = objective.full(weights)
    penalty = 0.35 * float(weights @ weights)
    assert attained == pytest.approx(sum(v.attained for v in values) + penalty, abs=1e-8)
    assert bound == pytest.approx(sum(v.bound for v in values) + penalty, abs=1e-8)
    expected = 0.7 * weights
    for i, value in enumerate(values):
        expected[objective.model.support(i)] += objective.model.adjoint(i, value.moments)
    assert gradient == pytest.approx(expected, abs=1e-8)


@losses
def test_bound_is_never_below_what_is_attained(loss):
    objective, weights = objective_and_weights(loss)
    for tolerance in (1.0, 0.1, 1e-3):
        objective.tolerance = tolerance
        attained, bound, _ = objective.full(weights)
        assert 0.0 <= bound - attained <= 8 * tolerance


@losses
def test_objective_lies_above_its_tangents(loss):
    objective, weights = objective_and_weights(loss, l2=0.5)
    objective.tolerance = 0.05
    rng = np.random.default_rng(2)
    attained, _, gradient = objective.full(weights)
    for scale in (0.01, 0.3, 3.0):
        elsewhere = weights + rng.normal(scale=scale, size=len(weights))
        _, bound, _ = objective.full(elsewhere)
        assert bound >= attained + gradient @ (elsewhere - weights) - 1e-9


def test_every_game_is_ticked_off_once():
    objective, weights = objective_and_weights("game")
    ticks = []
    objective.full(weights, ticks.append)
    assert sum(ticks) == 4
