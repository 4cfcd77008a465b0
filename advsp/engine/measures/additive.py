"""Scores that add up over positions: the additive costs of the matching game."""

from __future__ import annotations

import numpy as np

from advsp.engine.measures import measures
from advsp.engine.measures.base import AdditiveCosts, Measure
from advsp.engine.mixture import Mixture


@measures.register("additive")
class Additive(Measure):
    """score(a, y) = sum_t gain[a_t, y_t].

    Parameters
    ----------
    gain: float [2, L], score of predicting 0 or 1 where the adversary has label l.

    Source: the additive cost-sensitive game over bipartite matchings of the paper, whose 1 - C is ``gain``.
    """

    def __init__(self, gain: np.ndarray) -> None:
        self.gain = np.asarray(gain, dtype=float)
        if self.gain.ndim != 2 or self.gain.shape[0] != 2:
            raise ValueError(f"gain must have shape [2, L], not {self.gain.shape}")

    def scores(self, predicted: np.ndarray, actual: np.ndarray) -> np.ndarray:
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
