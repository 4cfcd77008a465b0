"""Decisions by the chain's own distribution, of class models summed, against enumeration."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest
from training.toy import TAGS, defined_potential, toy_instances

from advsp.engine.settings import Engine
from advsp.learners.adversarial import Adversarial
from advsp.learners.adversarial_corpus import AdversarialCorpus
from advsp.learners.by_chain import by_chain
from advsp.learners.crf import CRF
from advsp.learners.ssvm_tags import TagSVM
from advsp.learners.trained_model import TrainedModel, summed_model

CLASSES = ("PER", "LOC")
INSTANCES = toy_instances(lengths=(4, 2, 3))


def models() -> list[TrainedModel]:
    """One model a class."""
    learner = Adversarial()
    size = learner.model(INSTANCES).size
    return [
        TrainedModel(
            "adversarial",
            learner,
            (label,),
            INSTANCES.signature(),
            np.random.default_rng(seed).normal(size=size),
            Engine(lp="linprog", oracle="numpy"),
        )
        for seed, label in enumerate(CLASSES)
    ]


def test_marginals_are_those_of_the_distribution_of_the_summed_potentials():
    summed = summed_model(models())
    assert summed.classes == CLASSES
    said = summed.decode(INSTANCES, 1e-6)
    for example in range(len(INSTANCES)):
        rows = INSTANCES.rows(example)
        paths = brute_force.labellings(rows.stop - rows.start, len(TAGS))
        psi = [
            sum(defined_potential(INSTANCES, example, y, model.weights, "own") for model in models())
            for y in paths
        ]
        shares = np.exp(np.array(psi) - np.logaddexp.reduce(psi))
        best = paths[int(np.argmax(psi))]
        for number, label in enumerate(CLASSES):
            expected = [sum(p for y, p in zip(paths, shares) if y[t] == number) for t in range(len(best))]
            assert said[label].marginal[rows] == pytest.approx(np.array(expected), abs=1e-12)
            assert said[label].mode[rows].tolist() == [tag == number for tag in best]


def test_learners_that_decide_so_themselves_stay_as_they_are():
    for learner in (CRF(), AdversarialCorpus(), TagSVM()):
        assert by_chain(learner) is learner
    assert by_chain(Adversarial()).learner == Adversarial()


def test_how_hard_an_example_is_is_its_log_loss():
    learner = by_chain(Adversarial())
    model = learner.model(INSTANCES)
    weights = models()[0].weights
    found = learner.loss(model, CLASSES, Engine()).evaluate(
        0, model.potentials(0, weights[model.support(0)]), 1.0
    )
    gold = tuple(model.gold(0).tolist())
    psi = {
        y: defined_potential(INSTANCES, 0, y, weights, "own")
        for y in brute_force.labellings(len(gold), len(TAGS))
    }
    assert found.attained == pytest.approx(np.logaddexp.reduce(list(psi.values())) - psi[gold], abs=1e-11)
