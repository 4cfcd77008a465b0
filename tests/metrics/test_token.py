"""Token-level counts, with and without empty sentences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.metrics.token import token_counts

sentences = st.lists(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=6), max_size=8)


def test_worked_example_with_empty_sentences_at_both_ends_and_between():
    predicted = np.array([1, 1, 0, 0, 1], dtype=bool)
    gold = np.array([1, 0, 1, 0, 1], dtype=bool)
    offsets = np.array([0, 0, 3, 3, 4, 5, 5])
    np.testing.assert_array_equal(
        token_counts(predicted, gold, offsets),
        [[0, 0, 0], [1, 1, 1], [0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 0]],
    )


@given(sentences)
def test_counts_equal_those_of_each_sentence_alone_and_sum_to_totals(corpus):
    pairs = np.array([pair for sentence in corpus for pair in sentence], dtype=bool).reshape(-1, 2)
    predicted, gold = pairs.T
    table = token_counts(predicted, gold, np.cumsum([0, *map(len, corpus)]))
    assert table.dtype == np.int64 and table.shape == (len(corpus), 3)
    expected = [
        [sum(p and g for p, g in s), sum(p and not g for p, g in s), sum(g and not p for p, g in s)]
        for s in corpus
    ]
    np.testing.assert_array_equal(table, np.reshape(expected, (-1, 3)))
    tp, fp, fn = table.sum(axis=0)
    assert (tp + fp, tp + fn) == (predicted.sum(), gold.sum())


@pytest.mark.parametrize("offsets", [[], [1, 3], [0, 2], [0, 4], [0, 2, 1, 3], [[0, 3]]])
def test_offsets_must_cover_the_tokens_once(offsets):
    mask = np.zeros(3, dtype=bool)
    with pytest.raises(ValueError, match="offsets must rise from 0 to 3"):
        token_counts(mask, mask, np.array(offsets, dtype=np.int64))


def test_masks_must_be_boolean_and_of_one_length():
    mask, offsets = np.zeros(3, dtype=bool), np.array([0, 3])
    with pytest.raises(ValueError, match="boolean"):
        token_counts(mask.astype(np.int8), mask, offsets)
    with pytest.raises(ValueError, match="one length"):
        token_counts(mask[:2], mask, offsets)
