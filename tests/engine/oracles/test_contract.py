"""What every registered oracle must do: name a labelling and the payoff it really attains."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest
from installed import each

from advsp.engine.game import AerGame, ChainF1Game, Game, MatchingGame
from advsp.engine.measures.additive import DEFAULT_COST
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle, oracles
from advsp.engine.structures.column_chain import ColumnChain
from advsp.support.errors import InputError

EXACT = each(oracles, lambda oracle: oracle.exact)
APPROXIMATE = each(oracles, lambda oracle: not oracle.exact)

seeds = pytest.mark.parametrize("seed", range(8))
scales = pytest.mark.parametrize("scale", [0.0, 0.1, 1.0, 5.0])


def chain(rng: np.random.Generator, scale: float) -> tuple[Game, brute_force.FullGame]:
    length, tags = int(rng.integers(1, 6)), int(rng.integers(2, 4))
    target, beta = int(rng.integers(tags)), float(rng.choice([0.5, 1.0, 2.0]))
    unary = rng.normal(scale=scale, size=(length, tags))
    pairwise, start = rng.normal(scale=scale, size=(tags, tags)), rng.normal(scale=scale, size=tags)
    game = ChainF1Game(unary, pairwise, target, start, beta)
    return game, brute_force.chain_game(unary, pairwise, target, start, beta)


def aer(rng: np.random.Generator, scale: float) -> tuple[Game, brute_force.FullGame]:
    sure, possible = rng.normal(scale=scale, size=(2, int(rng.integers(1, 5))))
    return AerGame(sure, possible), brute_force.aer_game(sure, possible)


def matching(rng: np.random.Generator, scale: float) -> tuple[Game, brute_force.FullGame]:
    shape = [(1, 1), (1, 2), (2, 2), (2, 3), (3, 1)][rng.integers(5)]
    sure, possible = rng.normal(scale=scale, size=(2, shape[0] * shape[1]))
    cost = dict(zip(DEFAULT_COST, rng.random(6), strict=True))
    game = MatchingGame(sure, possible, shape, cost)
    return game, brute_force.matching_game(sure, possible, shape, cost)


def columns(rng: np.random.Generator, scale: float) -> tuple[Game, brute_force.FullGame]:
    shape = [(1, 1), (1, 2), (2, 2), (3, 1)][rng.integers(4)]
    potentials = rng.normal(scale=scale, size=(shape[0] * shape[1], 3))
    structure = ColumnChain(potentials, shape, rng.normal(scale=scale, size=(shape[1] - 1, 3)))
    game = Game(AlignmentAccuracy().on_links(), structure.opponent(), structure)
    return game, brute_force.columns_game(potentials, shape, structure.steps)


GAMES = {"chain": chain, "aer": aer, "columns": columns, "matching": matching}


def random_mixture(rng: np.random.Generator, among: list) -> Mixture:
    chosen = rng.choice(len(among), size=min(len(among), int(rng.integers(1, 6))), replace=False)
    return Mixture(np.array(among, dtype=np.int8)[chosen], rng.dirichlet(np.ones(len(chosen))))


def predictor_payoffs(name: str, game: Game, full: brute_force.FullGame, rng: np.random.Generator):
    """What the oracle claims for the predictor, what its labelling attains, and the most there is."""
    mixture = random_mixture(rng, full.actuals)
    labelling, claimed = oracles.get(name)().predictor(game, mixture)
    payoffs = full.against_adversary(mixture)
    return claimed, payoffs[full.predictions.index(tuple(labelling.tolist()))], payoffs.max()


def adversary_payoffs(name: str, game: Game, full: brute_force.FullGame, rng: np.random.Generator):
    """What the oracle claims for the adversary, what its labelling attains, and the least there is."""
    mixture = random_mixture(rng, full.predictions)
    labelling, claimed = oracles.get(name)().adversary(game, mixture)
    payoffs = full.against_predictor(mixture)
    return claimed, payoffs[full.actuals.index(tuple(labelling.tolist()))], payoffs.min()


def test_there_are_oracles_of_either_kind():
    assert EXACT and APPROXIMATE


@seeds
@scales
@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("name", EXACT)
def test_exact_predictor_response_is_the_best_there_is(name, kind, scale, seed):
    rng = np.random.default_rng(seed)
    game, full = GAMES[kind](rng, scale)
    claimed, attained, best = predictor_payoffs(name, game, full, rng)
    assert claimed == pytest.approx(best, abs=1e-11)
    assert attained == pytest.approx(best, abs=1e-11)


@seeds
@scales
@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("name", EXACT)
def test_exact_adversary_response_is_the_worst_there_is(name, kind, scale, seed):
    rng = np.random.default_rng(seed)
    game, full = GAMES[kind](rng, scale)
    claimed, attained, worst = adversary_payoffs(name, game, full, rng)
    assert claimed == pytest.approx(worst, abs=1e-11)
    assert attained == pytest.approx(worst, abs=1e-11)


@seeds
@scales
@pytest.mark.parametrize("name", APPROXIMATE)
def test_approximate_responses_attain_what_they_claim_and_no_more_than_the_best(name, scale, seed):
    rng = np.random.default_rng(seed)
    game, full = chain(rng, scale)
    claimed, attained, best = predictor_payoffs(name, game, full, rng)
    assert claimed == pytest.approx(attained, abs=1e-11)
    assert claimed <= best + 1e-11
    claimed, attained, worst = adversary_payoffs(name, game, full, rng)
    assert claimed == pytest.approx(attained, abs=1e-11)
    assert claimed >= worst - 1e-11


@pytest.mark.parametrize("name", APPROXIMATE)
def test_approximate_responses_are_mostly_the_exact_ones(name):
    rng, found = np.random.default_rng(0), []
    for _ in range(100):
        game, full = chain(rng, 1.0)
        claimed, _, best = predictor_payoffs(name, game, full, rng)
        found.append(claimed > best - 1e-9)
        claimed, _, worst = adversary_payoffs(name, game, full, rng)
        found.append(claimed < worst + 1e-9)
    assert np.mean(found) > 0.8


@pytest.mark.parametrize("kind", ["aer", "columns", "matching"])
@pytest.mark.parametrize("name", APPROXIMATE)
def test_approximate_oracle_says_which_games_it_cannot_play(name, kind):
    game, full = GAMES[kind](np.random.default_rng(0), 1.0)
    with pytest.raises(InputError, match="measures of a target over linear chains only.*choose numpy"):
        oracles.get(name)().predictor(game, Mixture.pure(np.array(full.actuals[0])))
    with pytest.raises(InputError, match="measures of a target over linear chains only.*choose numpy"):
        oracles.get(name)().adversary(game, Mixture.pure(np.array(full.predictions[0])))


@pytest.mark.parametrize(("name", "prunes"), [("numpy", True), ("reference", False)])
def test_only_the_reference_skips_nothing(name, prunes, monkeypatch):
    game, full = chain(np.random.default_rng(0), 1.0)
    asked = []
    for respond in ("predictor_response", "adversary_response"):
        monkeypatch.setattr(game, respond, lambda mixture, prune: asked.append(prune) or (None, 0.0))
    oracles.get(name)().predictor(game, Mixture.pure(np.array(full.actuals[0])))
    oracles.get(name)().adversary(game, Mixture.pure(np.array(full.predictions[0])))
    assert asked == [prunes, prunes]


def test_auto_is_exact():
    assert open_oracle("auto").exact


def test_unknown_oracle_names_the_nearest_one():
    with pytest.raises(InputError, match="unknown oracle 'refrence' .*did you mean 'reference'"):
        open_oracle("refrence")
