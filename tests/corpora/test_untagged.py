"""Text to be tagged, in columns or a sentence a line."""

from __future__ import annotations

import pytest

from advsp.corpora.untagged import Untagged, read_untagged
from advsp.support.errors import InputError

COLUMNS = """\
-DOCSTART- -X- O

Mira\tNNP\tB-PER
sails VBZ O


-DOCSTART- -X- O
home  NN O
"""


@pytest.fixture
def read(tmp_path):
    def reading(text: str, layout: str = "columns", word: int = 0, docstart: str = "drop"):
        path = tmp_path / "text"
        path.write_text(text)
        return list(read_untagged(path, layout, word, docstart))

    return reading


def test_lines_are_kept_as_they_are(read):
    first, second, *_ = read(COLUMNS)[1::2]
    assert first == Untagged(("Mira", "sails"), ("Mira\tNNP\tB-PER", "sails VBZ O"))
    assert second == Untagged(("home",), ("home  NN O",))


@pytest.mark.parametrize(
    "docstart, expected",
    [
        ("drop", [(("-DOCSTART-",), False, 0), (("Mira", "sails"), True, 0)] * 2),
        ("sentence", [(("-DOCSTART-",), True, 0), (("Mira", "sails"), True, 0)] * 2),
        ("uncounted", [(("-DOCSTART-",), True, 0), (("Mira", "sails"), True, 0)] * 2),
        ("glue", [(("-DOCSTART-", "Mira", "sails"), True, 1)] * 2),
    ],
)
def test_document_marks_are_what_they_are_in_the_corpus(read, docstart, expected):
    found = read("-DOCSTART- O\n\nMira X\nsails X\n" * 2, docstart=docstart)
    assert [(sentence.words, sentence.tagged, sentence.marks) for sentence in found] == expected


def test_marks_behind_the_last_sentence_are_one_of_their_own(read):
    found = read("Mira\n\n-DOCSTART-\n", docstart="glue")
    assert found[-1] == Untagged(("-DOCSTART-",), ("-DOCSTART-",), marks=0)


@pytest.mark.parametrize("word, expected", [(1, ("NNP", "VBZ")), (-3, ("Mira", "sails"))])
def test_the_word_may_stand_in_another_column(read, word, expected):
    assert read(COLUMNS, word=word)[1].words == expected


def test_a_sentence_a_line(read):
    assert [sentence.words for sentence in read("Mira sails\n\n  home\t.\n", "lines")] == [
        ("Mira", "sails"), (), ("home", "."),
    ]  # fmt: skip


def test_another_number_of_columns_is_refused_with_a_hint(read):
    with pytest.raises(InputError, match="found 3 columns, expected 1 as in line 1") as caught:
        read("Mira\n\nMira sails home\n")
    assert caught.value.line == 3 and "--input lines" in str(caught.value)


def test_a_word_column_that_is_not_there_is_refused(read):
    with pytest.raises(InputError, match="found 2 columns, expected the word at index 2"):
        read("Mira NNP\n", word=2)
