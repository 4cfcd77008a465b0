"""Accuracy: the share of positions on which both players agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountMeasure


@measures.register("accuracy")
@dataclass(frozen=True)
class Accuracy(CountMeasure):
    """(n - |a| - |y| + 2 |a & y|) / n."""

    def coefficients(
        self, predicted: NDArray[np.int64], actual: NDArray[np.int64], length: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.full((), 2.0 / length), (length - predicted - actual) / length
