"""Scores that add up over positions: the additive costs of the matching game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, final

import numpy as np
from annotated_types import Ge
from numpy.typing import ArrayLike

from advsp.engine.measures import measures
from advsp.engine.measures.base import AdditiveCosts, Measure, Score
from advsp.engine.mixture import Mixture
from advsp.support.arrays import Floats, Labels

#: What the predictor has, A or N, and the adversary, S, P or N.
Outcome = Literal["AN", "AP", "AS", "NN", "NP", "NS"]

#: Costs where none are given: a missed sure link costs a whole point, a missed possible link nothing, a wrong
#: link a whole point.
DEFAULT_COST: Mapping[Outcome, float] = {"AN": 1.0, "AP": 0.0, "AS": 0.0, "NN": 0.0, "NP": 0.0, "NS": 1.0}


@measures.register("additive")
@dataclass(frozen=True)
class Additive(Measure):
    """The sum of 1 - cost over the edges of a sentence pair.

    Attributes
    ----------
    cost: of predicting A or N where the adversary has S, P or N: ``"AN"`` (a wrong link), ``"AP"``, ``"AS"``,
        ``"NN"``, ``"NP"``, ``"NS"`` (a missed sure link); those not given keep :data:`DEFAULT_COST`.

    Source: the additive cost-sensitive game over bipartite matchings, section 3.4 of the paper.
    """

    cost: Mapping[Outcome, Annotated[float, Ge(0)]] = field(default_factory=lambda: dict(DEFAULT_COST))

    links_only = True

    def __post_init__(self) -> None:
        unknown = set(self.cost) - set(DEFAULT_COST)
        if unknown:
            raise ValueError(f"unknown costs {sorted(unknown)}; known: {sorted(DEFAULT_COST)}")

    def on_target(self, labels: int, target: int | tuple[int, ...]) -> Score:
        raise TypeError("additive costs are of links")

    def on_links(self) -> AdditiveScore:
        full = {**DEFAULT_COST, **self.cost}
        outcomes: list[list[Outcome]] = [["NN", "NP", "NS"], ["AN", "AP", "AS"]]
        return AdditiveScore([[1.0 - full[outcome] for outcome in line] for line in outcomes])


@final
class AdditiveScore(Score):
    """score(a, y) = sum_t gain[a_t, y_t].

    Parameters
    ----------
    gain: float [2, L], score of predicting 0 or 1 where the adversary has label l.

    Raises
    ------
    ValueError: gains of another shape.
    """

    by_count = False

    def __init__(self, gain: ArrayLike) -> None:
        self.gain = np.asarray(gain, dtype=float)
        if self.gain.ndim != 2 or self.gain.shape[0] != 2:
            raise ValueError(f"gain must have shape [2, L], not {self.gain.shape}")

    def scores(self, predicted: Labels, actual: Labels) -> Floats:
        total = np.zeros((len(predicted), len(actual)))
        for a in range(2):
            for label in range(self.gain.shape[1]):
                both = (predicted == a).astype(float) @ (actual == label).T.astype(float)
                total += self.gain[a, label] * both
        return total

    def predictor_costs(self, adversary: Mixture) -> AdditiveCosts:
        marginals = np.stack([adversary.marginal(label) for label in range(self.gain.shape[1])], axis=1)
        return AdditiveCosts(-marginals @ self.gain.T)

    def adversary_costs(self, predictor: Mixture) -> AdditiveCosts:
        positive = predictor.marginal(1)
        return AdditiveCosts(np.stack([1.0 - positive, positive], axis=1) @ self.gain)
