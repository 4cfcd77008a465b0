"""The mean of a metric over classes."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.metrics import metrics
from advsp.metrics.mean import Mean, side_by_side


@pytest.mark.parametrize("name", ["token_f1", "entity_f1"])
def test_the_mean_is_that_of_the_scores_of_every_class(name):
    metric = metrics.get(name)()
    rng = np.random.default_rng(0)
    tables = {label: rng.integers(0, 5, size=(7, 3)) for label in ("PER", "LOC", "ORG")}
    sums = side_by_side(tables).sum(axis=0)
    for score in ("score", "precision", "recall"):
        expected = np.mean([getattr(metric, score)(table.sum(axis=0)) for table in tables.values()])
        assert getattr(Mean(metric), score)(sums) == pytest.approx(expected)


def test_many_sums_are_scored_at_a_time():
    metric = Mean(metrics.get("token_f1")())
    sums = np.random.default_rng(1).integers(0, 9, size=(4, 6))
    assert metric.score(sums) == pytest.approx([metric.score(row) for row in sums])
