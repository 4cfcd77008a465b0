"""Tagging as text comes in: no more is read than is tagged at a time, and nothing of it is kept."""

from __future__ import annotations

import io
from pathlib import Path

from advsp.corpora.untagged import Untagged
from advsp.experiments.predict import BATCH, Tagger, write_conll, write_jsonl
from advsp.experiments.system_in_use import open_system

RUN = Path("results/runs/tiny")


def sentences(number: int, taken: list[int]):
    for place in range(number):
        taken.append(place)
        yield Untagged(("Mira", "sails", f"home{place}"))


def test_sentences_are_asked_for_a_batch_at_a_time(finished, monkeypatch):
    monkeypatch.chdir(finished)
    taken: list[int] = []
    tagged = Tagger(open_system(RUN, "CRF")).tag(sentences(3 * BATCH, taken))
    for number in range(2 * BATCH):
        next(tagged)
        assert len(taken) == BATCH * (1 + number // BATCH)


def test_order_is_kept_and_what_has_no_words_has_no_tags(finished, monkeypatch):
    monkeypatch.chdir(finished)
    given = [
        Untagged(("Mira",)),
        Untagged(()),
        Untagged(("-DOCSTART-",), tagged=False),
        Untagged(("Anka", ".")),
    ]
    found = list(Tagger(open_system(RUN)).tag(given))
    assert [one.sentence for one in found] == given
    assert [len(one.tags) for one in found] == [1, 0, 1, 2]
    assert found[2].tags == ["O"]
    assert all(len(values) == len(one.tags) for one in found for values in one.marginals.values())


def test_marks_that_are_glued_to_a_sentence_keep_their_blank_line(finished, monkeypatch):
    monkeypatch.chdir(finished)
    words = ("-DOCSTART-", "Mira")
    glued = Untagged(words, ("-DOCSTART- -X-", "Mira\tNNP"), marks=1)
    stream = io.StringIO()
    tagger = Tagger(open_system(RUN))
    assert write_conll(tagger.tag([glued]), stream, marginals=False) == 1
    first, second = next(iter(tagger.tag([glued]))).tags
    assert stream.getvalue() == f"-DOCSTART- -X- {first}\n\nMira\tNNP\t{second}\n\n"
    stream = io.StringIO()
    assert write_jsonl(tagger.tag([Untagged(())]), stream, marginals=True) == 1
    assert stream.getvalue() == '{"words": [], "tags": [], "marginals": {"PER": [], "LOC": []}}\n'
