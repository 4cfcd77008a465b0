"""The paper's approximate responses, candidate by candidate."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest

from advsp.engine.game import ChainF1Game
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle

LENGTH, TAGS, TARGET = 4, 3, 1
COSTS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
EVERY_PREDICTION = brute_force.labellings(LENGTH, 2)
EVERY_ACTUAL = brute_force.labellings(LENGTH, TAGS)


def marginals(mixture: Mixture, label: int) -> list[float]:
    """Probability that the opponent has ``label`` at each position."""
    rows = mixture.labellings.tolist()
    return [
        sum(p for p, row in zip(mixture.probabilities, rows, strict=True) if row[t] == label)
        for t in range(LENGTH)
    ]


@pytest.mark.parametrize("size", [0.02, 0.5, 2.0])
@pytest.mark.parametrize("seed", range(10))
def test_adversary_takes_the_lowest_payoff_among_one_candidate_for_every_cost(seed, size):
    rng = np.random.default_rng(seed)
    unary, pairwise = rng.normal(scale=size, size=(LENGTH, TAGS)), rng.normal(scale=size, size=(TAGS, TAGS))
    mixture = Mixture(rng.integers(0, 2, size=(3, LENGTH)).astype(np.int8), np.array([0.5, 0.3, 0.2]))
    marginal = marginals(mixture, 1)
    scale = 2.0 / max(np.ptp(unary), np.ptp(pairwise))

    def reward(actual: tuple, w: float) -> float:
        misses = [(1 - p) * w if y == TARGET else p * (2 - w) for y, p in zip(actual, marginal, strict=True)]
        return scale * brute_force.chain_potential(actual, unary, pairwise) + sum(misses)

    candidates = [max(EVERY_ACTUAL, key=lambda y, w=w: reward(y, w)) for w in COSTS]
    full = brute_force.chain_game(unary, pairwise, TARGET)
    payoffs = full.against_predictor(mixture)
    expected = min(payoffs[full.actuals.index(y)] for y in candidates)
    _, found = open_oracle("approximate").adversary(ChainF1Game(unary, pairwise, TARGET), mixture)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_predictor_takes_the_highest_payoff_among_one_candidate_for_every_cost(seed):
    rng = np.random.default_rng(seed)
    unary, pairwise = rng.normal(scale=0.5, size=(LENGTH, TAGS)), rng.normal(scale=0.2, size=(TAGS, TAGS))
    mixture = Mixture(rng.integers(0, TAGS, size=(3, LENGTH)).astype(np.int8), np.array([0.5, 0.3, 0.2]))
    marginal = marginals(mixture, TARGET)

    def cost(prediction: tuple, w: float) -> float:
        return sum((1 - p) * w if a else p * (2 - w) for a, p in zip(prediction, marginal, strict=True))

    candidates = [min(EVERY_PREDICTION, key=lambda a, w=w: cost(a, w)) for w in COSTS]
    full = brute_force.chain_game(unary, pairwise, TARGET)
    payoffs = full.against_adversary(mixture)
    expected = max(payoffs[full.predictions.index(a)] for a in candidates)
    _, found = open_oracle("approximate").predictor(ChainF1Game(unary, pairwise, TARGET), mixture)
    assert found == pytest.approx(expected, abs=1e-12)
