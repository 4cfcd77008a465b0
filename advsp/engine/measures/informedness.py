"""Informedness, or Youden's J (1950)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountMeasure
from advsp.support.arrays import Floats, Ints


@measures.register("informedness")
@dataclass(frozen=True)
class Informedness(CountMeasure):
    """Share of the positives found plus share of the negatives left alone, less 1.

    A share of nothing is 1.
    """

    lowest = -1.0

    def coefficients(self, predicted: Ints, actual: Ints, length: Ints) -> tuple[Floats, Floats]:
        return 1.0 / actual + 1.0 / (length - actual), -predicted / (length - actual)

    def undefined(self, predicted: Ints, actual: Ints, length: Ints) -> Floats:
        return np.where(actual == 0, length - predicted, predicted) / length
