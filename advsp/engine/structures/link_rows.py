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
    """Rows with the potential of S and, where P is a label, that of P, then those of steps; N has none.

    The steps from target word f - 1 to f have their potentials in the row of the first source word and f.

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
        shape = self._shape(example)
        return self.kind.of_steps(full, potentials[1 : shape[1], self.width :], shape)

    def moments(self, example: int, labellings: Labels, probabilities: Floats) -> Floats:
        labels, shape = (S, P)[: self.width], self._shape(example)
        moments = np.zeros((labellings.shape[1], self.width + len(self.kind.step_names)))
        for column, label in enumerate(labels):
            moments[:, column] = probabilities @ (labellings == label)
        moments[1 : shape[1], self.width :] = self.kind.step_moments(labellings, probabilities, shape)
        return moments

    def _shape(self, example: int) -> tuple[int, int]:
        first, second = self.shapes[example]
        return int(first), int(second)
