"""The paper's approximate responses over a linear chain (Eq. 17 and the text around it)."""

from __future__ import annotations

import numpy as np

from advsp.engine.game import Game
from advsp.engine.measures.counts import CountScore
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import oracles
from advsp.engine.oracles.base import Oracle
from advsp.engine.structures.chain import LinearChain
from advsp.support.arrays import Bools, Labels
from advsp.support.errors import InputError

#: Cost w of a false positive; a false negative costs 2 - w.
_COSTS = np.arange(1, 11) / 10.0


@oracles.register("approximate-numpy")
class ApproximateNumpy(Oracle):
    """Cost-sensitive candidates, ten a player, the best of which by exact payoff is the response.

    The adversary earns w (1 - P_t) for the target where the predictor's marginal P_t is low and
    (2 - w) P_t for another tag where it is high, on top of potentials scaled to a range of [-1, 1];
    one Viterbi run per w.  The predictor has no potentials and decides position by position.
    Source: cost-sensitive approximation of Parambath et al. (2014), as the paper applies it.
    """

    exact = False

    def predictor(self, game: Game, mixture: Mixture) -> tuple[Labels, float]:
        target, _ = chain_target(game)
        marginal = mixture.probabilities @ target[mixture.labellings]
        chosen = marginal * (2.0 - _COSTS[:, None]) > (1.0 - marginal) * _COSTS[:, None]
        candidates = chosen.astype(np.int8)
        payoffs = game.payoffs(candidates, mixture.labellings) @ mixture.probabilities
        best = int(payoffs.argmax())
        return candidates[best], float(payoffs[best])

    def adversary(self, game: Game, mixture: Mixture) -> tuple[Labels, float]:
        target, chain = chain_target(game)
        marginal = mixture.marginal(1)
        scale = _scale(chain)
        reward = np.empty((len(_COSTS), chain.length, chain.labels))
        reward[:] = (marginal * (2.0 - _COSTS[:, None]))[:, :, None]
        reward[:, :, target] = ((1.0 - marginal) * _COSTS[:, None])[:, :, None]
        # Scaling the rewards up is scaling the potentials down.
        candidates = chain.viterbi(chain.unary + reward / scale)
        payoffs = mixture.probabilities @ game.payoffs(mixture.labellings, candidates)
        best = int(payoffs.argmin())
        return candidates[best], float(payoffs[best])


def chain_target(game: Game) -> tuple[Bools, LinearChain]:
    """Which tags of a chain game are the target, bool [m], and the chain.

    Raises
    ------
    InputError: the game is not one of a target over a chain, or its measure prescribes how many ones the
        predictor places.
    """
    score, chain = game.score, game.adversary
    if not (isinstance(chain, LinearChain) and isinstance(score, CountScore) and score.roles.single):
        raise InputError(
            "the approximate oracle exists for measures of a target over linear chains only",
            key="engine.oracle",
            hint="choose numpy",
        )
    if score.measure.permitted(chain.length) != (0, chain.length):
        raise InputError(
            "the approximate oracle does not know how many positions the predictor may choose",
            key="engine.oracle",
            hint="choose numpy",
        )
    return score.roles.counted, chain


def _scale(chain: LinearChain) -> float:
    """Factor that brings the wider of the two ranges of potentials to a width of 2; 1 if both are flat."""
    widths = [np.ptp(part) for part in (chain.unary, chain.pairwise) if part.size]
    return 2.0 / max(widths) if max(widths) > 0 else 1.0
