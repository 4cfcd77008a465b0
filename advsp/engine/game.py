"""A game: a score and a structure for each player.

The predictor (row player, maximising) chooses a 0/1 labelling, the adversary (column player,
minimising) a labelling with potentials psi; the payoff is score(prediction, y) - psi(y)
(Eqs. 4 and 5 of the paper).  Either best response is the same three steps: the score turns the
opponent's mixture into costs, the structure finds the cheapest labelling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from advsp.engine.measures.additive import Additive, Outcome
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.base import Score
from advsp.engine.measures.counts import CountScore
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.measures.roles import Roles
from advsp.engine.mixture import Mixture
from advsp.engine.structures.base import Layout, Structure
from advsp.engine.structures.chain import LinearChain
from advsp.engine.structures.independent import IndependentLabels
from advsp.engine.structures.matching import BipartiteMatching
from advsp.support.arrays import Floats, Labels


class Game:
    """Zero-sum game of ``score`` over two structures.

    Parameters
    ----------
    score: a measure of the adversary's labels.
    predictor: structure of the predictor's 0/1 labellings; its potentials are zero.
    adversary: structure of the adversary's labellings, holding psi.
    """

    def __init__(self, score: Score, predictor: Structure, adversary: Structure) -> None:
        self.score, self.predictor, self.adversary = score, predictor, adversary

    def payoffs(self, predicted: Labels, actual: Labels) -> Floats:
        """Payoffs [s, r] of predictor labellings [s, n] against adversary labellings [r, n]."""
        return self.score.scores(predicted, actual) - self.adversary.potential(actual)

    def payoff(self, predicted: ArrayLike, actual: ArrayLike) -> float:
        """Payoff of one predictor labelling [n] against one adversary labelling [n]."""
        return float(self.payoffs(np.asarray(predicted)[None, :], np.asarray(actual)[None, :])[0, 0])

    def predictor_response(self, mixture: Mixture, prune: bool = True) -> tuple[Labels, float]:
        """The predictor's best response to the adversary's ``mixture`` and its expected payoff."""
        response = self.predictor.respond(self.score.predictor_costs(mixture), prune)
        expected = mixture.probabilities @ self.adversary.potential(mixture.labellings)
        return response.labelling, float(-response.cost - expected)

    def adversary_response(self, mixture: Mixture, prune: bool = True) -> tuple[Labels, float]:
        """The adversary's best response to the predictor's ``mixture`` and its expected payoff."""
        response = self.adversary.respond(self.score.adversary_costs(mixture), prune)
        return response.labelling, response.cost

    def refresh(self, labellings: Labels) -> Labels:
        """Adversary labellings of an earlier game with other potentials, made fit for this one."""
        if isinstance(self.score, CountScore):
            return self.adversary.refresh(labellings, self.score.roles)
        return labellings


@dataclass(frozen=True, eq=False)
class GameSpec:
    """What is played for every example: the one statement of a game, for numpy and for kernels alike.

    Attributes
    ----------
    score: a measure of the labels of the structures.
    layout: how an example's table of potentials stands for the adversary's structure.
    """

    score: Score
    layout: Layout

    def game(self, example: int, potentials: Floats) -> Game:
        """The game of one example at its table of potentials [n, w]."""
        adversary = self.layout.structure(example, potentials)
        return Game(self.score, adversary.opponent(), adversary)

    def nearest(self, example: int, labelling: Labels, potentials: Floats) -> tuple[Labels, float]:
        """The adversary's labelling that is nearest to a given one [n], and the best score against it.

        potentials: any table float [n, w] without infinities.
        """
        if self.layout.free and isinstance(self.score, CountScore):
            return labelling, self.score.highest(labelling)
        game = self.game(example, potentials)
        nearest = game.adversary.nearest(labelling)
        return nearest, -game.predictor.respond(self.score.predictor_costs(Mixture.pure(nearest))).cost


class ChainF1Game(Game):
    """F-beta of one class over a linear chain (section 3.5 of the paper).

    Parameters
    ----------
    unary: float [n, m], potential of tag c at position t.
    pairwise: float [m, m] or [n - 1, m, m], potential of a tag and the next one.
    target: index of the class whose F is scored, or the indices of the tags that make it up.
    start: float [m] or None, potential of the first tag (START -> c).
    beta: weight of recall against precision.

    Examples
    --------
    >>> game = ChainF1Game(unary=np.zeros((3, 2)), pairwise=np.zeros((2, 2)), target=1)
    >>> game.payoff(np.array([1, 1, 0]), np.array([1, 0, 1]))
    0.5
    >>> labelling, value = game.predictor_response(Mixture.pure(np.array([1, 0, 1])))
    >>> labelling.tolist(), value
    ([1, 0, 1], 1.0)
    """

    def __init__(
        self,
        unary: Floats,
        pairwise: Floats,
        target: int | Iterable[int],
        start: Floats | None = None,
        beta: float = 1.0,
    ) -> None:
        chain = LinearChain(unary, pairwise, start)
        score = FBeta(beta).on(Roles.of_target(chain.labels, target))
        super().__init__(score, chain.opponent(), chain)


class AerGame(Game):
    """1 - AER over independent sure, possible and absent links (section 3.3 of the paper).

    Parameters
    ----------
    sure, possible: float [n], psi of S and of P at every edge; N has potential 0.

    Examples
    --------
    >>> game = AerGame(sure=np.zeros(3), possible=np.zeros(3))
    >>> game.payoff(np.array([1, 1, 0]), np.array([2, 1, 0]))
    1.0
    """

    def __init__(self, sure: Floats, possible: Floats) -> None:
        links = IndependentLabels(_edge_potentials(sure, possible))
        super().__init__(AlignmentAccuracy().on_links(), links.opponent(), links)


class MatchingGame(Game):
    """Additive costs over bipartite matchings, for both players (section 3.4 of the paper).

    Parameters
    ----------
    sure, possible: float [n_e * n_f], psi of S and of P at every edge, row-major; N has potential 0.
    shape: (n_e, n_f).
    cost: see :class:`~advsp.engine.measures.additive.Additive`.

    Examples
    --------
    >>> game = MatchingGame(sure=np.array([9.0, 0.0, 0.0, 9.0]), possible=np.zeros(4), shape=(2, 2))
    >>> game.adversary_response(Mixture.pure(np.array([0, 1, 1, 0])))[0].tolist()
    [2, 0, 0, 2]
    """

    def __init__(
        self,
        sure: Floats,
        possible: Floats,
        shape: tuple[int, int],
        cost: Mapping[Outcome, float] | None = None,
    ) -> None:
        links = BipartiteMatching(_edge_potentials(sure, possible), shape)
        super().__init__(Additive(cost or {}).on_links(), links.opponent(), links)


def _edge_potentials(sure: ArrayLike, possible: ArrayLike) -> Floats:
    """Potentials [n, 3] of N, P and S."""
    sure, possible = np.asarray(sure, dtype=float), np.asarray(possible, dtype=float)
    if sure.ndim != 1 or sure.shape != possible.shape or len(sure) == 0:
        raise ValueError(f"sure {sure.shape} and possible {possible.shape} must be equal non-empty vectors")
    return np.stack([np.zeros(len(sure)), possible, sure], axis=1)
