"""Games pay what the paper says: score less potential, and Table 1 cell by cell."""

from __future__ import annotations

from fractions import Fraction

import brute_force
import numpy as np
import pytest

import advsp
from advsp.engine.double_oracle import Equilibrium
from advsp.engine.game import AerGame, ChainF1Game, Game, MatchingGame
from advsp.engine.measures.additive import DEFAULT_COST
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.mixture import Mixture
from advsp.engine.solving import solve_game
from advsp.engine.structures.chain import LinearChain
from advsp.engine.structures.independent import IndependentLabels

#: Table 1 of the paper without its Lagrangian terms: score of every prediction (columns) against every
#: alignment (rows) of one source word with two target words.
TABLE_1 = """
        NN   NA   AN   AA
    NN   1    0    0    0
    NP   1    1    0   1/2
    NS   0    1    0   2/3
    PN   1    0    1   1/2
    PP   1    1    1    1
    PS   0    1   1/2   1
    SN   0    0    1   2/3
    SP   0   1/2   1    1
    SS   0   2/3  2/3   1
"""
_HEAD, *_LINES = [line.split() for line in TABLE_1.strip().splitlines()]
CELLS = [
    (prediction, line[0], Fraction(cell)) for line in _LINES for prediction, cell in zip(_HEAD, line[1:])
]


@pytest.mark.parametrize(("prediction", "alignment", "score"), CELLS)
def test_table_1_of_the_paper(prediction, alignment, score):
    game = AerGame(np.zeros(2), np.zeros(2))
    payoff = game.payoff(["NA".index(a) for a in prediction], ["NPS".index(y) for y in alignment])
    assert payoff == pytest.approx(float(score), abs=1e-15)


def test_table_1_is_complete():
    assert len({cell[:2] for cell in CELLS}) == 9 * 4


@pytest.mark.parametrize(("prediction", "alignment", "score"), CELLS)
def test_lagrangian_terms_of_table_1_depend_on_the_alignment_alone(prediction, alignment, score):
    sure, possible = np.array([0.25, -3.0]), np.array([0.5, 10.0])
    psi = sum({"N": 0.0, "P": possible[e], "S": sure[e]}[y] for e, y in enumerate(alignment))
    game = AerGame(sure, possible)
    payoff = game.payoff(["NA".index(a) for a in prediction], ["NPS".index(y) for y in alignment])
    assert payoff == pytest.approx(float(score) - psi, abs=1e-14)


# --- payoffs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("target", [0, 2])
@pytest.mark.parametrize("by_position", [False, True])
@pytest.mark.parametrize("with_start", [False, True])
def test_payoffs_of_a_chain_game(beta, target, by_position, with_start):
    rng = np.random.default_rng(0)
    unary, start = rng.normal(size=(3, 3)), rng.normal(size=3) if with_start else None
    pairwise = rng.normal(size=(2, 3, 3)) if by_position else rng.normal(size=(3, 3))
    full = brute_force.chain_game(unary, pairwise, target, start, beta)
    game = ChainF1Game(unary, pairwise, target, start=start, beta=beta)
    found = game.payoffs(np.array(full.predictions, np.int8), np.array(full.actuals, np.int8))
    assert found == pytest.approx(full.payoffs, abs=1e-13)


def test_payoffs_of_an_aer_game():
    rng = np.random.default_rng(1)
    sure, possible = rng.normal(size=(2, 4))
    full = brute_force.aer_game(sure, possible)
    found = AerGame(sure, possible).payoffs(np.array(full.predictions), np.array(full.actuals))
    assert found == pytest.approx(full.payoffs, abs=1e-13)


def test_payoffs_of_a_matching_game():
    rng = np.random.default_rng(2)
    sure, possible = rng.normal(size=(2, 6))
    cost = dict(zip(DEFAULT_COST, rng.random(6), strict=True))
    full = brute_force.matching_game(sure, possible, (2, 3), cost)
    game = MatchingGame(sure, possible, (2, 3), cost)
    found = game.payoffs(np.array(full.predictions), np.array(full.actuals))
    assert found == pytest.approx(full.payoffs, abs=1e-13)


def test_costs_not_given_keep_their_default():
    game = MatchingGame(np.zeros(1), np.zeros(1), (1, 1), {"AN": 0.25})
    cells = {a + y: game.payoff(["NA".index(a)], ["NPS".index(y)]) for a in "NA" for y in "NPS"}
    assert cells == {"NN": 1.0, "NP": 1.0, "NS": 0.0, "AN": 0.75, "AP": 1.0, "AS": 1.0}


def test_payoff_is_one_number_of_the_table_of_payoffs():
    game = AerGame(np.array([0.5, 0.25]), np.array([0.125, 0.0]))
    payoff = game.payoff([1, 0], [2, 1])
    assert isinstance(payoff, float)
    assert payoff == 1.0 - 0.5


def test_public_names_come_from_the_package_itself():
    assert advsp.ChainF1Game is ChainF1Game and advsp.AerGame is AerGame
    assert advsp.MatchingGame is MatchingGame
    assert advsp.solve_game is solve_game and advsp.Equilibrium is Equilibrium


# --- what is handed in wrong -----------------------------------------------------------------------


def test_unknown_cost_is_refused_by_name():
    with pytest.raises(ValueError, match=r"unknown costs \['SA'\]"):
        MatchingGame(np.zeros(1), np.zeros(1), (1, 1), {"SA": 1.0})


@pytest.mark.parametrize(
    ("sure", "possible"), [(np.zeros(2), np.zeros(3)), (np.zeros(0), np.zeros(0)), (np.zeros((1, 2)),) * 2]
)
def test_edge_potentials_must_be_equal_non_empty_vectors(sure, possible):
    with pytest.raises(ValueError, match="must be equal non-empty vectors"):
        AerGame(sure, possible)


@pytest.mark.parametrize("target", [-1, 2])
def test_target_must_be_a_tag(target):
    with pytest.raises(ValueError, match="is not one of 2 labels"):
        ChainF1Game(np.zeros((3, 2)), np.zeros((2, 2)), target)


# --- any measure times any structure ---------------------------------------------------------------


def test_alignment_accuracy_over_a_chain_has_exact_responses():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        unary, pairwise = rng.normal(scale=0.2, size=(4, 3)), rng.normal(scale=0.2, size=(3, 3))
        game = Game(
            AlignmentAccuracy().on_links(), IndependentLabels(np.zeros((4, 2))), LinearChain(unary, pairwise)
        )
        full = brute_force.full_game(
            brute_force.labellings(4, 2),
            brute_force.labellings(4, 3),
            brute_force.one_minus_aer,
            lambda y, unary=unary, pairwise=pairwise: brute_force.chain_potential(y, unary, pairwise),
        )
        mixture = Mixture(rng.integers(0, 2, size=(3, 4)).astype(np.int8), np.array([0.5, 0.25, 0.25]))
        labelling, value = game.adversary_response(mixture)
        payoffs = full.against_predictor(mixture)
        assert value == pytest.approx(payoffs.min(), abs=1e-12)
        assert payoffs[full.actuals.index(tuple(labelling.tolist()))] == pytest.approx(value, abs=1e-12)


# --- strategies of an earlier game -----------------------------------------------------------------


def test_refresh_of_a_chain_game_keeps_the_target_and_decodes_the_rest():
    unary = np.array([[0.0, 0.0, 3.0], [0.0, 5.0, 0.0], [0.0, 0.0, -1.0]])
    game = ChainF1Game(unary, np.zeros((3, 3)), target=0)
    assert game.refresh(np.array([[0, 2, 1], [1, 1, 0]])).tolist() == [[0, 1, 1], [2, 1, 0]]


def test_refresh_of_other_games_gives_the_labellings_back():
    labellings = np.array([[0, 1, 2, 0], [0, 0, 0, 0]], dtype=np.int8)
    aer, matching = AerGame(np.ones(4), np.ones(4)), MatchingGame(np.ones(4), np.ones(4), (2, 2))
    assert np.array_equal(aer.refresh(labellings), labellings)
    assert np.array_equal(matching.refresh(labellings), labellings)
