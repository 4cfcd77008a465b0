"""Tables of potentials of links, as structures over the edges of a sentence pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advsp.engine.backends.description import Description
from advsp.engine.measures.roles import N, P, S
from advsp.engine.structures.base import Layout, LinkStructure
from advsp.engine.structures.independent import IndependentLabels
from advsp.support.arrays import plain


@dataclass(frozen=True, eq=False)
class LinkRows(Layout):
    """Rows with the potential of S and, where P is a label, that of P; N has none.

    Attributes
    ----------
    kind: the structure.
    width: 1 where P is no label, else 2.
    offsets: int [N + 1], rows of the pairs.
    shapes: int [N, 2], words of the two sentences of every pair.
    ignored: bool [T], edges on which the adversary must play N.
    """

    kind: type[LinkStructure]
    width: int
    offsets: NDArray[np.int64]
    shapes: NDArray[np.int64]
    ignored: NDArray[np.bool_]

    @property
    def labels(self) -> int:
        return 3

    def describe(self) -> Description | None:
        if self.kind is not IndependentLabels:
            return None
        return Description(
            "link-rows",
            {"offsets": plain(self.offsets, int), "width": self.width, "ignored": plain(self.ignored, bool)},
        )

    @property
    def free(self) -> bool:
        return self.kind is IndependentLabels

    def structure(self, example: int, potentials: NDArray[np.float64]) -> LinkStructure:
        full = np.full((len(potentials), self.labels), -np.inf)
        full[:, S] = potentials[:, 0]
        if self.width == 2:
            full[:, P] = potentials[:, 1]
        full[self.ignored[self.offsets[example] : self.offsets[example + 1]]] = -np.inf
        full[:, N] = 0.0
        first, second = self.shapes[example]
        return self.kind.of_links(full, (int(first), int(second)))

    def moments(
        self, labellings: NDArray[np.int8], probabilities: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        labels = (S, P)[: self.width]
        return np.stack([probabilities @ (labellings == label) for label in labels], axis=1)
