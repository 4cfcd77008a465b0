"""Online AdaGrad: its updates, its share of the penalty and its average."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.engine.settings import Engine
from advsp.learners.game_loss import chain_game_loss
from advsp.learners.log_loss import ChainLogLoss
from advsp.training.chain_model import ChainModel
from advsp.training.objective import LossValue, Objective
from advsp.training.optimisers.adagrad import AdaGrad

ORDER = np.array([2, 0, 3, 1])


@pytest.fixture
def objective() -> Objective:
    model = ChainModel(toy_instances())
    return Objective(model, ChainLogLoss(model), l2=0.8)


def weights_where_features_occur(objective: Objective) -> np.ndarray:
    weights = np.random.default_rng(0).normal(size=objective.model.size)
    return weights * (objective.model.frequencies() > 0)


@pytest.mark.parametrize("batch", [1, 2, 3, 4, 9])
def test_objectives_of_the_examples_sum_to_the_whole_with_its_penalty(objective, batch):
    weights = weights_where_features_occur(objective)
    standing_still = AdaGrad(step=0.0, batch=batch)
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
        for first in range(0, len(ORDER), optimiser.batch):
            optimiser.run_pass(objective, state, ORDER[first : first + optimiser.batch])
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
    gradient = model.adjoint(0, objective.example(0, weights[support]).moments)
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


# --- batches ----------------------------------------------------------------------------------------

LOSSES = {
    "log": ChainLogLoss,
    "game": lambda model: chain_game_loss(model, [0, 1], Engine(lp="linprog"), warm=False),
}
losses = pytest.mark.parametrize("loss", LOSSES)
penalties = pytest.mark.parametrize("l2", [0.0, 0.8])


def objective_of(loss: str, l2: float) -> Objective:
    model = ChainModel(toy_instances())
    return Objective(model, LOSSES[loss](model), l2=l2)


def one_by_one(objective: Objective, weights: np.ndarray, step: float, passes: int) -> dict[str, np.ndarray]:
    """Online AdaGrad as it is usually written down: one example, one step on the weights it touches."""
    weights, squares, drift, done = weights.copy(), np.zeros_like(weights), np.zeros_like(weights), 0
    model = objective.model
    share = objective.l2 / np.maximum(model.frequencies(), 1)
    for _ in range(passes):
        for example in ORDER:
            support = model.support(example)
            local = weights[support]
            gradient = model.adjoint(example, objective.example(example, local).moments)
            if objective.l2 > 0:
                gradient += share[support] * local
            squares[support] = squares[support] + gradient * gradient
            change = -step * gradient / (np.sqrt(squares[support]) + 1e-8)
            weights[support] = local + change
            drift[support] += done * change
            done += 1
    return {"weights": weights, "squares": squares, "drift": drift, "updates": np.array([done])}


@losses
@penalties
def test_batch_of_one_is_online_adagrad_bit_for_bit(loss, l2):
    objective = objective_of(loss, l2)
    weights = weights_where_features_occur(objective)
    optimiser = AdaGrad(step=0.3, batch=1)
    state = optimiser.start(objective, weights)
    for _ in range(3):
        optimiser.run_pass(objective, state, ORDER)
    expected = one_by_one(objective, weights, step=0.3, passes=3)
    assert state.keys() == expected.keys()
    for name, array in expected.items():
        assert state[name].tobytes() == array.tobytes(), name


@losses
@penalties
@pytest.mark.parametrize("batch", [4, 100])
def test_batch_of_all_examples_steps_along_the_whole_gradient(loss, l2, batch):
    objective = objective_of(loss, l2)
    weights = weights_where_features_occur(objective)
    optimiser = AdaGrad(step=0.3, batch=batch, average="none")
    state = optimiser.start(objective, weights)
    expected, squares = weights.copy(), np.zeros_like(weights)
    for _ in range(2):
        gradient = objective.full(expected)[2]
        squares = squares + gradient**2
        expected = expected - 0.3 * gradient / (np.sqrt(squares) + 1e-8)
        optimiser.run_pass(objective, state, ORDER)
    assert state["updates"].tolist() == [2]
    assert state["squares"] == pytest.approx(squares, abs=1e-10)
    # A gradient that is zero but for rounding is a step of its own under a root.
    clear = squares > 1e-12
    assert state["weights"][clear] == pytest.approx(expected[clear], abs=1e-7)


def test_examples_of_a_batch_are_seen_at_the_same_weights_and_the_next_batch_at_others():
    objective = objective_of("log", 0.5)
    seen: dict[int, bytes] = {}
    evaluate = objective.example
    optimiser = AdaGrad(step=0.3, batch=2)
    state = optimiser.start(objective, weights_where_features_occur(objective))

    def note(example: int, local: np.ndarray):
        seen[example] = state["weights"].tobytes()
        return evaluate(example, local)

    objective.example = note
    optimiser.run_pass(objective, state, ORDER)
    first, second = ORDER[:2], ORDER[2:]
    assert seen[first[0]] == seen[first[1]] != seen[second[0]] == seen[second[1]]


@pytest.mark.parametrize(("batch", "updates"), [(1, 4), (2, 2), (3, 2), (4, 1), (5, 1)])
def test_last_batch_has_what_is_left(batch, updates):
    objective = objective_of("log", 0.8)
    optimiser, ticks = AdaGrad(batch=batch), []
    state = optimiser.start(objective, weights_where_features_occur(objective))
    optimiser.run_pass(objective, state, ORDER, ticks.append)
    assert state["updates"].tolist() == [updates]
    assert sum(ticks) == 4


@penalties
@pytest.mark.parametrize("batch", [2, 3])
def test_average_of_iterates_counts_every_batch_once(batch, l2):
    objective = objective_of("log", l2)
    optimiser = AdaGrad(step=0.3, batch=batch)
    state, seen = iterates(objective, optimiser, passes=3)
    assert len(seen) == 6
    assert optimiser.weights(objective, state) == pytest.approx(np.mean(seen, axis=0), abs=1e-12)


def test_batch_without_a_gradient_is_an_update_that_changes_nothing():
    objective = objective_of("log", 0.0)
    optimiser = AdaGrad(step=0.3, batch=2)
    state = optimiser.start(objective, weights_where_features_occur(objective))
    optimiser.run_pass(objective, state, ORDER)
    before = {name: array.copy() for name, array in state.items()}
    evaluate = objective.loss.evaluate

    def settled(example, potentials, tolerance):
        value = evaluate(example, potentials, tolerance)
        return LossValue(value.attained, value.bound, np.zeros_like(value.moments))

    objective.loss.evaluate = settled
    optimiser.run_pass(objective, state, ORDER)
    assert state["updates"][0] == before["updates"][0] + 2
    for name in ("weights", "squares", "drift"):
        assert np.array_equal(state[name], before[name])
