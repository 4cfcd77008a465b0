"""The alignment error rate as a metric of experiments."""

from __future__ import annotations

import numpy as np

from advsp.metrics import metrics
from advsp.metrics.alignment import (
    alignment_counts,
    alignment_error_rate,
    alignment_precision,
    alignment_recall,
)
from advsp.metrics.base import Metric
from advsp.support.arrays import Bools, Floats, Ints, Numbers
from advsp.training.instances import EdgeInstances, Instances


@metrics.register("aer")
class AlignmentErrorRate(Metric):
    """AER over a corpus; the counts are those of links that are sure, possible, predicted and wanted."""

    columns = ("hits_sure", "hits_possible", "predicted", "sure")
    lower_is_better = True

    def counts(self, decided: Bools, instances: Instances, label: str, begins: Bools | None = None) -> Ints:
        assert isinstance(instances, EdgeInstances)
        return alignment_counts(decided, instances.labels, instances.offsets)

    def score(self, sums: Numbers) -> Floats:
        return alignment_error_rate(*np.moveaxis(sums, -1, 0))

    def precision(self, sums: Numbers) -> Floats:
        return alignment_precision(*np.moveaxis(sums, -1, 0))

    def recall(self, sums: Numbers) -> Floats:
        return alignment_recall(*np.moveaxis(sums, -1, 0))
