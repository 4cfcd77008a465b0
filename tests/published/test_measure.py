"""Gold equilibria against enumeration, gradients where all games have one or not, agreeing labellings."""

from __future__ import annotations

import math
from dataclasses import replace
from importlib.util import find_spec

import brute_force
import numpy as np
import pytest
from cells.equilibria import TOLERANCE, gold_equilibria, regret, smallest_scale
from cells.measure import agreeing, agreements, at_start, reached_by
from training.toy import toy_instances

from advsp.engine.game import ChainF1Game
from advsp.engine.oracles import open_oracle
from advsp.engine.settings import Engine
from advsp.experiments.config import ExperimentConfig
from advsp.learners.adversarial import Adversarial
from advsp.learners.crf import CRF
from advsp.learners.trained_model import TrainedModel
from advsp.support.errors import InputError
from advsp.training.chain_model import ChainModel

DATA = toy_instances(lengths=(3, 1, 4), node_features=12)
MODEL = ChainModel(DATA, "own", bias=True)
LABEL = DATA.tag_names[0]


def leaving(unary: np.ndarray, pairwise: np.ndarray, gold: tuple[int, ...], target: int) -> float:
    """The most that a player gains by leaving the gold labelling, with every labelling tried."""
    n, m = unary.shape
    predicted = tuple(int(tag == target) for tag in gold)

    def payoff(said: tuple[int, ...], actual: tuple[int, ...]) -> float:
        score = brute_force.f_beta(said, actual, target, 1.0)
        return score - brute_force.chain_potential(actual, unary, pairwise)

    there = payoff(predicted, gold)
    highest = max(payoff(said, gold) for said in brute_force.labellings(n, 2))
    lowest = min(payoff(predicted, actual) for actual in brute_force.labellings(n, m))
    return max(highest - there, there - lowest)


@pytest.mark.parametrize("factor", [0.0, 0.3, 3.0])
@pytest.mark.parametrize("seed", range(8))
def test_regret_is_that_of_enumeration(seed, factor):
    rng = np.random.default_rng(seed)
    n, m, target = 4, 3, int(rng.integers(3))
    unary, pairwise = factor * rng.normal(size=(n, m)), factor * rng.normal(size=(m, m))
    game = ChainF1Game(unary, pairwise, target)
    best = max(brute_force.labellings(n, m), key=lambda y: brute_force.chain_potential(y, unary, pairwise))
    for gold in (best, tuple(int(tag) for tag in rng.integers(m, size=n))):
        found = regret(game, np.array(gold, dtype=np.int8), open_oracle("numpy"))
        assert found == pytest.approx(leaving(unary, pairwise, gold, target), abs=1e-12)


def ratio(model: ChainModel, potentials: np.ndarray, gold: np.ndarray, target: int) -> float:
    """The smallest factor by enumeration: the largest (1 - F) / (lead of the gold potential)."""
    chain, largest = model.chain(potentials), 0.0
    labels = brute_force.labellings(len(gold), model.tags)
    leads = chain.potential(gold[None, :])[0] - chain.potential(np.array(labels))
    predicted = tuple(int(tag == target) for tag in gold)
    for labelling, lead in zip(labels, leads):
        missed = 1.0 - brute_force.f_beta(predicted, labelling, target, 1.0)
        if missed > 0.0:
            largest = max(largest, missed / lead if lead > 0.0 else math.inf)
        elif lead < -1e-12:
            return math.inf
    return largest


def fitting(height: float) -> np.ndarray:
    """Weights at which the gold tag of every token has this potential, and all else none."""
    weights = np.zeros(MODEL.size)
    gold = np.eye(MODEL.tags)[DATA.tags]
    MODEL.tables(weights)[0][:] = height * np.linalg.lstsq(MODEL.node.toarray(), gold, rcond=None)[0]
    return weights


def separating(seed: int) -> np.ndarray:
    """Weights that tell many of the tokens apart, but not all."""
    return fitting(1.0) + 0.3 * np.random.default_rng(seed).normal(size=MODEL.size)


@pytest.mark.parametrize("target", [0, 1])
@pytest.mark.parametrize("seed", range(6))
def test_smallest_scale_is_that_of_enumeration(seed, target):
    potentials = MODEL.all_potentials(separating(seed))
    for example in range(MODEL.examples):
        table, gold = potentials[MODEL.rows(example)], MODEL.gold(example)
        found = smallest_scale(MODEL, table, gold, target)
        assert found == pytest.approx(ratio(MODEL, table, gold, target), rel=1e-9)


def test_scales_are_both_finite_and_infinite_in_these_tests():
    found = []
    for seed in range(6):
        potentials = MODEL.all_potentials(separating(seed))
        rows = [MODEL.rows(example) for example in range(MODEL.examples)]
        found += [smallest_scale(MODEL, potentials[r], DATA.tags[r], 0) for r in rows]
    assert any(map(math.isinf, found)) and any(map(math.isfinite, found))


def test_equilibria_are_counted_over_all_sentences():
    weights, target = separating(1), 0
    found = gold_equilibria(MODEL, weights, target)
    potentials, expected = MODEL.all_potentials(weights), 0
    for example in range(MODEL.examples):
        table, gold = potentials[MODEL.rows(example)], MODEL.gold(example)
        expected += ratio(MODEL, table, gold, target) <= 1.0
    assert (found["games"], found["equilibria"]) == (MODEL.examples, expected)
    assert (found["regret"] <= TOLERANCE) == (expected == MODEL.examples)


def test_at_zero_weights_gold_is_no_equilibrium_where_the_class_can_be_missed():
    found = gold_equilibria(MODEL, np.zeros(MODEL.size), 0)
    assert found["equilibria"] == 0
    assert (found["regret"], found["scale"]) == (1.0, None)


def saved(weights: np.ndarray) -> TrainedModel:
    learner = Adversarial(bias=True)
    return TrainedModel(
        "adversarial", learner, (LABEL,), DATA.signature(), weights, Engine(stop="value-repeats")
    )


def starting(initial: dict) -> ExperimentConfig:
    """A configuration of one system that is not trained beyond these initial weights."""
    return ExperimentConfig.model_validate(
        {
            "name": "tiny",
            "corpus": {"name": "tiny", "path": "there"},
            "classes": [LABEL],
            "optimiser": {"passes": 0, "initial": initial},
            "systems": {"ADV_f1": {"learner": {"name": "adversarial", "bias": True}}},
        }
    )


@pytest.fixture
def config() -> ExperimentConfig:
    if find_spec("sklearn") is None:
        pytest.skip("scikit-learn is not installed")
    return starting({"name": "logistic-tags", "l2": 0.25, "scale": 0.5})


def test_gradient_is_zero_where_all_gold_labellings_are_equilibria_and_only_there(config):
    """The start is twice what is saved."""
    found = at_start(config, saved(fitting(5.0)), DATA)
    assert found["equilibria"] == found["games"] == MODEL.examples
    assert found["gradient"] == found["scaled_gradient"] == 0.0
    assert found["loss"] == found["scaled_loss"] == pytest.approx(-MODEL.examples)
    least = found["scale"] * 2.0 * fitting(5.0)
    assert at_start(config, saved(0.5 * 1.01 * least), DATA)["gradient"] == 0.0
    below = at_start(config, saved(0.5 * 0.99 * least), DATA)
    assert below["equilibria"] < below["games"] and below["gradient"] > 0.1
    assert below["loss"] > -MODEL.examples


def test_numbers_at_the_start_belong_to_weights_without_their_factor(config):
    found = at_start(config, saved(separating(4)), DATA)
    assert (found["factor"], found["l2"]) == (0.5, 0.25)
    assert found["scaled_norm"] == pytest.approx(float(np.linalg.norm(separating(4))))
    assert found["norm"] == pytest.approx(2.0 * found["scaled_norm"])
    assert found["l2_term"] == pytest.approx(0.25 * found["norm"])


def test_start_that_is_not_one_of_regressions_is_refused():
    with pytest.raises(InputError, match="optimiser.initial: expected a run that starts from logistic-tags"):
        at_start(starting({"name": "zeros"}), saved(separating(4)), DATA)


def test_objective_at_weights_brackets_that_of_whole_games():
    weights, l2 = separating(2), 0.3
    found = reached_by(replace(saved(weights), engine=Engine()), DATA, l2)
    expected = 0.5 * l2 * float(weights @ weights)
    potentials = MODEL.all_potentials(weights)
    for example in range(MODEL.examples):
        chain = MODEL.chain(potentials[MODEL.rows(example)])
        game = brute_force.chain_game(chain.unary, chain.pairwise, 0)
        expected -= game.value + float(chain.potential(MODEL.gold(example)[None, :])[0])
    assert found["attained"] - 1e-9 <= expected <= found["bound"] + 1e-9
    assert found["bound"] - found["attained"] <= 1e-5


def test_labellings_agree_sentence_by_sentence():
    offsets = np.array([0, 2, 3, 6])
    first = np.array([True, False, True, False, False, True])
    second = np.array([True, False, False, False, False, True])
    assert agreeing(first, second, offsets).tolist() == [True, False, True]
    assert agreeing(first, first, offsets).all()


def test_agreements_count_games_and_those_that_are_mixed():
    found = agreements(saved(separating(3)), DATA)
    assert found["games"] == MODEL.examples
    assert 0 <= found["mixed_same"] <= found["mixed"] <= found["games"]
    assert found["mixed_same"] <= found["same"] and found["same_stop"] <= found["games"]
    certain = agreements(saved(1e3 * separating(3)), DATA)
    assert (certain["mixed"], certain["same"]) == (0, certain["games"])


def test_learner_without_games_has_no_agreements():
    crf = replace(saved(separating(3)), kind="crf", learner=CRF(start="own"))
    with pytest.raises(InputError, match="expected a run of a learner that plays games, not of crf"):
        agreements(crf, DATA)
