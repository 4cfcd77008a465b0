"""An index of unlabelled text tells of any words what counting the text again tells."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from same_statistics import assert_same

from advsp.corpora.prepared_bitext import iterate_unlabelled, load_normalisers
from advsp.corpora.tokens import Normaliser
from advsp.features.bitext.statistics import count_pairs
from advsp.features.bitext.text_counts import FILE, SideCounts, TextCounts, keep_counts, load_counts
from advsp.support.errors import InputError
from advsp.support.progress import no_progress

WORDS = ("gull", "Gull", "tern", "sea", "!")
sentences = st.lists(st.sampled_from(WORDS), max_size=6).map(tuple)
texts = st.lists(st.tuples(sentences, sentences), max_size=12)


@given(texts, texts)
def test_counting_again_gives_the_same(text, labelled):
    lower = Normaliser(["lower"])
    counted = count_pairs(text, labelled, source=lower)
    assert_same(TextCounts.of(text, lower).statistics(labelled), counted)


@given(texts)
def test_a_state_gives_the_same_counts(text):
    side = TextCounts.of(text).source
    again = SideCounts.from_state(side.state())
    assert (again.steps, again.words) == (side.steps, side.words)
    np.testing.assert_array_equal(again.counts.toarray(), side.counts.toarray())


@pytest.fixture
def corpus(bitext_workspace):
    return bitext_workspace / "corpus"


def test_progress_tells_of_every_pair():
    told = []
    TextCounts.of([(("gull",), ("mouette",))] * 5, progress=told.append)
    assert sum(told) == 5


def test_counts_are_kept_with_the_bitext(corpus):
    keep_counts(corpus, no_progress)
    pairs = [(("the", "gull", "never"), ("la", "mouette"))]
    source, target = load_normalisers(corpus)
    counted = count_pairs(iterate_unlabelled(corpus), pairs, source=source, target=target)
    assert_same(load_counts(corpus).statistics(pairs), counted)


def test_counts_of_another_text_are_refused(corpus):
    keep_counts(corpus, no_progress)
    file = corpus / f"{FILE}.json"
    description = json.loads(file.read_text())
    description["values"]["text"]["source"] = "0"
    file.write_text(json.dumps(description))
    with pytest.raises(InputError, match="counts of another text"):
        load_counts(corpus)


def test_counts_that_were_not_kept(corpus):
    (corpus / f"{FILE}.json").unlink()
    with pytest.raises(InputError, match=r"counts.json: no such file \(prepare it again"):
        load_counts(corpus)
