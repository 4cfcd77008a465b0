"""What every registered optimiser must do: reach the optimum, and do so again in the same way."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache

import numpy as np
import pytest
from training.toy import toy_instances, toy_pairs

from advsp.engine.settings import Engine
from advsp.learners.game_loss import chain_game_loss
from advsp.learners.log_loss import ChainLogLoss
from advsp.learners.ssvm import StructuredSVM
from advsp.runners.sharded import LocalShards, ShardedObjective
from advsp.training.chain_model import ChainModel
from advsp.training.loop import Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers import optimisers

#: Options under which a small problem is solved; what is not named here runs with its defaults.
OPTIONS = {
    "adadelta": {"epsilon": 1e-5},
    "adagrad": {"step": 0.2},
    "bcfw": {"gap": 1e-3},
    "lbfgs": {"improvement": 1e-8},
}
PASSES = {"adadelta": 160, "lbfgs": 3}
#: How near to the optimum, as a part of the distance at the beginning.  The game loss has kinks, at one
#: of which a line search may stall.
NEAR = {"log": 0.01, "game": 0.05}
L2 = 1.0
TIGHT = Tolerance(start=1e-6, decay=1.0, floor=1e-6)

names = pytest.mark.parametrize("name", optimisers.names())
losses = pytest.mark.parametrize("loss", ["log", "game"])


def make_objective(loss: str) -> Objective:
    model = ChainModel(toy_instances(lengths=(3, 1, 2)))
    made = ChainLogLoss(model) if loss == "log" else chain_game_loss(model, [0], Engine())
    return Objective(model, made, L2, tolerance=1e-6)


def beginning(objective: Objective) -> np.ndarray:
    """Small weights, away from the kink at zero."""
    return np.random.default_rng(3).normal(scale=0.05, size=objective.model.size)


def train(name: str, loss: str, passes: int) -> np.ndarray:
    objective = make_objective(loss)
    optimiser = optimisers.get(name)(**OPTIONS.get(name, {}))
    return fit(objective, optimiser, passes=passes, seed=0, tolerance=TIGHT, initial=beginning(objective))


@cache
def trained_value(name: str, loss: str) -> float:
    """Objective at the final weights."""
    return make_objective(loss).full(train(name, loss, PASSES.get(name, 120)))[1]


@cache
def floor(loss: str) -> float:
    """A certified lower bound of the optimum."""
    objective = make_objective(loss)
    if loss == "log":
        # Strong convexity: nowhere is the objective lower by more than |gradient|^2 / (2 l2).
        attained, _, gradient = objective.full(train("lbfgs", "log", 3))
        return attained - float(gradient @ gradient) / (2 * L2)
    bcfw = optimisers.get("bcfw")(gap=1e-3, certify_every=50)
    state = bcfw.start(objective, beginning(objective))
    report = None
    for number in range(150):
        report = bcfw.run_pass(objective, state, np.random.default_rng(number).permutation(3))
    return objective.full(bcfw.weights(objective, state))[1] - report.gap


@losses
@names
def test_optimum_is_reached(name, loss):
    start = make_objective(loss).full(beginning(make_objective(loss)))[1]
    distance = start - floor(loss)
    assert floor(loss) - 1e-9 <= trained_value(name, loss)
    assert trained_value(name, loss) <= floor(loss) + NEAR[loss] * distance


@losses
@names
def test_same_run_twice_gives_the_same_weights(name, loss):
    assert np.array_equal(train(name, loss, 4), train(name, loss, 4))


@names
def test_initial_weights_are_left_alone(name):
    objective = make_objective("log")
    initial = beginning(objective)
    before = initial.copy()
    optimiser = optimisers.get(name)()
    optimiser.run_pass(objective, optimiser.start(objective, initial), np.arange(3))
    assert np.array_equal(initial, before)


@names
def test_state_holds_arrays_only(name):
    objective = make_objective("log")
    optimiser = optimisers.get(name)()
    state = optimiser.start(objective, beginning(objective))
    optimiser.run_pass(objective, state, np.arange(3))
    assert all(isinstance(array, np.ndarray) for array in state.values())
    assert optimiser.weights(objective, state).shape == (objective.model.size,)


def margin_objective() -> Objective:
    """Sums of the margin are numbers of numpy's own."""
    learner = StructuredSVM()
    model = learner.model(toy_pairs())
    return Objective(model, learner.loss(model, ("all",), Engine()), L2)


@pytest.mark.parametrize("loss", ["log", "game", "margin"])
@names
def test_report_of_every_pass_is_plain_json(name, loss):
    """It becomes a line of the history, which anyone may read."""
    objective = margin_objective() if loss == "margin" else make_objective(loss)
    options = {"certify_every": 1} if name == "bcfw" else {}
    optimiser = optimisers.get(name)(**OPTIONS.get(name, {}) | options)
    state = optimiser.start(objective, beginning(objective))
    for number in range(4):
        report = optimiser.run_pass(objective, state, np.random.default_rng(number).permutation(3))
        again = json.loads(json.dumps(asdict(report), allow_nan=False))
        assert again == asdict(report)
        assert type(report.converged) is bool
    if name == "bcfw":
        assert report.gap is not None


@names
def test_optimiser_itself_does_not_change(name):
    objective = make_objective("log")
    optimiser = optimisers.get(name)()
    before = repr(optimiser)
    optimiser.run_pass(objective, optimiser.start(objective, beginning(objective)), np.arange(3))
    assert repr(optimiser) == before == repr(optimisers.get(name)())


@names
def test_weights_of_features_that_never_occur_decay_to_nothing_or_stay(name):
    objective = make_objective("log")
    never = objective.model.frequencies() == 0
    assert never.any()
    weights = train(name, "log", 20)
    assert np.all(np.abs(weights[never]) <= np.abs(beginning(objective)[never]) + 1e-12)


@names
def test_only_optimisers_of_full_batches_do_without_the_examples(name):
    optimiser, whole = optimisers.get(name)(), make_objective("log")
    shards = ShardedObjective(LocalShards([whole.model]), ChainLogLoss, L2, tolerance=1e-6)
    order = np.arange(whole.examples)
    if optimiser.full_batch:
        states = [optimiser.start(objective, beginning(whole)) for objective in (whole, shards)]
        ours, theirs = (
            optimiser.run_pass(objective, state, order)
            for objective, state in zip((whole, shards), states, strict=True)
        )
        assert ours == theirs
    else:
        state = optimiser.start(whole, beginning(whole))
        with pytest.raises(TypeError, match="ShardedObjective can only be looked at as a whole"):
            optimiser.run_pass(shards, state, order)
