"""The mean of a metric over classes, each by its own counts (macro-average)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from advsp.metrics.base import Metric
from advsp.support.arrays import Floats, Ints, Numbers


def side_by_side(tables: Mapping[str, Ints]) -> Ints:
    """Tables [S, q] of several classes as one [S, classes * q], for :class:`Mean`."""
    return np.concatenate(list(tables.values()), axis=1)


@dataclass(frozen=True)
class Mean:
    """Scores of counts of several classes side by side.

    Attributes
    ----------
    metric: of one class.
    """

    metric: Metric

    def score(self, sums: Numbers) -> Floats:
        """Means of the scores, [...], of counts [..., classes * q]."""
        return self._over_classes(self.metric.score(self._apart(sums)))

    def precision(self, sums: Numbers) -> Floats:
        """Means of the precisions, as :meth:`score`."""
        return self._over_classes(self.metric.precision(self._apart(sums)))

    def recall(self, sums: Numbers) -> Floats:
        """Means of the recalls, as :meth:`score`."""
        return self._over_classes(self.metric.recall(self._apart(sums)))

    def _apart(self, sums: Numbers) -> Numbers:
        return np.reshape(sums, (*np.shape(sums)[:-1], -1, len(self.metric.columns)))

    @staticmethod
    def _over_classes(scores: Floats) -> Floats:
        means: Floats = np.mean(scores, axis=-1)
        return means
