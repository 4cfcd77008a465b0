"""Costs of tags, softmax-margin and hinge by enumeration."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest
from training.toy import TAGS, defined_potential, toy_instances

from advsp.engine.settings import Engine
from advsp.learners.chain_hinge import ChainHingeLoss
from advsp.learners.crf import CRF
from advsp.learners.ssvm_tags import TagSVM
from advsp.learners.tag_costs import hamming, missed_and_false
from advsp.support.errors import InputError
from advsp.training.chain_model import ChainModel
from advsp.training.loop import Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers.bcfw import BlockCoordinateFrankWolfe

CLASSES = ("PER", "LOC")
ENGINES = {"numpy": Engine(oracle="numpy", lp="linprog"), "auto": Engine()}
engines = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)


def test_missed_and_false_tokens_cost_what_they_are_said_to():
    costs = missed_and_false(toy_instances(), CLASSES, missed=2.0, false=0.5)
    assert TAGS == ("PER", "LOC", "O")
    assert costs.tolist() == [[0.0, 2.5, 2.0], [2.5, 0.0, 2.0], [0.5, 0.5, 0.0]]
    # A class that is not scored is like none at all.
    assert missed_and_false(toy_instances(), ("PER",), 2.0, 0.5).tolist() == [
        [0.0, 2.0, 2.0],
        [0.5, 0.0, 0.0],
        [0.5, 0.0, 0.0],
    ]
    assert hamming(toy_instances()).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def paths(model: ChainModel, example: int, weights: np.ndarray) -> dict[tuple[int, ...], float]:
    """Every tag sequence with its potential."""
    return {
        y: defined_potential(model.instances, example, y, weights, model.start)
        for y in brute_force.labellings(len(model.gold(example)), len(TAGS))
    }


@engines
def test_softmax_margin_adds_the_costs_in_the_normaliser(engine):
    learner = CRF(start="own", margin=1.5, false_positive=0.4)
    model = learner.model(toy_instances())
    loss = learner.loss(model, CLASSES, engine)
    weights = np.random.default_rng(0).normal(size=model.size)
    costs = missed_and_false(model.instances, CLASSES, 1.5, 0.4)
    expected = 0.0
    for example in range(model.examples):
        gold = tuple(model.gold(example).tolist())
        all_paths = paths(model, example, weights)
        augmented = [psi + sum(costs[g, c] for g, c in zip(gold, y)) for y, psi in all_paths.items()]
        expected += np.log(np.exp(augmented).sum()) - all_paths[gold]
    attained, bound, _ = loss.backend.evaluate(loss, model.all_potentials(weights), 1.0)
    assert attained == bound == pytest.approx(expected, abs=1e-10)


@engines
def test_hinge_is_the_best_sequence_with_its_costs(engine):
    learner = TagSVM()
    model = learner.model(toy_instances())
    loss = learner.loss(model, CLASSES, engine)
    weights = np.random.default_rng(0).normal(size=model.size)
    expected = 0.0
    for example in range(model.examples):
        gold = tuple(model.gold(example).tolist())
        all_paths = paths(model, example, weights)
        augmented = (psi + sum(g != c for g, c in zip(gold, y)) for y, psi in all_paths.items())
        expected += max(augmented) - all_paths[gold]
    attained, bound, _ = loss.backend.evaluate(loss, model.all_potentials(weights), 1.0)
    assert attained == bound == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(
    "make",
    [
        lambda model, engine: CRF("own", 2.0).loss(model, CLASSES, engine),
        lambda model, engine: TagSVM().loss(model, CLASSES, engine),
    ],
    ids=["margin", "hinge"],
)
@engines
def test_moments_are_subgradients(make, engine):
    model = ChainModel(toy_instances())
    loss = make(model, engine)
    potentials = model.all_potentials(np.random.default_rng(0).normal(size=model.size))
    attained, _, moments = loss.backend.evaluate(loss, potentials, 1.0)
    rng = np.random.default_rng(1)
    for size in (1e-3, 0.1, 3.0):
        there = model.all_potentials(size * rng.normal(size=model.size))
        above, _, _ = loss.backend.evaluate(loss, there, 1.0)
        assert above >= attained + np.vdot(moments, there - potentials) - 1e-9


@engines
def test_the_svm_is_trained_to_a_certified_gap(engine):
    learner = TagSVM()
    model = learner.model(toy_instances())
    objective = Objective(model, learner.loss(model, CLASSES, engine), l2=0.5)
    optimiser = BlockCoordinateFrankWolfe(gap=0.01, certify_every=5, average="weighted")
    state, reports = optimiser.start(objective, np.zeros(model.size)), []
    for number in range(2000):
        order = np.random.default_rng(number).permutation(model.examples)
        reports.append(optimiser.run_pass(objective, state, order))
        if reports[-1].converged:
            break
    assert reports[-1].converged and 0.0 <= reports[-1].gap <= 0.01 * model.examples


def test_costs_without_a_margin_are_refused():
    with pytest.raises(InputError, match="needs a margin"):
        CRF(false_negative=1.0)


def test_a_margin_of_nothing_is_the_log_loss_to_the_last_bit():
    weights = []
    for learner in (CRF("own"), CRF("own", margin=0.0)):
        model = learner.model(toy_instances())
        objective = Objective(model, learner.loss(model, CLASSES, ENGINES["numpy"]), l2=0.1)
        optimiser = BlockCoordinateFrankWolfe()
        weights.append(
            fit(objective, optimiser, passes=3, seed=1, tolerance=Tolerance(), initial=np.zeros(model.size))
        )
    assert np.array_equal(*weights)


def test_hinge_starts_from_the_gold_labelling():
    model = ChainModel(toy_instances())
    moments, gains = ChainHingeLoss(model, hamming(model.instances)).start()
    assert not moments.any() and not gains.any()
