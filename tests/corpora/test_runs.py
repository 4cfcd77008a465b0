"""Entities go through arrays and come back, in every scheme that can tell them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.corpora.runs import of_masks, of_tags, to_tags
from advsp.corpora.schemes import to_iob2, violations
from advsp.metrics.entity import chunks
from advsp.support.errors import InputError

NAMES = ("PER", "LOC")
#: Sentences of entities and of what stands between them: a class, or none, and a length.
SENTENCES = st.lists(
    st.lists(st.tuples(st.sampled_from(["PER", "LOC", "DAY", ""]), st.integers(1, 3)), max_size=4), max_size=4
).map(
    lambda sentences: [
        [
            f"{'B' if place == 0 else 'I'}-{name}" if name else "O"
            for name, length in sentence
            for place in range(length)
        ]
        for sentence in sentences
    ]
)


def offsets_of(sentences) -> np.ndarray:
    return np.cumsum([0, *map(len, sentences)])


@given(sentences=SENTENCES)
@pytest.mark.parametrize("scheme", ["iob1", "iob2", "bio", "bioes", "bmes", "bilou"])
def test_entities_of_the_classes_are_kept_and_others_left_out(scheme, sentences):
    offsets = offsets_of(sentences)
    written = to_tags(of_tags(sentences, NAMES, offsets), NAMES, offsets, scheme)
    for sentence, start, stop in zip(sentences, offsets[:-1], offsets[1:], strict=True):
        tags = written[start:stop]
        assert violations(tags, scheme) == []
        expected = [chunk for chunk in chunks(sentence) if chunk.name in NAMES]
        assert chunks(to_iob2(tags, scheme)) == expected


@given(sentences=SENTENCES)
def test_io_keeps_the_classes(sentences):
    offsets = offsets_of(sentences)
    written = to_tags(of_tags(sentences, NAMES, offsets), NAMES, offsets, "io")
    flat = [tag for sentence in sentences for tag in sentence]
    assert written == [f"I-{tag[2:]}" if tag[2:] in NAMES else "O" for tag in flat]


def test_masks_are_runs_that_end_with_their_sentence():
    masks = {"PER": np.array([1, 1, 1, 0, 0], dtype=bool), "LOC": np.array([0, 0, 0, 1, 0], dtype=bool)}
    offsets = np.array([0, 2, 2, 5])
    assert to_tags(of_masks(masks, offsets), NAMES, offsets, "iob2") == [
        "B-PER", "I-PER", "B-PER", "B-LOC", "O",
    ]  # fmt: skip


def test_an_unknown_scheme_is_refused():
    with pytest.raises(InputError, match="unknown tag scheme"):
        to_tags(of_tags([], NAMES, np.array([0])), NAMES, np.array([0]), "bilouu")
