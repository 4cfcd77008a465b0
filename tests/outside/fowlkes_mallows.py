"""A measure from outside the package, whole in one file: the geometric mean of precision and recall.

Fowlkes & Mallows (1983).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountMeasure


@measures.register("fowlkes-mallows")
@dataclass(frozen=True)
class FowlkesMallows(CountMeasure):
    """|a & y| / sqrt(|a| |y|); 1 where both are empty, 0 where one is."""

    def coefficients(
        self, predicted: NDArray[np.int64], actual: NDArray[np.int64], length: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return 1.0 / np.sqrt(1.0 * predicted * actual), np.zeros(())

    def undefined(
        self, predicted: NDArray[np.int64], actual: NDArray[np.int64], length: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        return np.where(predicted == actual, 1.0, 0.0)
