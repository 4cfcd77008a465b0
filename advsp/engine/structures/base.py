"""The second axis: which labellings exist, and the cheapest of them.

A structure owns the potentials of one example and minimises *cost minus potential* over its
labellings.  It knows nothing of measures: costs arrive as arrays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from advsp.engine.backends.description import Described
from advsp.engine.measures.base import AdditiveCosts, Costs, CountCosts
from advsp.engine.measures.roles import Roles
from advsp.support.arrays import Bools, Floats, Labels


def check_potentials(name: str, values: Floats) -> None:
    """Refuse potentials that are not numbers or plus infinity; minus infinity forbids a label.

    Raises
    ------
    ValueError: naming the potentials.
    """
    if not (values < np.inf).all():
        raise ValueError(f"{name} potentials must be numbers below infinity")


def checked_grid(potentials: Floats, shape: tuple[int, int]) -> Floats:
    """Potentials float [n_e * n_f, L] of a grid of edges, each of which may go without a link.

    Raises
    ------
    ValueError: they are no potentials, do not fill the grid, or an edge may not go without a link.
    """
    potentials = np.asarray(potentials, dtype=float)
    check_potentials("label", potentials)
    if len(potentials) != shape[0] * shape[1]:
        raise ValueError(f"{len(potentials)} edges do not fill a grid of {(shape[0], shape[1])}")
    if not np.isfinite(potentials[:, 0]).all():
        raise ValueError("every edge must be allowed to go without a link")
    return potentials


@dataclass(frozen=True, eq=False)
class Response:
    """A labelling int8 [n] and its cost minus potential."""

    labelling: Labels
    cost: float


class Structure(Described, ABC):
    """Labellings of n positions over L labels, each with a potential psi(y).

    Attributes
    ----------
    length: number of positions n, at least 1.
    labels: number of labels L.
    """

    length: int
    labels: int

    @abstractmethod
    def opponent(self) -> Structure:
        """The structure of the other player's 0/1 labellings, without potentials."""

    @abstractmethod
    def potential(self, labellings: Labels) -> Floats:
        """psi of every labelling [r, n], float [r]."""

    def allows(self, labellings: Labels) -> Bools:
        """Whether labellings [r, n] are this structure's, bool [r]: not where a potential forbids them."""
        return np.isfinite(self.potential(labellings))

    @abstractmethod
    def best(self) -> Labels:
        """The labelling of highest potential, int8 [n]."""

    def nearest(self, labelling: Labels) -> Labels:
        """The labelling nearest to a given one [n] that this structure has, potentials left aside."""
        return labelling

    def respond(self, costs: Costs, prune: bool = True) -> Response:
        """The labelling that minimises cost(y) - psi(y).

        ``prune=False`` takes the reference path: the algorithm as the paper has it, nothing skipped.  Both
        paths give the same value; where several labellings attain it they may give different ones.
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

    def refresh(self, labellings: Labels, roles: Roles) -> Labels:
        """Labellings [r, n] of an earlier game made fit for this one's potentials.

        The part that every position's label plays in the score stays; among labels of equal parts the choice
        may be made anew.  Without such freedom the labellings come back as they are.
        """
        return labellings


class LinkStructure(Structure):
    """A structure of the edges of a sentence pair.

    Attributes
    ----------
    free: whether both players have every labelling.
    rows: the kernels' name for tables of potentials of links that stand for it, where there are kernels; it
        holds for the very class that says so, not for its subclasses.
    step_names: the K kinds of steps from the links of one target word to those of the next that have a
        potential; none, unless :meth:`of_steps` and :meth:`step_moments` say otherwise.
    """

    free: ClassVar[bool] = False
    rows: ClassVar[str | None] = None
    step_names: ClassVar[tuple[str, ...]] = ()

    @classmethod
    @abstractmethod
    def of_links(cls, potentials: Floats, shape: tuple[int, int]) -> Self:
        """The structure over all edges of a pair.

        Parameters
        ----------
        potentials: float [n_e * n_f, L], row-major over (e, f); label 0 means no link.
        shape: (n_e, n_f).
        """

    @classmethod
    def of_steps(cls, potentials: Floats, steps: Floats, shape: tuple[int, int]) -> Self:
        """:meth:`of_links`, with potentials of steps from a target word to the next, float [n_f - 1, K]."""
        return cls.of_links(potentials, shape)

    @classmethod
    def step_moments(cls, labellings: Labels, probabilities: Floats, shape: tuple[int, int]) -> Floats:
        """Expected steps of every kind, float [n_f - 1, K], of a mixture of labellings [s, n]."""
        return np.zeros((shape[1] - 1, 0))

    @classmethod
    def within(cls, marginals: Floats, shape: tuple[int, int]) -> Floats:
        """Marginals float [n] of links, 0 where they are not on the labelling of most expected links.

        Links above any threshold are then a labelling of the structure.  Where every labelling is one, all
        marginals stay.
        """
        return marginals


class Layout(Described, ABC):
    """How the tables of potentials of examples stand for structures, and labellings for statistics."""

    @property
    @abstractmethod
    def labels(self) -> int:
        """Number of labels L of the structures."""

    @property
    def free(self) -> bool:
        """Whether both players have every labelling, so that looking at the structures tells nothing more."""
        return False

    @abstractmethod
    def structure(self, example: int, potentials: Floats) -> Structure:
        """The structure of an example at its table of potentials [n, w]."""

    @abstractmethod
    def moments(self, example: int, labellings: Labels, probabilities: Floats) -> Floats:
        """Expected statistics [n, w] of a mixture of an example's labellings [s, n].

        sum(moments * potentials) is the expected potential of the mixture.
        """


def answers(structure: type[Structure], by_count: bool) -> bool:
    """Whether a structure has a best response to costs by count, or to costs that add up."""
    method = "respond_by_count" if by_count else "respond_additive"
    return getattr(structure, method) is not getattr(Structure, method)
