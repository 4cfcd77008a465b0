"""Whether the gold labelling is an equilibrium of a game, and from which scale of the weights on."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from advsp.engine.game import Game
from advsp.engine.measures.counts import CountScore
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle
from advsp.engine.oracles.base import Oracle
from advsp.learners.game_loss import chain_game
from advsp.support.arrays import Labels
from advsp.support.progress import Progress, no_progress
from advsp.support.threads import single_threaded
from advsp.training.chain_model import ChainModel

#: What a player may gain by leaving a labelling that still counts as an equilibrium: rounding of potentials.
TOLERANCE = 1e-9


def hits(game: Game, gold: np.ndarray) -> Labels:
    """The predictor's labelling that has its ones where the gold labels are hits, int8 [n].

    Raises
    ------
    TypeError: the measure of the game does not count.
    """
    if not isinstance(game.score, CountScore):
        raise TypeError(f"{type(game.score).__name__} does not count")
    labelling: Labels = (game.score.roles.hits[gold] > 0).astype(np.int8)
    return labelling


def regret(game: Game, gold: np.ndarray, oracle: Oracle) -> float:
    """The most that either player gains by leaving the gold labelling while the other plays it.

    It is zero exactly where the pair of gold labellings is an equilibrium.

    Parameters
    ----------
    game: one whose measure counts.
    gold: int8 [n], tags.
    oracle: an exact one.
    """
    predicted = hits(game, gold)
    payoff = game.payoff(predicted, gold)
    highest = oracle.predictor(game, Mixture.pure(gold))[1]
    lowest = oracle.adversary(game, Mixture.pure(predicted))[1]
    return max(highest - payoff, payoff - lowest)


def smallest_scale(model: ChainModel, potentials: np.ndarray, gold: np.ndarray, target: int) -> float:
    """The factor of the potentials from which on the gold labelling is an equilibrium; infinite if from none.

    The predictor never gains by leaving it.  The adversary does not where c (psi(gold) - psi(y)) >=
    1 - F(gold, y) for all y, so that what holds at one factor holds at every greater one.  The largest ratio
    of the two is found by Dinkelbach's method (1967), with the adversary's best response at every step.

    Parameters
    ----------
    potentials: float [n, w], of one sentence.
    gold: int8 [n], tags.
    target: index of the class.
    """
    oracle, scale = open_oracle("auto"), 0.0
    whole = chain_game(model, potentials, target)
    predicted = hits(whole, gold)
    while True:
        game = chain_game(model, scale * potentials, target)
        labelling, lowest = oracle.adversary(game, Mixture.pure(predicted))
        if game.payoff(predicted, gold) - lowest <= TOLERANCE:
            return scale
        lead, rival = (float(whole.adversary.potential(y[None, :])[0]) for y in (gold, labelling))
        missed = 1.0 - float(game.score.scores(predicted[None, :], labelling[None, :])[0, 0])
        if lead <= rival:
            return math.inf
        if missed / (lead - rival) <= scale:  # up to rounding, it is there
            return scale
        scale = missed / (lead - rival)


@single_threaded
def gold_equilibria(
    model: ChainModel, weights: np.ndarray, target: int, progress: Progress = no_progress
) -> dict[str, Any]:
    """How many games have the gold labelling as an equilibrium at ``weights``, and how far it carries.

    Returns
    -------
    ``games``, ``equilibria``, ``regret`` (the largest) and ``scale``, the smallest factor of the weights at
    which all games have it, None if there is none.
    """
    oracle, potentials = open_oracle("auto"), model.all_potentials(weights)
    regrets, scales = [], []
    for example in range(model.examples):
        table, gold = potentials[model.rows(example)], model.gold(example)
        regrets.append(regret(chain_game(model, table, target), gold, oracle))
        scales.append(smallest_scale(model, table, gold, target))
        progress(1)
    largest = max(scales)
    return {
        "games": len(regrets),
        "equilibria": sum(found <= TOLERANCE for found in regrets),
        "regret": max(0.0, *regrets),
        "scale": largest if math.isfinite(largest) else None,
    }
