"""The fused double oracle: whole matrix games, bounds that hold, any strategies to begin with."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest

from advsp.engine.backends import twins as from_games
from advsp.engine.double_oracle import Equilibrium
from advsp.engine.game import AerGame, ChainF1Game, Game
from advsp.engine.measures import measures
from advsp.engine.oracles import open_oracle
from advsp.engine.solving import solve_game
from advsp.engine.structures.chain import LinearChain
from advsp.kernels.compilation import Compilation

REFERENCE = open_oracle("reference")


def assert_bounds_hold(game: Game, solved: Equilibrium, slack: float = 1e-9) -> None:
    """What the mixtures guarantee, by the plain algorithms."""
    assert REFERENCE.adversary(game, solved.predictor)[1] == pytest.approx(solved.lower, abs=slack)
    assert REFERENCE.predictor(game, solved.adversary)[1] == pytest.approx(solved.upper, abs=slack)
    assert solved.lower <= solved.value <= solved.upper
    assert solved.lp_failures == 0
    for mixture in (solved.predictor, solved.adversary):
        assert mixture.probabilities.min() > 0.0
        assert mixture.probabilities.sum() == pytest.approx(1.0, abs=1e-12)
        assert len(np.unique(mixture.labellings, axis=0)) == len(mixture.labellings)


def play(game: Game, **options) -> Equilibrium:
    return solve_game(game, "compiled", "compiled", **options)


def random_game(seed: int, n: int, scale: float) -> Game:
    rng = np.random.default_rng([seed, n])
    if seed % 2:
        return AerGame(*(scale * rng.normal(size=(2, n))))
    unary, pairwise = scale * rng.normal(size=(n, 4)), scale * rng.normal(size=(4, 4))
    return ChainF1Game(unary, pairwise, int(rng.integers(4)))


@pytest.mark.parametrize("scale", [0.0, 1e-6, 0.1, 0.3, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("seed", range(6))
def test_value_is_that_of_the_whole_matrix(seed, scale):
    rng = np.random.default_rng(seed)
    unary, pairwise = scale * rng.normal(size=(4, 3)), scale * rng.normal(size=(3, 3))
    sure, possible = scale * rng.normal(size=(2, 4))
    for game, full in (
        (ChainF1Game(unary, pairwise, 2), brute_force.chain_game(unary, pairwise, 2)),
        (AerGame(sure, possible), brute_force.aer_game(sure, possible)),
    ):
        solved = play(game, tolerance=0.0)
        assert solved.gap <= 1e-9
        assert solved.value == pytest.approx(full.value, abs=1e-8)
        assert_bounds_hold(game, solved)


@pytest.mark.parametrize("scale", [0.0, 0.3, 1.0, 3.0])
@pytest.mark.parametrize("seed", range(4))
def test_value_is_that_of_numpy_and_another_solver(seed, scale):
    game = random_game(seed, 15, scale)
    solved = play(game, tolerance=1e-9)
    assert solved.value == pytest.approx(solve_game(game, "linprog", "numpy", 1e-9).value, abs=2e-9)
    assert_bounds_hold(game, solved)


@pytest.mark.parametrize("n", [20, 30, 60, 225])
@pytest.mark.parametrize("seed", range(2))
def test_games_before_any_training_need_hundreds_of_strategies_and_no_second_answer(n, seed):
    game = random_game(seed, min(n, 40) if seed == 0 else n, 0.0)
    solved = play(game, tolerance=1e-6, max_iterations=300)
    assert solved.gap <= 1e-6 or solved.iterations == 300
    assert_bounds_hold(game, solved)


@pytest.mark.parametrize("seed", range(6))
def test_a_game_given_up_has_its_true_bracket(seed):
    game = random_game(seed, 20, 0.2)
    gaps = []
    for rounds in (1, 2, 4, 8):
        solved = play(game, tolerance=0.0, max_iterations=rounds)
        assert solved.iterations <= rounds
        assert_bounds_hold(game, solved)
        gaps.append(solved.gap)
    assert gaps == sorted(gaps, reverse=True)


@pytest.mark.parametrize("seed", range(12))
def test_strategies_to_begin_with_never_change_the_value(seed):
    game, rng = random_game(seed, 10, 0.5), np.random.default_rng(seed)
    cold = play(game, tolerance=1e-9)
    own = cold.predictor.labellings, cold.adversary.labellings
    foreign = rng.integers(0, 2, size=(5, 10)), rng.integers(0, game.adversary.labels, size=(5, 10))
    nothing = np.empty((0, 10)), np.empty((0, 10))
    twice = np.repeat(foreign[0], 2, axis=0), np.repeat(own[1], 2, axis=0)
    for warm in (own, foreign, nothing, twice, (own[0], nothing[1]), (nothing[0], foreign[1])):
        warm = tuple(labellings.astype(np.int8) for labellings in warm)
        solved = play(game, tolerance=1e-9, warm=warm)
        assert solved.value == pytest.approx(cold.value, abs=2e-9)
        assert_bounds_hold(game, solved)
    assert play(game, tolerance=1e-8, warm=own).iterations == 1


@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize("measure", ["fbeta", "kappa"])
def test_where_no_target_can_be_one_strategy_a_player_is_left(measure, warm):
    rng = np.random.default_rng(4)
    unary = rng.normal(size=(7, 3))
    unary[:, 1] -= 50.0
    score = measures.get(measure)().on_target(3, 1)
    chain = LinearChain(unary, rng.normal(size=(3, 3)))
    game = Game(score, chain.opponent(), chain)
    begun = np.eye(7, dtype=np.int8)[:3], np.ones((2, 7), dtype=np.int8)
    solved = play(game, warm=begun if warm else None)
    slow = solve_game(game, "linprog", "numpy")
    # In closed form whatever it begins with comes to the same.
    assert solved.gap == 0.0 and (solved.iterations == 1 or (measure == "kappa" and warm))
    assert solved.value == pytest.approx(slow.value, abs=1e-12)
    assert solved.adversary.labellings.tolist() == slow.adversary.labellings.tolist()
    assert_bounds_hold(game, solved)


def test_strategies_that_are_now_forbidden_are_left_out():
    rng = np.random.default_rng(0)
    sure, possible = 0.2 * rng.normal(size=(2, 8))
    before = play(AerGame(sure, possible), tolerance=1e-9)
    warm = before.predictor.labellings, before.adversary.labellings
    game = AerGame(sure, np.full(8, -np.inf))
    solved = play(game, tolerance=1e-9, warm=warm)
    assert solved.value == pytest.approx(play(game, tolerance=1e-9).value, abs=2e-9)
    assert not (solved.adversary.labellings == 1).any()
    assert_bounds_hold(game, solved)


def test_potentials_in_any_layout_of_memory_are_played():
    rng = np.random.default_rng(1)
    unary, pairwise = rng.normal(size=(3, 6)).T, rng.normal(size=(3, 3)).T
    plain = ChainF1Game(np.ascontiguousarray(unary), np.ascontiguousarray(pairwise), 1)
    assert play(ChainF1Game(unary, pairwise, 1)).value == play(plain).value
    table, _ = from_games.played(ChainF1Game(unary, pairwise, 1), exact=True)
    assert table.unary.flags.c_contiguous and table.pairwise.flags.c_contiguous


@pytest.mark.parametrize("n", [1, 2, 3])
def test_no_game_is_compiled_for_anew(n):
    # One table for all steps is a view that must not be written to: numba takes that for another type.
    rng = np.random.default_rng(n)
    chain = ChainF1Game(rng.normal(size=(n, 3)), rng.normal(size=(3, 3)), 1)
    oracle = open_oracle("compiled")
    with Compilation() as compilation:
        solved = play(chain)
        oracle.adversary(chain, solved.predictor)
        oracle.predictor(chain, solved.adversary)
        solve_game(chain, "compiled", "approximate-compiled")
        play(AerGame(*rng.normal(size=(2, n))))
    assert compilation.seconds == 0.0


@pytest.mark.parametrize("scale", [0.3, 1.0, 3.0])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("target", [1, (0, 2)])
def test_approximate_twins_play_alike(seed, scale, target):
    rng = np.random.default_rng([seed, 12])
    game = ChainF1Game(scale * rng.normal(size=(12, 4)), scale * rng.normal(size=(4, 4)), target)
    compiled = solve_game(game, "compiled", "approximate-compiled", 1e-6)
    numpy = solve_game(game, "linprog", "approximate-numpy", 1e-6)
    assert not compiled.certified
    assert compiled.value == pytest.approx(numpy.value, abs=1e-7)
    twins = open_oracle("approximate-compiled"), open_oracle("approximate-numpy")
    for player, mixture in (("adversary", compiled.predictor), ("predictor", compiled.adversary)):
        values = [getattr(twin, player)(game, mixture)[1] for twin in twins]
        assert values[0] == pytest.approx(values[1], abs=1e-12)
