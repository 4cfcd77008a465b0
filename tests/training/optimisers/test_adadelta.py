"""AdaDelta: its first steps by the formulas of its paper, and its share of the penalty."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.learners.log_loss import ChainLogLoss
from advsp.training.chain_model import ChainModel
from advsp.training.objective import Objective
from advsp.training.optimisers.adadelta import AdaDelta

ORDER = np.array([2, 0, 3, 1])


@pytest.fixture
def objective() -> Objective:
    model = ChainModel(toy_instances())
    return Objective(model, ChainLogLoss(model), l2=0.8)


@pytest.fixture
def weights(objective) -> np.ndarray:
    return np.random.default_rng(0).normal(size=objective.model.size)


def test_full_batch_sees_the_whole_objective(objective, weights):
    optimiser = AdaDelta(batch=0)
    report = optimiser.run_pass(objective, optimiser.start(objective, weights), ORDER)
    assert report.objective == pytest.approx(objective.full(weights)[0], rel=1e-12)


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_objectives_of_the_batches_sum_to_the_whole_with_its_penalty(objective, weights, batch):
    standing_still = AdaDelta(batch=batch, epsilon=1e-300)
    report = standing_still.run_pass(objective, standing_still.start(objective, weights), ORDER)
    assert report.objective == pytest.approx(objective.full(weights)[0], rel=1e-12)


def test_two_steps_follow_the_formulas(objective, weights):
    decay, epsilon = 0.9, 1e-4
    optimiser = AdaDelta(batch=0, decay=decay, epsilon=epsilon)
    state = optimiser.start(objective, weights)
    squares = changes = np.zeros_like(weights)
    expected = weights.copy()
    for _ in range(2):
        gradient = objective.full(expected)[2]
        squares = decay * squares + (1 - decay) * gradient**2
        change = -np.sqrt(changes + epsilon) / np.sqrt(squares + epsilon) * gradient
        changes = decay * changes + (1 - decay) * change**2
        expected = expected + change
        optimiser.run_pass(objective, state, ORDER)
    assert state["weights"] == pytest.approx(expected, abs=1e-10)


def test_batch_of_one_takes_a_step_an_example(objective, weights):
    optimiser = AdaDelta(batch=1)
    state, seen = optimiser.start(objective, weights), []
    optimiser.run_pass(objective, state, ORDER, progress=lambda _: seen.append(state["weights"].copy()))
    assert len({row.tobytes() for row in seen}) == 4
