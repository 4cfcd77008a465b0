"""Bipartite matchings: every word has at most one link."""

from __future__ import annotations

from typing import Self

import numpy as np
from scipy.optimize import linear_sum_assignment

from advsp.engine.measures.base import AdditiveCosts
from advsp.engine.structures import structures
from advsp.engine.structures.base import LinkStructure, Response, checked_grid
from advsp.engine.structures.matching_program import matching_by_program
from advsp.support.arrays import Bools, Floats, Labels


@structures.register("matching")
class BipartiteMatching(LinkStructure):
    """Labellings of the n_e * n_f edges whose labelled edges (not 0) form a matching.

    Parameters
    ----------
    potentials: float [n_e * n_f, L], row-major over (e, f); label 0 means no link.
    shape: (n_e, n_f).

    Raises
    ------
    ValueError: edges that do not fill the grid; an edge that may not go without a link.
    """

    def __init__(self, potentials: Floats, shape: tuple[int, int]) -> None:
        self.potentials = checked_grid(potentials, shape)
        self.length, self.labels = self.potentials.shape
        self.shape = (shape[0], shape[1])

    @classmethod
    def of_links(cls, potentials: Floats, shape: tuple[int, int]) -> Self:
        return cls(potentials, shape)

    @classmethod
    def within(cls, marginals: Floats, shape: tuple[int, int]) -> Floats:
        return marginals * best_matching(marginals, shape)

    def opponent(self) -> BipartiteMatching:
        return BipartiteMatching(np.zeros((self.length, 2)), self.shape)

    def nearest(self, labelling: Labels) -> Labels:
        """Those of the links that are a matching, of the highest labels in all."""
        return labelling * best_matching(labelling.astype(float), self.shape)

    def potential(self, labellings: Labels) -> Floats:
        potential: Floats = self.potentials[np.arange(self.length), labellings].sum(axis=1)
        return potential

    def best(self) -> Labels:
        return self.respond_additive(AdditiveCosts(np.zeros_like(self.potentials))).labelling

    def allows(self, labellings: Labels) -> Bools:
        links = (labellings != 0).reshape(-1, *self.shape)
        single = (links.sum(axis=1) <= 1).all(axis=1) & (links.sum(axis=2) <= 1).all(axis=1)
        allowed: Bools = single & super().allows(labellings)
        return allowed

    def respond_additive(self, costs: AdditiveCosts, prune: bool = True) -> Response:
        """The matching whose links save most against no link.

        An assignment problem; without ``prune`` the linear program of :mod:`~.matching_program`, exact to
        its solver's tolerance.
        """
        reduced = costs.costs - self.potentials
        if prune:
            labelling = self._assign(reduced)
        else:
            labelling = matching_by_program(reduced[:, :1] - reduced[:, 1:], self.shape)
        return Response(labelling, float(reduced[np.arange(self.length), labelling].sum()))

    def _assign(self, reduced: Floats) -> Labels:
        """The matching of the lowest total cost, int8 [n], by the Hungarian method on what a link saves."""
        link = 1 + reduced[:, 1:].argmin(axis=1)
        saving = np.maximum(reduced[:, 0] - reduced[np.arange(self.length), link], 0.0)
        rows, columns = linear_sum_assignment(saving.reshape(self.shape), maximize=True)
        edges = rows * self.shape[1] + columns
        edges = edges[saving[edges] > 0.0]
        labelling = np.zeros(self.length, dtype=np.int8)
        labelling[edges] = link[edges]
        return labelling


def best_matching(gain: Floats, shape: tuple[int, int]) -> Bools:
    """The matching of highest total gain, bool [n]; links without gain are left out.

    Parameters
    ----------
    gain: float [n_e * n_f] of every link, row-major; minus infinity forbids it.
    shape: (n_e, n_f).
    """
    structure = BipartiteMatching(np.stack([np.zeros_like(gain), gain], axis=1), shape)
    links: Bools = structure.best() == 1
    return links
