"""The double oracle that stops when its value repeats: where it leads, and what it says of itself."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from training.toy import toy_instances

from advsp.engine.backends.opening import open_backend
from advsp.engine.double_oracle import Equilibrium
from advsp.engine.game import AerGame, ChainF1Game, Game, MatchingGame
from advsp.engine.lp import open_session
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle
from advsp.engine.settings import Engine
from advsp.engine.solving import solve_game
from advsp.engine.value_repeats import predictor_response, solve_until_repeated
from advsp.learners.game_loss import chain_game_loss
from advsp.support.errors import InputError
from advsp.training.chain_model import ChainModel

checked = settings(derandomize=True, deadline=None, max_examples=20)
ENGINE = Engine(lp="linprog", oracle="reference", stop="value-repeats")


def repeated(game: Game, **limits: int) -> Equilibrium:
    """The game played so, with exact responses."""
    return solve_until_repeated(game, open_session("linprog"), open_oracle("reference"), **limits)


def chain_game(seed: int, length: int, tags: int, spread: float) -> ChainF1Game:
    rng = np.random.default_rng(seed)
    unary = spread * rng.normal(size=(length, tags))
    return ChainF1Game(unary, spread * rng.normal(size=(tags, tags)), target=int(rng.integers(tags)))


games = st.builds(
    chain_game,
    st.integers(0, 10_000),
    st.integers(1, 6),
    st.integers(2, 5),
    st.sampled_from([0.1, 1.0, 10.0]),
)


@checked
@given(game=games)
def test_value_lies_between_the_responses_and_nothing_is_certified(game):
    solved = open_backend(ENGINE).solve(game, tolerance=1e-6)
    assert solved.lower <= solved.value <= solved.upper
    assert solved.gap == solved.upper - solved.lower
    assert not solved.certified and not solved.trace
    value = solve_game(game, "linprog", "reference", 1e-9).value
    assert solved.lower - 1e-6 <= value <= solved.upper + 1e-6


@checked
@given(game=games)
def test_what_ends_with_both_players_done_is_an_equilibrium(game):
    solved = open_backend(ENGINE).solve(game, tolerance=1e-6)
    if solved.gap < 1e-7:
        exact = solve_game(game, "linprog", "reference", 1e-9)
        assert solved.value == pytest.approx(exact.value, abs=1e-6)


@checked
@given(game=games)
def test_mixtures_are_distributions_to_eight_decimals(game):
    solved = open_backend(ENGINE).solve(game, tolerance=1e-6)
    for mixture in (solved.predictor, solved.adversary):
        assert mixture.probabilities.sum() == pytest.approx(1.0, abs=1e-7)
        assert np.array_equal(mixture.probabilities, mixture.probabilities.round(8))
        assert len({labelling.tobytes() for labelling in mixture.labellings}) == len(mixture.labellings)


def test_players_begin_with_their_constant_labellings():
    game = chain_game(1, length=3, tags=4, spread=0.5)
    solved = repeated(game, max_iterations=1, max_strategies=1)
    assert solved.iterations == 1
    assert solved.adversary.labellings.tolist() == [[tag] * 3 for tag in range(4)]
    target = [int(game.score.roles.counted[tag]) for tag in range(4)]
    assert solved.predictor.labellings.tolist() == [[n] * 3 for n in dict.fromkeys(target)]


def test_it_may_stop_before_the_gap_closes():
    """Some game's value repeats although a player could still gain: what the option is there for."""
    gaps = [open_backend(ENGINE).solve(chain_game(seed, 6, 5, 0.3), 1e-6).gap for seed in range(10)]
    assert max(gaps) > 1e-4
    assert min(gaps) < 1e-7


def test_rounds_and_strategies_are_limited():
    game = chain_game(3, length=6, tags=5, spread=0.05)
    whole = open_backend(ENGINE).solve(game, 1e-6)
    assert whole.iterations > 2
    assert repeated(game, max_iterations=2).iterations == 2
    few = repeated(game, max_iterations=100, max_strategies=6)
    assert len(few.predictor.labellings) <= 6 and len(few.adversary.labellings) <= 6


@checked
@given(
    seed=st.integers(0, 1000), length=st.integers(1, 5), columns=st.integers(1, 4), beta=st.floats(0.3, 3.0)
)
def test_response_of_the_predictor_is_best_and_worth_what_it_says(seed, length, columns, beta):
    rng = np.random.default_rng(seed)
    game = ChainF1Game(rng.normal(size=(length, 3)), rng.normal(size=(3, 3)), target=1, beta=beta)
    adversary = Mixture(
        rng.integers(0, 3, size=(columns, length)).astype(np.int8), rng.dirichlet(np.ones(columns))
    )
    every = np.array(list(itertools.product((0, 1), repeat=length)), dtype=np.int8)
    payoffs = game.payoffs(every, adversary.labellings) @ adversary.probabilities
    labelling, worth = predictor_response(game, adversary)
    assert worth == pytest.approx(payoffs.max(), abs=1e-12)
    reached = game.payoffs(labelling[None, :], adversary.labellings)[0] @ adversary.probabilities
    assert reached == pytest.approx(worth, abs=1e-12)


def test_of_equal_positions_the_predictor_takes_the_later_and_of_equal_labellings_the_shorter():
    game = ChainF1Game(np.zeros((3, 2)), np.zeros((2, 2)), target=1)
    half = np.array([0.5, 0.5])
    either = Mixture(np.array([[1, 0, 0], [0, 0, 1]], dtype=np.int8), half)
    # One hit of two ones and a hit with certainty are worth 2/3; a single one is worth 1/2.
    assert predictor_response(game, either)[0].tolist() == [1, 0, 1]
    same = Mixture(np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.int8), np.full(3, 1 / 3))
    assert predictor_response(game, same)[0].tolist() == [1, 1, 1]
    empty = Mixture(np.array([[0, 0, 0], [0, 0, 1]], dtype=np.int8), half)
    assert predictor_response(game, empty)[0].tolist() == [0, 0, 0]
    skewed = Mixture(np.array([[1, 0, 0], [0, 0, 1], [0, 0, 0]], dtype=np.int8), np.array([0.2, 0.2, 0.6]))
    assert predictor_response(game, skewed)[0].tolist() == [0, 0, 0]


def test_alignment_error_rates_can_be_played_and_costs_of_matchings_cannot():
    rng = np.random.default_rng(0)
    aer = AerGame(rng.normal(size=4), rng.normal(size=4))
    solved = open_backend(ENGINE).solve(aer, 1e-6)
    assert solved.lower <= solve_game(aer, "linprog", "reference").value <= solved.upper + 1e-8
    with pytest.raises(InputError, match="engine.stop: the value is looked at in games of F-scores"):
        open_backend(ENGINE).solve(MatchingGame(np.zeros(4), np.zeros(4), (2, 2)), 1e-6)


def test_engine_that_looks_at_the_value_leaves_the_kernels_and_keeps_its_rule():
    loss = chain_game_loss(ChainModel(toy_instances()), [0], Engine(stop="value-repeats"))
    assert loss.backend.remembers(loss), "kernels keep no strategies"
    assert Engine(oracle="numpy", stop="value-repeats").exact().stop == "value-repeats"
