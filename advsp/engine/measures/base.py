"""The first axis: how a score depends on two labellings.

The predictor's labellings are 0/1 per position; the adversary's hold one of L labels per position.
A measure turns the opponent's mixture into costs per position (and count) that a structure can
minimise; it never looks at potentials or at which labellings are feasible.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from advsp.engine.mixture import Mixture
from advsp.support.equality import equal_by_value


@equal_by_value
@dataclass(frozen=True)
class CountCosts:
    """Expected score as a function of one's own labelling y with k counted labels.

    cost(y) = constant[k] + sum_p hits[y[positions[p]]] * weights[p, k]

    Attributes
    ----------
    positions: int [q], the positions at which the opponent's mixture can be hit, ascending.
    weights: float [q, K], score of a hit at ``positions[p]`` when one's own count is k < K.
    constant: float [K], the part of the score that hits do not make.
    hits: float [L], how often a label counts as a hit.
    counted: bool [L], whether a label adds to one's own count k.
    """

    positions: np.ndarray
    weights: np.ndarray
    constant: np.ndarray
    hits: np.ndarray
    counted: np.ndarray

    @property
    def roles(self) -> np.ndarray:
        """See :func:`roles`."""
        return roles(self.hits, self.counted)

    def dense(self, length: int) -> np.ndarray:
        """``weights`` over all ``length`` positions, float [n, K]."""
        full = np.zeros((length, self.weights.shape[1]))
        full[self.positions] = self.weights
        return full


@equal_by_value
@dataclass(frozen=True)
class AdditiveCosts:
    """Expected score as a sum over positions.

    cost(y) = sum_t costs[t, y[t]],  costs float [n, L].
    """

    costs: np.ndarray


def roles(hits: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """What part each label plays in the score, int [L]: 0 none; equal numbers for equal parts."""
    parts = np.unique(np.stack([counted, hits], axis=1), axis=0, return_inverse=True)[1].ravel()
    return np.where(counted | (hits != 0), 1 + parts, 0)


class Measure(ABC):
    """A score between a 0/1 labelling and a labelling over L labels."""

    @abstractmethod
    def scores(self, predicted: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Scores [s, r] of labellings ``predicted`` [s, n] against ``actual`` [r, n]."""

    @abstractmethod
    def predictor_costs(self, adversary: Mixture) -> CountCosts | AdditiveCosts:
        """Minus the expected score of every predictor labelling against ``adversary``."""

    @abstractmethod
    def adversary_costs(self, predictor: Mixture) -> CountCosts | AdditiveCosts:
        """Expected score of ``predictor`` against every adversary labelling."""


_BINARY_HITS = np.array([0.0, 1.0])
_BINARY_COUNTED = np.array([False, True])


class CountMeasure(Measure):
    """score(a, y) = weight(|a|, |y|) * sum_t a_t hits[y_t], and ``empty`` when both counts are 0; in [0, 1].

    |a| is the number of ones, |y| the number of labels that are ``counted``.  ``weight`` must not
    increase with |a|, so that predicting a position that cannot be hit never pays.

    Source: the common form of Eqs. (1) and (2) of the paper; see GFM (Dembczynski et al., 2011).
    """

    hits: np.ndarray
    counted: np.ndarray
    empty: float = 1.0

    @property
    def roles(self) -> np.ndarray:
        """See :func:`roles`."""
        return roles(self.hits, self.counted)

    @abstractmethod
    def weight(self, predicted: np.ndarray, actual: np.ndarray) -> np.ndarray:
        """Score of one hit at counts ``predicted`` and ``actual`` (broadcast); 0 where both are 0."""

    def scores(self, predicted: np.ndarray, actual: np.ndarray) -> np.ndarray:
        ones, counts = predicted.sum(axis=1), self.counted[actual].sum(axis=1)
        hits = predicted.astype(float) @ self.hits[actual].T
        neither = (ones[:, None] == 0) & (counts[None, :] == 0)
        return hits * self.weight(ones[:, None], counts[None, :]) + self.empty * neither

    def predictor_costs(self, adversary: Mixture) -> CountCosts:
        hits = self.hits[adversary.labellings]
        counts = self.counted[adversary.labellings].sum(axis=1)
        positions = np.flatnonzero(hits.any(axis=0))
        own = np.arange(len(positions) + 1)
        # Costs are minus the score from the first: over thousands of positions weights are not to be copied.
        mass = -adversary.probabilities
        weights = (hits[:, positions] * mass[:, None]).T @ self.weight(own[None, :], counts[:, None])
        constant = np.zeros(len(own))
        constant[0] = self.empty * mass[counts == 0].sum()
        return CountCosts(positions, weights, constant, _BINARY_HITS, _BINARY_COUNTED)

    def adversary_costs(self, predictor: Mixture) -> CountCosts:
        ones = predictor.labellings.astype(float)
        counts = predictor.labellings.sum(axis=1)
        positions = np.flatnonzero(ones.any(axis=0))
        own = np.arange(predictor.labellings.shape[1] + 1)
        mass = predictor.probabilities
        weights = (ones[:, positions] * mass[:, None]).T @ self.weight(counts[:, None], own[None, :])
        constant = np.zeros(len(own))
        constant[0] = self.empty * mass[counts == 0].sum()
        return CountCosts(positions, weights, constant, self.hits, self.counted)
