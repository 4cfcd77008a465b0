"""What all registered initial weights must do: have the model's size, and be the same again."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from training.toy import toy_instances, toy_pairs

from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.base import Learner
from advsp.learners.initial import initials
from advsp.support.errors import InputError
from advsp.training.objective import Objective

DATA = {"tagging": toy_instances(lengths=(3, 1)), "alignment": toy_pairs(shapes=((1, 3), (1, 2)))}
GROUP = {"tagging": ("PER",), "alignment": ("all",)}


def setting(name: str) -> tuple[Learner, Objective]:
    """A learner, and what it would be trained by."""
    learner = learners.get(name)()
    model = learner.model(DATA[learner.task])
    loss = learner.loss(model, GROUP[learner.task], Engine(lp="linprog"))
    return learner, Objective(model, loss, l2=0.5, tolerance=1e-6)


def possible(name: str, learner: str) -> bool:
    """Whether a learner can begin so."""
    try:
        initials.get(name)().check(learners.get(learner)())
    except InputError:
        return False
    return True


#: What needs a package that is not installed cannot be tried.
BEGINNINGS = [name for name in initials if name != "logistic-tags" or find_spec("sklearn") is not None]
COMBINATIONS = [(name, learner) for name in BEGINNINGS for learner in learners]
every = pytest.mark.parametrize(("name", "learner"), [pair for pair in COMBINATIONS if possible(*pair)])


def test_what_a_learner_cannot_begin_with_is_what_it_has_no_loss_for():
    refused = {(name, learner) for name, learner in COMBINATIONS if not possible(name, learner)}
    expected = {("logistic", name) for name in learners if not learners.get(name).has_log_loss}
    expected |= {("logistic-tags", name) for name in learners if learners.get(name).task != "tagging"}
    assert refused == {pair for pair in expected if pair[0] in BEGINNINGS}
    assert ("logistic", "crf") in refused


def test_refusal_says_what_can_be_chosen():
    with pytest.raises(InputError) as raised:
        initials.get("logistic")().check(learners.get("adversarial")())
    assert str(raised.value) == (
        "optimiser.initial: this learner has no log-loss of single positions (choose zeros or uniform)"
    )


@every
def test_every_weight_has_a_finite_beginning(name, learner):
    made, objective = setting(learner)
    weights = initials.get(name)().weights(made, objective, seed=3)
    assert (weights.dtype, weights.shape) == (np.float64, (objective.model.size,))
    assert np.isfinite(weights).all()


@every
def test_same_seed_begins_with_the_same_bits(name, learner):
    mine, its = (initials.get(name)().weights(*setting(learner), seed=3) for _ in range(2))
    assert mine.tobytes() == its.tobytes()


@every
def test_only_what_is_random_depends_on_the_seed(name, learner):
    mine, its = (initials.get(name)().weights(*setting(learner), seed=seed) for seed in (3, 4))
    assert np.array_equal(mine, its) == (name != "uniform")


@every
def test_objective_stays_as_it_is(name, learner):
    made, objective = setting(learner)
    before = objective.l2, objective.tolerance, objective.model
    initials.get(name)().weights(made, objective, seed=3)
    assert (objective.l2, objective.tolerance, objective.model) == before


@every
def test_training_may_change_the_weights_and_not_the_next_beginning(name, learner):
    made, objective = setting(learner)
    initial = initials.get(name)()
    weights = initial.weights(made, objective, seed=3)
    before = weights.copy()
    weights += 1.0
    assert np.array_equal(initial.weights(made, objective, seed=3), before)


def test_zeros_are_zero_and_uniform_draws_lie_between_zero_and_one():
    assert not initials.get("zeros")().weights(*setting("crf"), seed=1).any()
    drawn = initials.get("uniform")().weights(*setting("crf"), seed=1)
    assert ((drawn >= 0.0) & (drawn < 1.0)).all()
    assert len(set(drawn.tolist())) == len(drawn)
