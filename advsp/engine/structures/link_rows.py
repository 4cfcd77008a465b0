"""Tables of potentials of links, as structures over the edges of a sentence pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advsp.engine.backends.description import Description
from advsp.engine.measures.roles import N, P, S
from advsp.engine.structures.base import Layout, LinkStructure
from advsp.support.arrays import Bools, Floats, Ints, Labels, plain


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
    offsets: Ints
    shapes: Ints
    ignored: Bools

    @property
    def labels(self) -> int:
        return 3

    def describe(self) -> Description | None:
        rows = vars(self.kind).get("rows")
        if rows is None:
            return None
        return Description(
            rows,
            {
                "offsets": plain(self.offsets, int),
                "width": self.width,
                "shapes": plain(self.shapes, int),
                "ignored": plain(self.ignored, bool),
            },
        )

    @property
    def free(self) -> bool:
        return self.kind.free

    def structure(self, example: int, potentials: Floats) -> LinkStructure:
        full = np.full((len(potentials), self.labels), -np.inf)
        full[:, S] = potentials[:, 0]
        if self.width == 2:
            full[:, P] = potentials[:, 1]
        full[self.ignored[self.offsets[example] : self.offsets[example + 1]]] = -np.inf
        full[:, N] = 0.0
        first, second = self.shapes[example]
        return self.kind.of_links(full, (int(first), int(second)))

    def moments(self, labellings: Labels, probabilities: Floats) -> Floats:
        labels = (S, P)[: self.width]
        return np.stack([probabilities @ (labellings == label) for label in labels], axis=1)
