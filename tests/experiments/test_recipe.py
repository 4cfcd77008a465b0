"""The steps of a training: the same wherever they are taken, in one place or in shards."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from training.toy import toy_instances, toy_pairs

from advsp.engine.settings import Engine
from advsp.experiments.config import ExperimentConfig, OptimiserConfig
from advsp.experiments.recipe import Recipe, train
from advsp.learners import learners
from advsp.learners.adversarial import Adversarial
from advsp.learners.trained_model import load_model
from advsp.runners.local import place_here
from advsp.support.errors import InputError
from advsp.training.instances import Instances

SENTENCES = toy_instances(lengths=(3, 1, 4, 2))
PAIRS = toy_pairs(shapes=((2, 2), (1, 1), (2, 3)))
CASES = {
    "tagging": (SENTENCES, "crf", tuple(SENTENCES.tag_names[:2])),
    "alignment": (PAIRS, "logistic", ("all",)),
}
cases = pytest.mark.parametrize("case", CASES)


def prepared(case: str, **optimiser) -> tuple[Recipe, Instances]:
    """A recipe as a configuration has it, and what to follow it with."""
    instances, learner, classes = CASES[case]
    given = {
        "name": "trial",
        "corpus": {"kind": "conll" if case == "tagging" else "bitext", "name": "x", "path": "nowhere"},
        "classes": list(classes),
        "engine": {"lp": "linprog", "oracle": "numpy", "max_iterations": 7},
        "optimiser": {"name": "lbfgs", "iterations": 3, "l2": 0.5, **optimiser},
        "systems": {"A": {"learner": {"name": learner}}},
    }
    system = ExperimentConfig.model_validate(given).systems["A"]
    return Recipe.of(system, classes), instances


@cases
def test_recipe_is_what_the_system_says(case):
    recipe, _ = prepared(case)
    assert recipe.engine == Engine(lp="linprog", oracle="numpy", max_iterations=7)
    assert type(recipe.learner).__name__ == {"tagging": "CRF", "alignment": "LogisticLinks"}[case]
    assert recipe.classes == CASES[case][2]


@cases
def test_objective_has_the_loss_and_the_penalty(case):
    recipe, instances = prepared(case)
    objective = recipe.objective(instances)
    model = recipe.learner.model(instances)
    weights = np.random.default_rng(0).normal(size=objective.size)
    attained, _, _ = recipe.loss(model).evaluate_all(model.all_potentials(weights), 1e-6)
    expected = attained + 0.25 * float(weights @ weights)
    assert objective.full(weights)[0] == pytest.approx(expected, abs=1e-9)


@cases
def test_training_begins_with_the_weights_that_are_named_or_given(case):
    recipe, instances = prepared(case, initial="uniform")
    objective = recipe.objective(instances)
    drawn = np.random.default_rng([3, 0]).random(objective.size)
    assert np.array_equal(recipe.fit(objective, passes=0, seed=3), drawn)
    given = np.full(objective.size, 0.25)
    assert np.array_equal(recipe.fit(objective, passes=0, seed=3, initial=given), given)


@cases
def test_training_goes_down(case):
    recipe, instances = prepared(case)
    objective = recipe.objective(instances)
    start = objective.full(np.zeros(objective.size))[0]
    weights = recipe.fit(objective, passes=2, seed=1)
    assert objective.full(weights)[0] < start


@cases
def test_shards_are_trained_and_decoded_as_the_whole(case, tmp_path):
    recipe, instances = prepared(case)
    shards = place_here(instances, 2, recipe.learner, Path("not needed"))
    whole, cut = recipe.objective(instances), recipe.sharded_objective(shards, tmp_path)
    weights = recipe.fit(whole, passes=2, seed=1)
    assert recipe.fit(cut, passes=2, seed=1) == pytest.approx(weights, abs=1e-6)
    said, of_shards = recipe.decode(instances, weights, 1e-6), recipe.decode_shards(shards, weights, 1e-6)
    assert tuple(said) == tuple(of_shards) == recipe.classes
    for label in recipe.classes:
        assert np.array_equal(said[label].mode, of_shards[label].mode)
        assert said[label].marginal == pytest.approx(of_shards[label].marginal, abs=1e-9)


@cases
def test_loss_can_be_sent_to_another_process(case):
    recipe, instances = prepared(case)
    make = pickle.loads(pickle.dumps(recipe.loss))
    model = recipe.learner.model(instances)
    potentials = model.all_potentials(np.ones(model.size))
    mine, its = (loss(model).evaluate_all(potentials, 1e-6)[0] for loss in (recipe.loss, make))
    assert mine == its


@cases
def test_a_model_is_trained_decodes_and_is_saved(case, tmp_path):
    instances, learner, classes = CASES[case]
    made = learners.get(learner)()
    optimiser = OptimiserConfig(name="lbfgs", iterations=5, passes=1)
    model = train(made, instances, classes, optimiser=optimiser, engine=Engine(oracle="numpy"), seed=3)
    recipe = Recipe(made, classes, Engine(oracle="numpy"), optimiser)
    assert model == recipe.train(instances, passes=1, seed=3)
    model.save(tmp_path)
    again = load_model(tmp_path)
    assert again == model
    for label, said in model.decode(instances, 1e-6).items():
        assert again.decode(instances, 1e-6)[label] == said


def test_learners_of_a_model_a_class_are_trained_for_one():
    with pytest.raises(InputError, match="the learner has 2 models for PER, LOC"):
        train(Adversarial(), SENTENCES, ("PER", "LOC"))
