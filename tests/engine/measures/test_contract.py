"""What every registered measure must do: score as defined, and turn mixtures into expected scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import brute_force
import numpy as np
import pytest

from advsp.engine.measures import measures
from advsp.engine.measures.additive import Additive
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.base import AdditiveCosts, CountCosts, CountMeasure, Measure
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.mixture import Mixture

LENGTH = 3
COST = {"AN": 0.9, "AP": 0.2, "AS": 0.05, "NN": 0.1, "NP": 0.3, "NS": 0.8}
GAIN = [[1 - COST[a + label] for label in "NPS"] for a in "NA"]


@dataclass(frozen=True)
class Example:
    """A registered measure, the number of its labels, and its score by definition."""

    name: str
    title: str
    measure: Measure
    labels: int
    score: Callable[[tuple, tuple], float]

    def __str__(self) -> str:
        return self.title


EXAMPLES = [
    *(
        Example(
            "fbeta",
            f"F{beta} of tag {target} of 3",
            FBeta(3, target, beta),
            3,
            lambda a, y, target=target, beta=beta: brute_force.f_beta(a, y, target, beta),
        )
        for target in range(3)
        for beta in (0.5, 1.0, 2.0)
    ),
    Example("fbeta", "F1 of tag 1 of 2", FBeta(2, 1), 2, lambda a, y: brute_force.f_beta(a, y, 1, 1.0)),
    Example("aer", "1 - AER", AlignmentAccuracy(), 3, brute_force.one_minus_aer),
    Example("additive", "additive", Additive(GAIN), 3, lambda a, y: brute_force.additive(a, y, COST)),
]
COUNTING = [example for example in EXAMPLES if isinstance(example.measure, CountMeasure)]

every = pytest.mark.parametrize("example", EXAMPLES, ids=str)
every_counting = pytest.mark.parametrize("example", COUNTING, ids=str)
seeds = pytest.mark.parametrize("seed", range(3))


def test_every_registered_measure_has_an_example_here():
    assert sorted({example.name for example in EXAMPLES}) == measures.names()
    assert all(type(example.measure) is measures.get(example.name) for example in EXAMPLES)


def both_sides(example: Example) -> tuple[list, list]:
    return brute_force.labellings(LENGTH, 2), brute_force.labellings(LENGTH, example.labels)


def random_mixture(rng: np.random.Generator, among: list) -> Mixture:
    chosen = rng.choice(len(among), size=int(rng.integers(1, 6)), replace=False)
    probabilities = rng.dirichlet(np.ones(len(chosen)))
    return Mixture(np.array(among, dtype=np.int8)[chosen], probabilities)


def cost_of(costs: CountCosts | AdditiveCosts, labelling: tuple) -> float:
    """The formula in the docstrings of the two kinds of costs, read literally."""
    if isinstance(costs, AdditiveCosts):
        return sum(costs.costs[t, label] for t, label in enumerate(labelling))
    own = sum(bool(costs.counted[label]) for label in labelling)
    hits = [costs.hits[labelling[t]] * costs.weights[p, own] for p, t in enumerate(costs.positions)]
    return costs.constant[own] + sum(hits)


@every
def test_scores_equal_their_definition(example):
    predictions, actuals = both_sides(example)
    expected = [[example.score(a, y) for y in actuals] for a in predictions]
    found = example.measure.scores(np.array(predictions, np.int8), np.array(actuals, np.int8))
    assert found == pytest.approx(np.array(expected), abs=1e-14)


@every_counting
def test_scores_lie_between_zero_and_one_and_reach_both(example):
    predictions, actuals = both_sides(example)
    scores = example.measure.scores(np.array(predictions, np.int8), np.array(actuals, np.int8))
    assert (scores.min(), scores.max()) == (0.0, 1.0)


@seeds
@every
def test_adversary_costs_are_the_expected_scores_of_the_predictor(example, seed):
    predictions, actuals = both_sides(example)
    mixture = random_mixture(np.random.default_rng(seed), predictions)
    costs = example.measure.adversary_costs(mixture)
    for actual in actuals:
        scores = [example.score(tuple(a), actual) for a in mixture.labellings.tolist()]
        expected = brute_force.expectation(mixture.probabilities, scores)
        assert cost_of(costs, actual) == pytest.approx(expected, abs=1e-14)


@seeds
@every
def test_predictor_costs_are_minus_the_expected_scores_against_the_adversary(example, seed):
    predictions, actuals = both_sides(example)
    mixture = random_mixture(np.random.default_rng(seed), actuals)
    costs = example.measure.predictor_costs(mixture)
    counts = len(costs.constant) if isinstance(costs, CountCosts) else LENGTH + 1
    compared = 0
    for prediction in predictions:
        if sum(prediction) >= counts:
            continue
        compared += 1
        scores = [example.score(prediction, tuple(y)) for y in mixture.labellings.tolist()]
        expected = -brute_force.expectation(mixture.probabilities, scores)
        assert cost_of(costs, prediction) == pytest.approx(expected, abs=1e-14)
    assert compared > 0


@pytest.mark.parametrize("seed", range(20))
@every_counting
def test_predictions_left_out_of_the_costs_are_never_better(example, seed):
    predictions, actuals = both_sides(example)
    mixture = random_mixture(np.random.default_rng([seed, 1]), actuals)
    counts = len(example.measure.predictor_costs(mixture).constant)
    best = {True: -1.0, False: -1.0}
    for prediction in predictions:
        scores = [example.score(prediction, tuple(y)) for y in mixture.labellings.tolist()]
        offered = sum(prediction) < counts
        best[offered] = max(best[offered], brute_force.expectation(mixture.probabilities, scores))
    assert best[False] <= best[True] + 1e-14


@every_counting
def test_weight_of_a_hit_never_grows_with_the_number_predicted(example):
    predicted, actual = np.arange(8)[:, None], np.arange(8)[None, :]
    weights = example.measure.weight(predicted, actual)
    assert np.all(np.diff(weights[1:], axis=0) <= 0.0)
    assert weights[0, 0] == 0.0
    assert np.all(weights[1:] > 0.0)


@every_counting
def test_labels_share_a_role_exactly_if_they_play_the_same_part_in_the_score(example):
    measure = example.measure
    for one, other in product(range(example.labels), repeat=2):
        alike = (measure.hits[one], measure.counted[one]) == (measure.hits[other], measure.counted[other])
        assert (measure.roles[one] == measure.roles[other]) == alike
    nothing = [not measure.hits[label] and not measure.counted[label] for label in range(example.labels)]
    assert (measure.roles == 0).tolist() == nothing


@every_counting
def test_dense_costs_have_zeros_where_nothing_can_be_hit(example):
    costs = example.measure.adversary_costs(Mixture.pure(np.array([0, 1, 0])))
    assert costs.positions.tolist() == [1]
    dense = costs.dense(LENGTH)
    assert np.array_equal(dense[1], costs.weights[0])
    assert not dense[[0, 2]].any()
