"""Measures that are a ratio of hits to counts: the F-score, and one minus the alignment error rate."""

from __future__ import annotations

import numpy as np

from advsp.engine.measures.counts import CountMeasure
from advsp.support.arrays import Floats, Ints


class RatioMeasure(CountMeasure):
    """score(a, y) = scale * sum_t a_t hits[y_t] / (|a| + share * |y|), and 1 when both counts are 0.

    Attributes
    ----------
    scale, share: both positive.
    """

    frugal = True

    @property
    def scale(self) -> float:
        """What a hit is worth before it is divided by the counts."""
        return 1.0

    @property
    def share(self) -> float:
        """What the adversary's count weighs against the predictor's."""
        return 1.0

    def coefficients(self, predicted: Ints, actual: Ints, length: Ints) -> tuple[Floats, Floats]:
        return self.scale / (predicted + self.share * actual), np.zeros(())
