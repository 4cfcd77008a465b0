"""What every registered measure must do: score between its bounds, and turn mixtures into expected scores.

A measure brings its own examples; those registered from outside the package are tested in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

import brute_force
import numpy as np
import pytest

from advsp.engine.game import Game
from advsp.engine.measures import measures
from advsp.engine.measures.base import AdditiveCosts, Costs, CountCosts, Measure, Score
from advsp.engine.measures.counts import CountScore
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle, oracles
from advsp.engine.oracles.base import Oracle
from advsp.engine.solving import solve_game
from advsp.engine.structures.base import Structure
from advsp.engine.structures.chain import LinearChain
from advsp.engine.structures.independent import IndependentLabels

LENGTH, LABELS = 4, 3


@dataclass(frozen=True)
class Example:
    """A measure of a target, or of links (``None``)."""

    measure: Measure
    target: int | tuple[int, ...] | None

    @property
    def score(self) -> Score:
        if self.target is None:
            return self.measure.on_links()
        return self.measure.on_target(LABELS, self.target)

    def __str__(self) -> str:
        return f"{self.measure} of {'links' if self.target is None else self.target}"


def targets(measure: Measure) -> list[int | tuple[int, ...] | None]:
    return [None] if measure.links_only else [None, 1, (0, 2)]


EXAMPLES = [
    Example(measure, target)
    for name in measures
    for measure in measures.get(name).examples()
    for target in targets(measure)
]
COUNTING = [example for example in EXAMPLES if isinstance(example.score, CountScore)]

every = pytest.mark.parametrize("example", EXAMPLES, ids=str)
every_counting = pytest.mark.parametrize("example", COUNTING, ids=str)
seeds = pytest.mark.parametrize("seed", range(3))

PREDICTIONS = np.array(brute_force.labellings(LENGTH, 2), np.int8)
ACTUALS = np.array(brute_force.labellings(LENGTH, LABELS), np.int8)


def permitted(example: Example) -> np.ndarray:
    """The predictions that a measure lets the predictor make."""
    if not isinstance(example.score, CountScore):
        return PREDICTIONS
    least, most = example.score.measure.permitted(LENGTH)
    ones = PREDICTIONS.sum(axis=1)
    return PREDICTIONS[(least <= ones) & (ones <= most)]


def random_mixture(rng: np.random.Generator, among: np.ndarray) -> Mixture:
    chosen = rng.choice(len(among), size=int(rng.integers(1, min(6, len(among)) + 1)), replace=False)
    return Mixture(among[chosen], rng.dirichlet(np.ones(len(chosen))))


def cost_of(costs: Costs, labelling: np.ndarray) -> float:
    """The formula in the docstrings of the two kinds of costs, read literally."""
    if isinstance(costs, AdditiveCosts):
        return sum(costs.costs[t, label] for t, label in enumerate(labelling))
    own = sum(bool(costs.counted[label]) for label in labelling)
    hits = [costs.hits[labelling[t]] * costs.weights[p, own] for p, t in enumerate(costs.positions)]
    return costs.constant[own] + sum(hits)


def test_every_registered_measure_brings_examples_of_itself():
    for name in measures:
        examples = measures.get(name).examples()
        assert examples and all(type(example) is measures.get(name) for example in examples)
        assert all(one != other for one, other in combinations(examples, 2))


@every
def test_measures_with_equal_options_are_equal(example):
    assert example.measure in type(example.measure).examples()


@every_counting
def test_scores_lie_within_the_range_that_is_stated(example):
    scores = example.score.scores(permitted(example), ACTUALS)
    measure = example.score.measure
    assert scores.min() >= measure.lowest - 1e-12
    assert scores.max() <= measure.highest + 1e-12
    assert example.score.span == measure.highest - measure.lowest


@every_counting
def test_a_hit_never_costs(example):
    for length in range(1, 8):
        counts = np.arange(length + 1)
        weights, offsets = example.score.measure.linear(counts[:, None], counts, length)
        assert weights.shape == offsets.shape == (length + 1, length + 1)
        assert (weights >= 0.0).all() and np.isfinite(weights).all()
        least, most = example.score.measure.permitted(length)
        refused = (counts < least) | (counts > most)
        assert np.array_equal(np.isneginf(offsets), np.repeat(refused[:, None], length + 1, axis=1))


@every_counting
def test_scores_are_linear_in_hits(example):
    score = example.score
    scores = score.scores(permitted(example), ACTUALS)
    for (i, a), (j, y) in product(enumerate(permitted(example)), enumerate(ACTUALS)):
        hits = sum(score.roles.hits[label] for one, label in zip(a, y, strict=True) if one)
        count = sum(bool(score.roles.counted[label]) for label in y)
        weight, offset = score.measure.linear(int(a.sum()), count, LENGTH)
        assert scores[i, j] == pytest.approx(weight * hits + offset, abs=1e-14)


@seeds
@every
def test_adversary_costs_are_the_expected_scores_of_the_predictor(example, seed):
    mixture = random_mixture(np.random.default_rng(seed), permitted(example))
    costs = example.score.adversary_costs(mixture)
    expected = mixture.probabilities @ example.score.scores(mixture.labellings, ACTUALS)
    assert [cost_of(costs, y) for y in ACTUALS] == pytest.approx(expected, abs=1e-13)


@seeds
@every
def test_predictor_costs_are_minus_the_expected_scores_against_the_adversary(example, seed):
    mixture = random_mixture(np.random.default_rng(seed), ACTUALS)
    costs = example.score.predictor_costs(mixture)
    counts = len(costs.constant) if isinstance(costs, CountCosts) else LENGTH + 1
    offered = [a for a in permitted(example) if a.sum() < counts]
    assert offered
    expected = -example.score.scores(np.array(offered), mixture.labellings) @ mixture.probabilities
    assert [cost_of(costs, a) for a in offered] == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("seed", range(20))
@every_counting
def test_predictions_left_out_of_the_costs_are_never_better(example, seed):
    mixture = random_mixture(np.random.default_rng([seed, 1]), ACTUALS)
    counts = len(example.score.predictor_costs(mixture).constant)
    expected = example.score.scores(permitted(example), mixture.labellings) @ mixture.probabilities
    ones = permitted(example).sum(axis=1)
    assert expected[ones >= counts].max(initial=-np.inf) <= expected[ones < counts].max() + 1e-14


@every_counting
def test_frugal_measures_never_reward_a_one_where_nothing_can_be_hit(example):
    measure = example.score.measure
    for length in (1, 7):
        counts = np.arange(length + 1)
        weights, offsets = measure.linear(counts[:, None], counts, length)
        falling = np.all(np.diff(weights[1:], axis=0) <= 0.0) and not offsets[1:].any()
        if measure.frugal:
            assert falling and not offsets[0, 1:].any() and weights[0, 0] == 0.0


@every_counting
def test_best_score_against_a_labelling_is_that_of_the_best_prediction(example):
    best = example.score.scores(permitted(example), ACTUALS).max(axis=0)
    assert [example.score.highest(y) for y in ACTUALS] == pytest.approx(best, abs=1e-12)


@every_counting
def test_labels_share_a_part_exactly_if_they_play_the_same_one_in_the_score(example):
    roles = example.score.roles
    for one, other in product(range(LABELS), repeat=2):
        alike = (roles.hits[one], roles.counted[one]) == (roles.hits[other], roles.counted[other])
        assert (roles.parts[one] == roles.parts[other]) == alike
    nothing = [not roles.hits[label] and not roles.counted[label] for label in range(LABELS)]
    assert (roles.parts == 0).tolist() == nothing
    assert roles.single == all(roles.hits[label] == roles.counted[label] for label in range(LABELS))


@every_counting
def test_dense_costs_have_zeros_where_nothing_can_be_hit(example):
    costs = example.score.adversary_costs(Mixture.pure(np.array([0, 1, 0, 0], np.int8)))
    assert costs.positions.tolist() == [1]
    dense = costs.dense(LENGTH)
    assert np.array_equal(dense[1], costs.weights[0])
    assert not dense[[0, 2, 3]].any()


# --- games, against the whole matrix -------------------------------------------------------------------


STRUCTURES = {
    "independent": lambda rng, scale: IndependentLabels(scale * rng.normal(size=(LENGTH, LABELS))),
    "chain": lambda rng, scale: LinearChain(
        scale * rng.normal(size=(LENGTH, LABELS)), scale * rng.normal(size=(LENGTH - 1, LABELS, LABELS))
    ),
}


@pytest.mark.parametrize("oracle", ["reference", "numpy", "compiled"])
@pytest.mark.parametrize("scale", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("structure", STRUCTURES)
@every_counting
def test_both_best_responses_equal_enumeration(example, structure, scale, oracle):
    responder = oracle_called(oracle)
    rng = np.random.default_rng(int(10 * scale))
    game = game_of(example.score, STRUCTURES[structure](rng, scale))
    predictions = permitted(example)
    for _ in range(5):
        opponent = random_mixture(rng, predictions)
        labelling, value = responder.adversary(game, opponent)
        payoffs = opponent.probabilities @ game.payoffs(opponent.labellings, ACTUALS)
        assert value == pytest.approx(payoffs.min(), abs=1e-9)
        attained = opponent.probabilities @ game.payoffs(opponent.labellings, labelling[None])[:, 0]
        assert attained == pytest.approx(value, abs=1e-9)
        opponent = random_mixture(rng, ACTUALS)
        labelling, value = responder.predictor(game, opponent)
        payoffs = game.payoffs(predictions, opponent.labellings) @ opponent.probabilities
        assert value == pytest.approx(payoffs.max(), abs=1e-9)
        assert labelling.tolist() in predictions.tolist()
        attained = game.payoffs(labelling[None], opponent.labellings)[0] @ opponent.probabilities
        assert attained == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("lp, oracle", [("linprog", "reference"), ("linprog", "numpy"), ("auto", "auto")])
@pytest.mark.parametrize("scale", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("structure", STRUCTURES)
@every_counting
def test_value_of_the_game_is_that_of_the_whole_matrix_game(example, structure, scale, lp, oracle):
    game = game_of(example.score, STRUCTURES[structure](np.random.default_rng(7), scale))
    predictions = permitted(example)
    value = brute_force.value(game.payoffs(predictions, ACTUALS))
    solved = solve_game(game, lp, oracle, 1e-9)
    assert solved.certified and solved.gap <= 1e-8
    assert solved.value == pytest.approx(value, abs=1e-7)
    guaranteed = solved.predictor.probabilities @ game.payoffs(solved.predictor.labellings, ACTUALS)
    assert guaranteed.min() >= value - 1e-7
    conceded = game.payoffs(predictions, solved.adversary.labellings) @ solved.adversary.probabilities
    assert conceded.max() <= value + 1e-7


def game_of(score: Score, structure: Structure) -> Game:
    return Game(score, structure.opponent(), structure)


def oracle_called(name: str) -> Oracle:
    reason = oracles.get(name).missing()
    if reason is not None:
        pytest.skip(reason)
    return open_oracle(name)
