"""A game: a measure times a structure for each player.

The predictor (row player, maximising) chooses a 0/1 labelling, the adversary (column player,
minimising) a labelling with potentials psi; the payoff is score(prediction, y) - psi(y)
(Eqs. 4 and 5 of the paper).  Either best response is the same three steps: the measure turns the
opponent's mixture into costs, the structure finds the cheapest labelling.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from advsp.engine.measures.additive import Additive
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.base import CountMeasure, Measure
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.mixture import Mixture
from advsp.engine.structures.base import Structure
from advsp.engine.structures.chain import LinearChain
from advsp.engine.structures.independent import IndependentLabels
from advsp.engine.structures.matching import BipartiteMatching


class Game:
    """Zero-sum game of ``measure`` over two structures.

    Parameters
    ----------
    measure: the score.
    predictor: structure of the predictor's 0/1 labellings; its potentials are zero.
    adversary: structure of the adversary's labellings, holding psi.
    """

    def __init__(self, measure: Measure, predictor: Structure, adversary: Structure) -> None:
        self.measure, self.predictor, self.adversary = measure, predictor, adversary

    def payoffs(self, predicted: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Payoffs [s, r] of predictor labellings [s, n] against adversary labellings [r, n]."""
        return self.measure.scores(predicted, actual) - self.adversary.potential(actual)

    def payoff(self, predicted: np.ndarray, actual: np.ndarray) -> float:
        """Payoff of one predictor labelling [n] against one adversary labelling [n]."""
        return float(self.payoffs(np.asarray(predicted)[None, :], np.asarray(actual)[None, :])[0, 0])

    def predictor_response(self, mixture: Mixture, prune: bool = True) -> tuple[np.ndarray, float]:
        """The predictor's best response to the adversary's ``mixture`` and its expected payoff."""
        response = self.predictor.respond(self.measure.predictor_costs(mixture), prune)
        expected = mixture.probabilities @ self.adversary.potential(mixture.labellings)
        return response.labelling, float(-response.cost - expected)

    def adversary_response(self, mixture: Mixture, prune: bool = True) -> tuple[np.ndarray, float]:
        """The adversary's best response to the predictor's ``mixture`` and its expected payoff."""
        response = self.adversary.respond(self.measure.adversary_costs(mixture), prune)
        return response.labelling, response.cost

    def refresh(self, labellings: np.ndarray) -> np.ndarray:
        """Adversary labellings of an earlier game with other potentials, made fit for this one."""
        if isinstance(self.measure, CountMeasure):
            return self.adversary.refresh(labellings, self.measure.roles)
        return labellings


class ChainF1Game(Game):
    """F-beta of one class over a linear chain (section 3.5 of the paper).

    Parameters
    ----------
    unary: float [n, m], potential of tag c at position t.
    pairwise: float [m, m] or [n - 1, m, m], potential of a tag and the next one.
    target: index of the class whose F is scored.
    start: float [m] or None, potential of the first tag (START -> c).
    beta: weight of recall against precision.
    """

    def __init__(
        self,
        unary: np.ndarray,
        pairwise: np.ndarray,
        target: int,
        start: np.ndarray | None = None,
        beta: float = 1.0,
    ) -> None:
        chain = LinearChain(unary, pairwise, start)
        super().__init__(
            FBeta(chain.labels, target, beta),
            IndependentLabels(np.zeros((chain.length, 2))),
            chain,
        )
        self.target = target


class AerGame(Game):
    """1 - AER over independent sure, possible and absent links (section 3.3 of the paper).

    Parameters
    ----------
    sure, possible: float [n], psi of S and of P at every edge; N has potential 0.
    """

    def __init__(self, sure: np.ndarray, possible: np.ndarray) -> None:
        potentials = _edge_potentials(sure, possible)
        super().__init__(
            AlignmentAccuracy(),
            IndependentLabels(np.zeros((len(potentials), 2))),
            IndependentLabels(potentials),
        )


#: Additive costs of the matching game where none are given: a missed sure link costs a whole point,
#: a missed possible link nothing, a wrong link a whole point.
DEFAULT_COST = {"AN": 1.0, "AP": 0.0, "AS": 0.0, "NN": 0.0, "NP": 0.0, "NS": 1.0}


class MatchingGame(Game):
    """Additive costs over bipartite matchings, for both players (section 3.4 of the paper).

    Parameters
    ----------
    sure, possible: float [n_e * n_f], psi of S and of P at every edge, row-major; N has potential 0.
    shape: (n_e, n_f).
    cost: cost of predicting A or N where the adversary has S, P or N, keys ``"AN"`` (a wrong link),
        ``"AP"``, ``"AS"``, ``"NN"``, ``"NP"``, ``"NS"`` (a missed sure link); those not given keep
        :data:`DEFAULT_COST`.  The score of a pair of labellings is the sum of 1 - cost over edges.
    """

    def __init__(
        self,
        sure: np.ndarray,
        possible: np.ndarray,
        shape: tuple[int, int],
        cost: Mapping[str, float] | None = None,
    ) -> None:
        unknown = set(cost or {}) - set(DEFAULT_COST)
        if unknown:
            raise ValueError(f"unknown costs {sorted(unknown)}; known: {sorted(DEFAULT_COST)}")
        full = {**DEFAULT_COST, **(cost or {})}
        gain = 1.0 - np.array([[full[a + label] for label in "NPS"] for a in "NA"])
        potentials = _edge_potentials(sure, possible)
        super().__init__(
            Additive(gain),
            BipartiteMatching(np.zeros((len(potentials), 2)), shape),
            BipartiteMatching(potentials, shape),
        )


def _edge_potentials(sure: np.ndarray, possible: np.ndarray) -> np.ndarray:
    """Potentials [n, 3] of N, P and S."""
    sure, possible = np.asarray(sure, dtype=float), np.asarray(possible, dtype=float)
    if sure.ndim != 1 or sure.shape != possible.shape or len(sure) == 0:
        raise ValueError(f"sure {sure.shape} and possible {possible.shape} must be equal non-empty vectors")
    return np.stack([np.zeros(len(sure)), possible, sure], axis=1)
