"""Accuracy: the share of positions on which both players agree."""

from __future__ import annotations

from dataclasses import dataclass

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountMeasure
from advsp.support.arrays import Floats, Ints


@measures.register("accuracy")
@dataclass(frozen=True)
class Accuracy(CountMeasure):
    """(n - |a| - |y| + 2 |a & y|) / n."""

    def coefficients(self, predicted: Ints, actual: Ints, length: Ints) -> tuple[Floats, Floats]:
        return 2.0 / length, (length - predicted - actual) / length
