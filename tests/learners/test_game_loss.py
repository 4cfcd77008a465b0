"""The adversarial loss: minus the gold potential, minus the value of the whole game."""

from __future__ import annotations

from dataclasses import replace

import brute_force
import numpy as np
import pytest
from training.toy import TAGS, defined_potential, toy_instances

from advsp.engine.backends.numpy import NumpyBackend
from advsp.engine.backends.opening import open_backend
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import oracles
from advsp.engine.settings import Engine
from advsp.learners.game_loss import GameLoss, chain_game, chain_game_loss, target_specs
from advsp.support.errors import InputError
from advsp.training.chain_model import ChainModel
from advsp.training.objective import Objective

M = len(TAGS)
starts = pytest.mark.parametrize("start", ["own", "latent"])
LENGTHS = (3, 1, 2)
NUMPY = Engine(oracle="numpy", lp="linprog")


def make(start: str = "own", scale: float = 0.4, seed: int = 9) -> tuple[ChainModel, np.ndarray, np.ndarray]:
    """Model, weights and the table of all potentials."""
    model = ChainModel(toy_instances(lengths=LENGTHS), start)
    weights = np.random.default_rng(seed).normal(scale=scale, size=model.size)
    return model, weights, model.all_potentials(weights)


def gold_potential(model: ChainModel, example: int, weights: np.ndarray) -> float:
    gold = tuple(model.gold(example).tolist())
    return defined_potential(model.instances, example, gold, weights, model.start)


def written_out(
    model: ChainModel, example: int, weights: np.ndarray, target: int, beta: float = 1.0
) -> brute_force.FullGame:
    length = len(model.gold(example))
    return brute_force.full_game(
        brute_force.labellings(length, 2),
        brute_force.labellings(length, M),
        lambda a, y: brute_force.f_beta(a, y, target, beta),
        lambda y: defined_potential(model.instances, example, y, weights, model.start),
    )


def true_loss(model: ChainModel, example: int, weights: np.ndarray, targets, beta: float = 1.0) -> float:
    """By definition, from the whole payoff matrix."""
    gold = gold_potential(model, example, weights)
    return sum(-gold - written_out(model, example, weights, target, beta).value for target in targets)


@starts
@pytest.mark.parametrize("targets", [[0], [1], [0, 1]])
@pytest.mark.parametrize("beta", [0.5, 1.0])
def test_loss_is_minus_gold_potential_minus_game_value(start, targets, beta):
    model, weights, potentials = make(start)
    loss = chain_game_loss(model, targets, Engine(), FBeta(beta))
    for example in range(model.examples):
        value = loss.evaluate(example, potentials[model.rows(example)], 1e-9)
        expected = true_loss(model, example, weights, targets, beta)
        assert value.attained == pytest.approx(expected, abs=1e-8)
        assert value.bound == pytest.approx(expected, abs=1e-8)


@starts
def test_game_of_a_sentence_pays_by_the_weights(start):
    model, weights, potentials = make(start)
    for example in range(model.examples):
        full = written_out(model, example, weights, target=1, beta=2.0)
        game = chain_game(model, potentials[model.rows(example)], target=1, measure=FBeta(2.0))
        found = game.payoffs(np.array(full.predictions, np.int8), np.array(full.actuals, np.int8))
        assert found == pytest.approx(full.payoffs, abs=1e-12)


@pytest.mark.parametrize("tolerance", [0.5, 0.1, 0.01])
def test_loose_tolerance_brackets_the_loss(tolerance):
    for seed in range(5):
        model, weights, potentials = make(scale=0.1, seed=seed)
        loss = chain_game_loss(model, [0, 1], Engine(), warm=False)
        for example in range(model.examples):
            value = loss.evaluate(example, potentials[model.rows(example)], tolerance)
            expected = true_loss(model, example, weights, [0, 1])
            assert value.attained - 1e-8 <= expected <= value.bound + 1e-8
            assert value.bound - value.attained <= 2 * tolerance


def test_attained_is_a_lower_bound_of_the_loss_everywhere():
    # <moments, potentials> - G <= loss at any potentials, with G read off where it was found.
    rng = np.random.default_rng(1)
    model, _, potentials = make(scale=0.1)
    loss = chain_game_loss(model, [0, 1], Engine(), warm=False)
    for example in range(model.examples):
        here = potentials[model.rows(example)]
        value = loss.evaluate(example, here, tolerance=0.2)
        for _ in range(5):
            weights = rng.normal(scale=0.5, size=model.size)
            there = model.all_potentials(weights)[model.rows(example)]
            tangent = value.attained + np.vdot(value.moments, there - here)
            assert tangent <= true_loss(model, example, weights, [0, 1]) + 1e-8


@starts
@pytest.mark.parametrize("seed", range(3))
def test_gradient_equals_finite_differences_away_from_kinks(start, seed):
    model, weights, _ = make(start, scale=0.5, seed=seed)
    objective = Objective(model, chain_game_loss(model, [0], Engine()), l2=0.3, tolerance=0.0)
    gradient, step = objective.full(weights)[2], 1e-6
    for index in range(model.size):
        shift = step * (np.arange(model.size) == index)
        difference = objective.full(weights + shift)[0] - objective.full(weights - shift)[0]
        assert gradient[index] == pytest.approx(difference / (2 * step), abs=1e-4)


def test_moments_are_those_of_the_adversary_at_equilibrium_less_the_gold_ones():
    for seed in range(5):
        model, _, potentials = make(scale=0.05, seed=seed)
        engine = Engine()
        for example in range(model.examples):
            table = potentials[model.rows(example)]
            expected = np.zeros_like(table)
            for target in (0, 1):
                mixture = open_backend(engine).solve(chain_game(model, table, target), 1e-6).adversary
                for labelling, probability in zip(mixture.labellings, mixture.probabilities, strict=True):
                    expected += probability * model.layout.moments(example, labelling[None], np.ones(1))
                expected -= model.gold_moments(example)
            value = chain_game_loss(model, [0, 1], engine).evaluate(example, table, 1e-6)
            assert value.moments == pytest.approx(expected, abs=1e-11)


def test_strategies_of_small_probability_count():
    model, _, potentials = make()
    table = potentials[model.rows(0)]
    gold = model.gold(0)
    other = np.where(gold == 0, 1, 0).astype(np.int8)
    mixture = Mixture(np.stack([gold, other]), np.array([1.0 - 1e-9, 1e-9]))

    class Dictated(NumpyBackend):
        def solve(self, game, tolerance, warm=None, trace=False):
            return replace(super().solve(game, tolerance, warm, trace), adversary=mixture)

    backend = Dictated(Engine(oracle="numpy"), oracles.get("numpy"))
    loss = GameLoss(model, target_specs(model, [0], FBeta()), backend)
    moments = loss.evaluate(0, table, 1e-6).moments
    expected = 1e-9 * (model.layout.moments(0, other[None], np.ones(1)) - model.gold_moments(0))
    assert moments == pytest.approx(expected, rel=1e-5, abs=0)


def test_strategies_kept_from_before_do_not_change_the_loss():
    model, weights, potentials = make()
    warm = chain_game_loss(model, [0, 1], Engine(), warm=True)
    for scale in (1.0, -1.0, 0.3):
        for example in range(model.examples):
            value = warm.evaluate(example, scale * potentials[model.rows(example)], 1e-9)
            assert value.attained == pytest.approx(
                true_loss(model, example, scale * weights, [0, 1]), abs=1e-8
            )


def test_strategies_are_kept_only_where_asked_for():
    model, _, potentials = make()
    warm, cold = (chain_game_loss(model, [0, 1], NUMPY, warm=warm) for warm in (True, False))
    for loss in (warm, cold):
        for example in range(model.examples):
            loss.evaluate(example, potentials[model.rows(example)], 1e-9)
    assert len(warm.state()["keys"]) == 2 * model.examples
    assert cold.state() == {}


def test_kernels_keep_no_strategies():
    pytest.importorskip("numba")
    model, _, potentials = make()
    loss = chain_game_loss(model, [0, 1], Engine(), warm=True)
    loss.backend.evaluate(loss, potentials, 1e-9)
    assert loss.state() == {}


def test_restored_loss_goes_on_exactly_as_the_one_that_was_kept():
    model, weights, _ = make(scale=0.1)
    kept, restored = (chain_game_loss(model, [1, 0], NUMPY) for _ in range(2))
    for example in (2, 0):
        kept.evaluate(example, model.all_potentials(weights)[model.rows(example)], 0.05)
    restored.restore(kept.state())
    assert kept.state().keys() == restored.state().keys()
    assert all(np.array_equal(kept.state()[key], restored.state()[key]) for key in kept.state())
    moved = model.all_potentials(0.7 * weights)
    for example in range(model.examples):
        one = kept.evaluate(example, moved[model.rows(example)], 0.05)
        other = restored.evaluate(example, moved[model.rows(example)], 0.05)
        assert (one.attained, one.bound) == (other.attained, other.bound)
        assert np.array_equal(one.moments, other.moments)


def test_nothing_is_learnt_from_a_sentence_whose_gold_tags_win_by_more_than_a_score():
    model, _, _ = make()
    loss = chain_game_loss(model, [0, 1], Engine())
    for example in range(model.examples):
        gold = model.gold_moments(example)
        value = loss.evaluate(example, 3.0 * gold, 1e-6)
        assert not value.moments.any()
        assert value.attained == value.bound == pytest.approx(-2.0)


def test_gain_of_the_gold_labelling_is_a_point_a_target():
    model, _, _ = make()
    for targets in ([0], [0, 1], [(0, 1)]):
        moments, gains = chain_game_loss(model, targets, Engine()).start()
        assert not moments.any()
        assert gains.tolist() == [float(len(targets))] * model.examples


def test_cap_on_the_rounds_leaves_an_honest_bracket():
    model, weights, potentials = make(scale=0.05)
    loss = chain_game_loss(model, [0], Engine(max_iterations=1))
    widths = []
    for example in range(model.examples):
        value = loss.evaluate(example, potentials[model.rows(example)], 1e-9)
        expected = true_loss(model, example, weights, [0])
        assert value.attained - 1e-9 <= expected <= value.bound + 1e-9
        widths.append(value.bound - value.attained)
    assert max(widths) > 0.1


def test_engine_asks_for_the_solver_it_was_told():
    model, _, potentials = make()
    loss = chain_game_loss(model, [0], Engine(lp="no such solver"))
    with pytest.raises(InputError, match="unknown LP solver 'no such solver'"):
        loss.evaluate(0, potentials[model.rows(0)], 1e-6)


def test_approximate_responses_certify_no_bound():
    model, _, potentials = make()
    table = potentials[model.rows(0)]
    assert chain_game_loss(model, [0], Engine(oracle="approximate")).evaluate(0, table, 1e-6).bound == np.inf
    assert chain_game_loss(model, [0], Engine(oracle="numpy")).evaluate(0, table, 1e-6).bound < np.inf
