"""Sums per sentence, with and without empty sentences."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.metrics.segments import sum_segments


def test_empty_sentences_have_sums_of_zero_wherever_they_stand():
    events = np.array([[1, 10], [2, 20], [4, 40]])
    sums = sum_segments(events, [0, 0, 2, 2, 3, 3])
    np.testing.assert_array_equal(sums, [[0, 0], [3, 30], [0, 0], [4, 40], [0, 0]])
    assert sums.dtype == np.int64


def test_many_events_do_not_overflow_their_type():
    assert sum_segments(np.ones((300, 1), dtype=np.int8), [0, 300]).tolist() == [[300]]
    assert sum_segments(np.ones((300, 1), dtype=bool), [0, 300]).tolist() == [[300]]


def test_corpus_without_sentences():
    assert sum_segments(np.zeros((0, 2), dtype=bool), [0]).shape == (0, 2)


@pytest.mark.parametrize("offsets", [[], [1, 3], [0, 2], [0, 4], [0, 2, 1, 3], [[0, 3]]])
def test_offsets_must_cover_the_rows_once(offsets):
    with pytest.raises(ValueError, match="offsets must rise from 0 to 3"):
        sum_segments(np.zeros((3, 2), dtype=bool), np.array(offsets, dtype=np.int64))
