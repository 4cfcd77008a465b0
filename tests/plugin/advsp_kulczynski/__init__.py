"""Kulczynski's measure: the mean of precision and recall, each weighted as one likes (Kulczynski, 1928)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Interval

from advsp.engine.measures.counts import CountMeasure


@dataclass(frozen=True)
class Kulczynski(CountMeasure):
    """w |a & y| / |a| + (1 - w) |a & y| / |y|; 1 where both are empty, 0 where one is."""

    precision: Annotated[float, Interval(ge=0, le=1)] = 0.5

    def coefficients(self, predicted, actual, length):
        return self.precision / predicted + (1.0 - self.precision) / actual, np.zeros(())

    def undefined(self, predicted, actual, length):
        return np.where(predicted == actual, 1.0, 0.0)
