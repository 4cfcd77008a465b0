"""Online AdaGrad: its updates, its share of the penalty and its average."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.learners.log_loss import ChainLogLoss
from advsp.training.chain_model import ChainModel
from advsp.training.objective import Objective
from advsp.training.optimisers.adagrad import AdaGrad

ORDER = np.array([2, 0, 3, 1])


@pytest.fixture
def objective() -> Objective:
    model = ChainModel(toy_instances())
    return Objective(model, ChainLogLoss(model), l2=0.8)


def weights_where_features_occur(objective: Objective) -> np.ndarray:
    weights = np.random.default_rng(0).normal(size=objective.model.size)
    return weights * (objective.model.frequencies() > 0)


def test_objectives_of_the_examples_sum_to_the_whole_with_its_penalty(objective):
    weights = weights_where_features_occur(objective)
    standing_still = AdaGrad(step=0.0)
    report = standing_still.run_pass(objective, standing_still.start(objective, weights), ORDER)
    assert report.objective == pytest.approx(objective.full(weights)[0], rel=1e-12)


def test_gradients_of_the_examples_sum_to_the_whole_with_its_penalty(objective):
    # With one example the only step shows its gradient: all of the loss and all of the penalty.
    model = ChainModel(toy_instances(lengths=(4,)))
    alone = Objective(model, ChainLogLoss(model), l2=0.8)
    weights = weights_where_features_occur(alone)
    optimiser = AdaGrad(step=0.5)
    state = optimiser.start(alone, weights)
    optimiser.run_pass(alone, state, np.array([0]))
    gradient = alone.full(weights)[2]
    assert state["squares"] == pytest.approx(gradient**2, abs=1e-12)
    touched = np.abs(gradient) > 1e-6
    assert state["weights"][touched] == pytest.approx((weights - 0.5 * np.sign(gradient))[touched], abs=1e-6)


def iterates(objective: Objective, optimiser: AdaGrad, passes: int) -> tuple[dict, list[np.ndarray]]:
    """State after some passes, and the weights after every single update."""
    state, seen = optimiser.start(objective, weights_where_features_occur(objective)), []
    for _ in range(passes):
        for example in ORDER:
            optimiser.run_pass(objective, state, np.array([example]))
            seen.append(state["weights"].copy())
    return state, seen


@pytest.mark.parametrize("l2", [0.0, 0.8])
def test_average_of_iterates_is_their_mean(objective, l2):
    objective.l2 = l2
    optimiser = AdaGrad(step=0.3, average="iterates")
    state, seen = iterates(objective, optimiser, passes=3)
    assert len(seen) == 12
    assert optimiser.weights(objective, state) == pytest.approx(np.mean(seen, axis=0), abs=1e-12)


def test_without_average_the_last_iterate_is_taken(objective):
    optimiser = AdaGrad(step=0.3, average="none")
    state, seen = iterates(objective, optimiser, passes=2)
    assert np.array_equal(optimiser.weights(objective, state), seen[-1])


def test_average_before_the_first_update_is_the_beginning(objective):
    weights = weights_where_features_occur(objective)
    optimiser = AdaGrad(average="iterates")
    assert np.array_equal(optimiser.weights(objective, optimiser.start(objective, weights)), weights)


def test_step_shrinks_with_the_root_of_the_sum_of_squares(objective):
    optimiser = AdaGrad(step=0.3)
    state = optimiser.start(objective, weights_where_features_occur(objective))
    optimiser.run_pass(objective, state, ORDER[:1])
    weights, squares = state["weights"].copy(), state["squares"].copy()
    model = objective.model
    support = model.support(0)
    gradient = model.pull_back(0, objective.example(0, weights[support]).moments)
    gradient += 0.8 * weights[support] / model.frequencies()[support]
    optimiser.run_pass(objective, state, ORDER[1:2])
    change = -0.3 * gradient / np.sqrt(squares[support] + gradient**2 + 1e-30)
    assert state["weights"][support] - weights[support] == pytest.approx(change, abs=1e-6)


def test_order_of_the_examples_matters(objective):
    results = []
    for order in (ORDER, ORDER[::-1]):
        optimiser = AdaGrad(average="none")
        state = optimiser.start(objective, np.zeros(objective.model.size))
        optimiser.run_pass(objective, state, order)
        results.append(state["weights"])
    assert not np.allclose(*results)
