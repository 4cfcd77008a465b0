"""Games over 80 x 80 words, 6,400 edges: within the memory of any machine, and solved to a certified gap."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from advsp.engine.double_oracle import Equilibrium
from advsp.engine.game import AerGame, Game, MatchingGame
from advsp.engine.solving import solve_game

SIDE = 80
EDGES = SIDE * SIDE
MEGABYTE = 2**20


def clear_potentials() -> tuple[np.ndarray, np.ndarray]:
    """Sure and possible links: nearly all edges clearly have none, one edge of every word is likely to."""
    rng = np.random.default_rng(0)
    sure, possible = rng.normal(loc=-3.0, size=(2, EDGES))
    diagonal = np.arange(SIDE) * (SIDE + 1)
    sure[diagonal] += 6.0
    possible[diagonal] += 3.0
    return sure, possible


def small_potentials(size: float) -> tuple[np.ndarray, np.ndarray]:
    """Sure and possible links that hardly differ, as at the beginning of training: the hardest there are."""
    sure, possible = np.random.default_rng(0).normal(scale=size, size=(2, EDGES))
    return sure, possible


def matching(sure: np.ndarray, possible: np.ndarray) -> MatchingGame:
    return MatchingGame(sure, possible, (SIDE, SIDE))


def without_possible(sure: np.ndarray, possible: np.ndarray) -> AerGame:
    return AerGame(sure, np.full_like(possible, -np.inf))


def solve(game: Game, **options) -> tuple[Equilibrium, float]:
    """The equilibrium, and the most megabytes that were held at once to find it."""
    tracemalloc.start()
    try:
        solved = solve_game(game, **options)
        return solved, tracemalloc.get_traced_memory()[1] / MEGABYTE
    finally:
        tracemalloc.stop()


def assert_certified(game: Game, solved: Equilibrium, prune: bool) -> None:
    """Best responses to the mixtures give the bounds that are claimed."""
    rounding = 1e-12 * EDGES
    assert solved.certified and solved.lp_failures == 0
    assert solved.gap == max(0.0, solved.upper - solved.lower)
    assert game.adversary_response(solved.predictor, prune)[1] == pytest.approx(solved.lower, abs=rounding)
    assert game.predictor_response(solved.adversary, prune)[1] == pytest.approx(solved.upper, abs=rounding)


@pytest.mark.long
@pytest.mark.parametrize("make", [AerGame, without_possible, matching])
def test_clear_potentials_take_a_moment_and_little_memory(make: Callable[..., Game]):
    game = make(*clear_potentials())
    solved, megabytes = solve(game, tolerance=1e-6)
    assert solved.gap <= 1e-6
    assert_certified(game, solved, prune=False)
    assert megabytes < 30


@pytest.mark.long
def test_a_hundred_matchings_a_player_are_held_without_trouble():
    game = matching(*small_potentials(0.1))
    solved, megabytes = solve(game, tolerance=1e-6, max_iterations=100)
    assert solved.iterations == 100
    assert_certified(game, solved, prune=False)
    assert megabytes < 50


@pytest.mark.long
@pytest.mark.parametrize("make", [AerGame, without_possible])
def test_costs_of_every_count_at_nearly_every_edge_are_held_once(make: Callable[..., Game]):
    game = make(*small_potentials(1e-4))
    solved, megabytes = solve(game, tolerance=1e-2, max_iterations=2)
    assert_certified(game, solved, prune=True)
    hit = solved.predictor.labellings.any(axis=0).sum()
    assert hit > EDGES / 4
    # One number for every edge and every count is what takes the memory.
    assert megabytes < 8 * EDGES * (EDGES + 1) / MEGABYTE
