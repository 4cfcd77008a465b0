"""A structure of links from outside the package: a sentence pair has one link, or none."""

from __future__ import annotations

from typing import Self

import numpy as np
from numpy.typing import NDArray

from advsp.engine.backends.description import Description
from advsp.engine.measures.base import CountCosts
from advsp.engine.structures import structures
from advsp.engine.structures.base import LinkStructure, Response
from advsp.engine.structures.independent import IndependentLabels
from advsp.support.arrays import plain


@structures.register("at-most-one")
class AtMostOne(LinkStructure):
    """Labellings of the edges, at most one of which is not 0; the opponent predicts any links.

    Parameters
    ----------
    potentials: float [n, L].
    """

    rows = "at-most-one-rows"

    def __init__(self, potentials: NDArray[np.float64]) -> None:
        self.potentials = np.asarray(potentials, dtype=float)
        self.length, self.labels = self.potentials.shape

    @classmethod
    def of_links(cls, potentials: NDArray[np.float64], shape: tuple[int, int]) -> Self:
        return cls(potentials)

    def describe(self) -> Description:
        return Description("at-most-one", {"potentials": plain(self.potentials)})

    def opponent(self) -> IndependentLabels:
        return IndependentLabels(np.zeros((self.length, 2)))

    def potential(self, labellings: NDArray[np.int8]) -> NDArray[np.float64]:
        return self.potentials[np.arange(self.length), labellings].sum(axis=1)

    def allows(self, labellings: NDArray[np.int8]) -> NDArray[np.bool_]:
        return ((labellings != 0).sum(axis=1) <= 1) & super().allows(labellings)

    def best(self) -> NDArray[np.int8]:
        return self._labelling(self.potentials[:, 1:] - self.potentials[:, :1])

    def nearest(self, labelling: NDArray[np.int8]) -> NDArray[np.int8]:
        """The first link of the highest label."""
        kept = np.zeros_like(labelling)
        kept[labelling.argmax()] = labelling.max()
        return kept

    def respond_by_count(self, costs: CountCosts, prune: bool) -> Response:
        counts = costs.counted[1:].astype(int)
        weights = costs.dense(self.length)[:, counts] * costs.hits[1:]
        extra = self.potentials[:, :1] - self.potentials[:, 1:] + weights
        extra += costs.constant[counts] - costs.constant[0]
        labelling = self._labelling(-extra)
        gain = max(0.0, float((-extra).max()))
        return Response(labelling, float(costs.constant[0] - self.potentials[:, 0].sum()) - gain)

    def _labelling(self, gains: NDArray[np.float64]) -> NDArray[np.int8]:
        """No link, or the one of the highest gain [n, L - 1] if that is positive."""
        labelling = np.zeros(self.length, dtype=np.int8)
        edge, label = np.unravel_index(gains.argmax(), gains.shape)
        if gains[edge, label] > 0.0:
            labelling[edge] = 1 + label
        return labelling
