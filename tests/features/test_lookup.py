"""Looked up value by value, features are those that stand at every token."""

from __future__ import annotations

import numpy as np
import pytest
from features.reference import names_at
from hypothesis import given
from hypothesis import strategies as st

from advsp.features import lookup
from advsp.features.index import FeatureIndex
from advsp.features.lookup import Lookup
from advsp.features.templates import Expansion, Pattern, Value

TEMPLATES = (
    Pattern("always"),
    Pattern("%s-W", (Value("word"),)),
    Pattern("%s-near", (Value("word", -2),)),
    Pattern("%s-near", (Value("word", 1),)),
    Pattern("%s|%s-pair", (Value("word", -1), Value("kind", outside="none"))),
    Pattern("%s|%s|%s-triple", (Value("kind", -1), Value("kind"), Value("word", 1, outside="end"))),
    Pattern("%s|%s|%s|%s-four", (Value("kind", -1), Value("kind"), Value("word"), Value("word", 1))),
    Expansion(lambda text: tuple(sorted({f"<{letter}>" for letter in text})), Value("word")),
)
SENTENCES = st.lists(
    st.lists(st.tuples(st.text("abc", max_size=2), st.sampled_from("XY")), max_size=5).map(
        lambda tokens: {"word": [word for word, _ in tokens], "kind": [kind for _, kind in tokens]}
    ),
    max_size=5,
)


def by_hand(index: FeatureIndex, sentences: list[dict[str, list[str]]]) -> list[list[int]]:
    """Columns of every token of all sentences, token by token."""
    return [
        sorted(index.columns(names_at(TEMPLATES, columns, t)))
        for columns in sentences
        for t in range(len(columns["word"]))
    ]


def rows(matrix) -> list[list[int]]:
    assert set(matrix.data) <= {1.0}
    return [matrix[row].indices.tolist() for row in range(matrix.shape[0])]


@given(first=SENTENCES, second=SENTENCES)
def test_columns_are_those_that_stand_at_every_token(first, second):
    index = FeatureIndex(
        sorted(
            {
                name
                for columns in first
                for t in range(len(columns["word"]))
                for name in names_at(TEMPLATES, columns, t)
            }
        )
    )
    index.freeze()
    looking = Lookup((TEMPLATES,), (index,))
    for sentences in (first, second, first):
        (matrix,) = looking.matrices(sentences)
        assert matrix.shape == (sum(len(columns["word"]) for columns in sentences), len(index))
        assert rows(matrix) == by_hand(index, sentences)


@given(sentences=SENTENCES)
def test_names_join_an_index_that_is_not_frozen(sentences):
    index = FeatureIndex()
    (matrix,) = Lookup((TEMPLATES,), (index,)).matrices(sentences)
    assert rows(matrix) == by_hand(index, sentences)
    assert sorted({column for row in rows(matrix) for column in row}) == list(range(len(index)))


@pytest.mark.parametrize("limit", ["_MOST_TEXTS", "_MOST_COMBINATIONS", "_MOST_NUMBERS"])
def test_what_is_forgotten_is_looked_up_again(limit, monkeypatch):
    monkeypatch.setattr(lookup, limit, 2)
    rng = np.random.default_rng(1)
    texts = [[{"word": list(rng.choice(list("abcdefg"), 4)), "kind": list("XYXY")}] for _ in range(6)]
    index = FeatureIndex()
    for sentences in texts:
        by_hand(index, sentences)
    index.freeze()
    looking = Lookup((TEMPLATES,), (index,))
    for sentences in texts:
        assert rows(looking.matrices(sentences)[0]) == by_hand(index, sentences)
