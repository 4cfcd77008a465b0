"""Scores that are a ratio of hits to counts: the F-score, and one minus the alignment error rate."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from advsp.engine.measures.base import CountMeasure


class RatioMeasure(CountMeasure):
    """score(a, y) = scale * sum_t a_t hits[y_t] / (|a| + share * |y|), and ``empty`` when both counts are 0.

    Attributes
    ----------
    scale, share: both positive.
    """

    scale: float
    share: float

    @cached_property
    def single(self) -> bool:
        """Whether exactly one label takes part in the score, counted and hit once."""
        return bool(self.counted.sum() == 1 and np.array_equal(self.hits, self.counted))

    def weight(self, predicted: np.ndarray, actual: np.ndarray) -> np.ndarray:
        total = predicted + self.share * actual
        return np.where(total > 0, self.scale / np.where(total > 0, total, 1.0), 0.0)
