"""Unlabelled text: normalised pair by pair, repeated and empty pairs left out, everything counted."""

from __future__ import annotations

import pytest

from advsp.corpora.parallel_text import TextFiles, stream_pairs
from advsp.corpora.tokens import Normaliser, Unseen
from advsp.corpora.unlabelled import write_unlabelled

SOURCE = "The gull\n\nThe  gull\nno wind-mill\nthe gull\n"
TARGET = "la mouette\nrien\nla mouette\nl'élan\nla mouette\n"


@pytest.fixture
def write(tmp_path):
    """Write the text above; return what was counted, the words not seen, and the pairs written."""
    (tmp_path / "text.en").write_text(SOURCE)
    (tmp_path / "text.fr").write_text(TARGET)

    def call(distinct: bool):
        written = TextFiles(tmp_path / "source.gz", tmp_path / "target.gz")
        unseen = {"source": Unseen([("the", "tern")]), "target": Unseen([("la", "mouette")])}
        normalisers = {"source": Normaliser(["lower", "hyphens"]), "target": Normaliser(["accents"])}
        steps: list[int] = []
        counts = write_unlabelled(
            TextFiles(tmp_path / "text.en", tmp_path / "text.fr"),
            written,
            normalisers,
            unseen,
            distinct=distinct,
            progress=steps.append,
        )
        assert sum(steps) == counts["pairs"] == 5
        return counts, unseen, list(stream_pairs(written))

    return call


def test_pairs_are_normalised_and_repeated_ones_left_out(write):
    counts, unseen, pairs = write(distinct=True)
    assert pairs == [
        (("the", "gull"), ("la", "mouette")),
        (("no", "wind", "-", "mill"), ("l'elan",)),
        (("the", "gull"), ("la", "mouette")),  # not repeated as the files have it
    ]
    assert counts == {
        "pairs": 5, "empty": 1, "repeated": 1, "kept": 3, "source_words": 8, "target_words": 5
    }  # fmt: skip
    assert {side: words.counts["unseen_types"] for side, words in unseen.items()} == {
        "source": 1,
        "target": 0,
    }


def test_repeated_pairs_may_be_kept(write):
    counts, _, pairs = write(distinct=False)
    assert (counts["repeated"], counts["kept"], len(pairs)) == (0, 4, 4)
