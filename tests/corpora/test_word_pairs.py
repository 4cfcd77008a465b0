"""A text as numbers: what belongs together stays together."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.corpora import word_pairs
from advsp.corpora.word_pairs import read_word_pairs

PAIRS = [
    ("the gull", "la mouette"),
    ("gull", "mouette"),
    ("the gulls sleep", "les mouettes dorment"),
    ("the tide", "la maree"),
    ("the gull", "la mouette"),
]


@pytest.fixture
def text(tmp_path):
    for side, name in enumerate(("s", "t")):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in PAIRS))
    return tmp_path / "s", tmp_path / "t"


def test_pairs_of_one_shape_share_a_batch(text):
    found = read_word_pairs(*text).cut(0)
    assert [batch.pairs.tolist() for batch in found.batches] == [[1], [0, 3, 4], [2]]
    assert [side.tolist() for side in found.lengths] == [[2, 1, 3, 2, 2], [2, 1, 3, 2, 2]]
    assert found.words == (5, 6)


def test_types_are_the_words_that_meet(text):
    found = read_word_pairs(*text).cut(0)
    for batch in found.batches:
        np.testing.assert_array_equal(found.source_of[batch.types], batch.source[:, None] + 0 * batch.types)
        np.testing.assert_array_equal(found.target_of[batch.types], batch.target + 0 * batch.types)
    types = list(zip(found.source_of.tolist(), found.target_of.tolist(), strict=True))
    assert len(set(types)) == len(types) == 4 + 9 + 3
    assert sorted(types) == types


@pytest.mark.parametrize(("letters", "words"), [(0, (5, 6)), (4, (4, 5)), (1, (3, 3))])
def test_words_may_be_cut(text, letters, words):
    assert read_word_pairs(*text).cut(letters).words == words


def test_batches_are_small(text, monkeypatch):
    monkeypatch.setattr(word_pairs, "_CELLS", 8)
    found = read_word_pairs(*text).cut(0)
    assert [batch.pairs.tolist() for batch in found.batches] == [[1], [0, 3], [4], [2]]


def test_pairs_of_long_sentences_are_left_out(text, monkeypatch):
    monkeypatch.setattr(word_pairs, "LONGEST", 2)
    found = read_word_pairs(*text).cut(0)
    assert [batch.pairs.tolist() for batch in found.batches] == [[1], [0, 3, 4]]
    assert found.lengths[0].tolist() == [2, 1, 3, 2, 2]


def test_the_first_pairs_of_a_batch(text):
    batch = read_word_pairs(*text).cut(0).batches[1]
    first = batch.before(4)
    assert first.pairs.tolist() == [0, 3]
    np.testing.assert_array_equal(first.source, batch.source[:, :2])
    np.testing.assert_array_equal(first.types, batch.types[:, :, :2])
    assert batch.before(0).types.shape == (2, 2, 0)
