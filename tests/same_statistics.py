"""Whether two statistics of unlabelled text are the same."""

from __future__ import annotations

import numpy as np

from advsp.features.bitext.statistics import Statistics

_ENTRIES = ("sentences", "tokens", "ranks")


def assert_same(first: Statistics, second: Statistics) -> None:
    assert first.pairs == second.pairs
    for name in ("together", "tokens_together"):
        left, right = getattr(first, name), getattr(second, name)
        assert (left != right).nnz == 0
        assert left.shape == right.shape
        assert left.dtype == right.dtype == np.int64
    for left, right in ((first.source, second.source), (first.target, second.target)):
        assert (left.steps, left.words, left.common) == (right.steps, right.words, right.common)
        for name in _ENTRIES:
            np.testing.assert_array_equal(getattr(left, name), getattr(right, name))
