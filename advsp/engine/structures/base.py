"""The second axis: which labellings exist, and the cheapest of them.

A structure owns the potentials of one example and minimises *cost minus potential* over its
labellings.  It knows nothing of measures: costs arrive as arrays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from advsp.engine.measures.base import AdditiveCosts, CountCosts
from advsp.support.equality import equal_by_value


def check_potentials(name: str, values: np.ndarray) -> None:
    """Refuse potentials that are not numbers or plus infinity; minus infinity forbids a label.

    Raises
    ------
    ValueError: naming the potentials.
    """
    if not (values < np.inf).all():
        raise ValueError(f"{name} potentials must be numbers below infinity")


@equal_by_value
@dataclass(frozen=True)
class Response:
    """A labelling int8 [n] and its cost minus potential."""

    labelling: np.ndarray
    cost: float


class Structure(ABC):
    """Labellings of n positions over L labels, each with a potential psi(y).

    Attributes
    ----------
    length: number of positions n, at least 1.
    labels: number of labels L.
    """

    length: int
    labels: int

    @abstractmethod
    def potential(self, labellings: np.ndarray) -> np.ndarray:
        """psi of every labelling [r, n], float [r]."""

    def allows(self, labellings: np.ndarray) -> np.ndarray:
        """Whether labellings [r, n] are this structure's, bool [r]: not where a potential forbids them."""
        return np.isfinite(self.potential(labellings))

    @abstractmethod
    def best(self) -> np.ndarray:
        """The labelling of highest potential, int8 [n]."""

    def respond(self, costs: CountCosts | AdditiveCosts, prune: bool = True) -> Response:
        """The labelling that minimises cost(y) - psi(y).

        ``prune=False`` takes the reference path: the algorithm as the paper has it, nothing skipped.  Both
        paths give the same value for costs by count that span at most 1, as those of scores in [0, 1] do,
        and for any additive costs; where several labellings attain it they may give different ones.
        """
        if isinstance(costs, CountCosts):
            return self.respond_by_count(costs, prune)
        return self.respond_additive(costs, prune)

    def respond_by_count(self, costs: CountCosts, prune: bool) -> Response:
        """:meth:`respond` for costs that depend on the number of counted labels."""
        raise NotImplementedError(f"{type(self).__name__} has no best response by count")

    def respond_additive(self, costs: AdditiveCosts, prune: bool = True) -> Response:
        """:meth:`respond` for costs that add up over positions."""
        raise NotImplementedError(f"{type(self).__name__} has no additive best response")

    def refresh(self, labellings: np.ndarray, roles: np.ndarray) -> np.ndarray:
        """Labellings [r, n] of an earlier game made fit for this one's potentials.

        The role of every position's label (``roles`` [L]) stays; among labels of equal roles the choice
        may be made anew.  Without such freedom the labellings come back as they are.
        """
        return labellings
