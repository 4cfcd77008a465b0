"""The first axis: how a score depends on two labellings.

The predictor's labellings are 0/1 per position; the adversary's hold one of L labels per position.  A
*measure* is a way to score, with its options; a *score* is a measure of certain labels.  A score turns the
opponent's mixture into costs per position (and count) that a structure can minimise; it never looks at
potentials or at which labellings are feasible.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from advsp.engine.measures.roles import Roles
from advsp.engine.mixture import Mixture
from advsp.support.arrays import Bools, Floats, Ints, Labels


@dataclass(frozen=True, eq=False)
class CountCosts:
    """Expected score as a function of one's own labelling y with k counted labels.

    cost(y) = constant[k] + sum_p hits[y[positions[p]]] * weights[p, k]

    Attributes
    ----------
    positions: int [q], the positions at which the opponent's mixture can be hit, ascending.
    weights: float [q, K], score of a hit at ``positions[p]`` when one's own count is k < K.
    constant: float [K], the part of the score that hits do not make; infinite where k is not permitted.
    roles: what a label of one's own counts, and how often it is a hit.
    span: how far two scores can be apart.
    """

    positions: Ints
    weights: Floats
    constant: Floats
    roles: Roles
    span: float

    @property
    def hits(self) -> Floats:
        """See :class:`~advsp.engine.measures.roles.Roles`."""
        return self.roles.hits

    @property
    def counted(self) -> Bools:
        """See :class:`~advsp.engine.measures.roles.Roles`."""
        return self.roles.counted

    def dense(self, length: int) -> Floats:
        """``weights`` over all ``length`` positions, float [n, K]."""
        full = np.zeros((length, self.weights.shape[1]))
        full[self.positions] = self.weights
        return full


@dataclass(frozen=True, eq=False)
class AdditiveCosts:
    """Expected score as a sum over positions.

    cost(y) = sum_t costs[t, y[t]],  costs float [n, L].
    """

    costs: Floats


Costs = CountCosts | AdditiveCosts


class Score(ABC):
    """A score between a 0/1 labelling and a labelling over L labels.

    Attributes
    ----------
    by_count: whether costs depend on the number of counted labels, so that structures answer by count.
    """

    by_count: ClassVar[bool]

    @abstractmethod
    def scores(self, predicted: Labels, actual: Labels) -> Floats:
        """Scores [s, r] of labellings ``predicted`` [s, n] against ``actual`` [r, n]."""

    @abstractmethod
    def predictor_costs(self, adversary: Mixture) -> Costs:
        """Minus the expected score of every predictor labelling against ``adversary``."""

    @abstractmethod
    def adversary_costs(self, predictor: Mixture) -> Costs:
        """Expected score of ``predictor`` against every adversary labelling."""


class Measure(ABC):
    """A way to score; subclasses are frozen dataclasses of their options.

    Attributes
    ----------
    links_only: whether it tells sure links from possible ones, so that there is nothing else to measure.
    """

    links_only: ClassVar[bool] = False

    @abstractmethod
    def on_target(self, labels: int, target: int | tuple[int, ...]) -> Score:
        """The measure of one of ``labels`` labels, or of a set of them."""

    @abstractmethod
    def on_links(self) -> Score:
        """The measure of the links N, P, S of a sentence pair."""

    @classmethod
    def examples(cls) -> list[Self]:
        """The measure with options that are worth testing."""
        return [cls()]
