"""Matthews' correlation coefficient (1975)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountMeasure
from advsp.support.arrays import Floats, Ints


@measures.register("mcc")
@dataclass(frozen=True)
class MatthewsCorrelation(CountMeasure):
    """(n |a & y| - |a| |y|) / sqrt(|a| (n - |a|) |y| (n - |y|)).

    Where a player has one kind of positions only the correlation is 0; but 1 where both have the same kind
    only, and -1 where they have opposite ones (Chicco & Jurman, 2020).
    """

    lowest = -1.0

    def coefficients(self, predicted: Ints, actual: Ints, length: Ints) -> tuple[Floats, Floats]:
        root = np.sqrt(1.0 * predicted * (length - predicted) * actual * (length - actual))
        return length / root, -predicted * actual / root

    def undefined(self, predicted: Ints, actual: Ints, length: Ints) -> Floats:
        # -1 for a labelling without positives, 1 for one without anything else, 0 for any other.
        kinds = [(counts == length) * 1.0 - (counts == 0) for counts in (predicted, actual)]
        value: Floats = kinds[0] * kinds[1]
        return value
