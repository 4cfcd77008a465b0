"""Spellings: cutting words is reading them cut, and ratios lean on coarser spellings as the formula says."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.aligners.spellings import NewWords, Spellings, Strengths, ever_coarser
from advsp.corpora.word_pairs import WordPairs, read_word_pairs

PAIRS = [
    ("gull gulls", "mouette mouettes"),
    ("gulls sleep", "mouettes dorment"),
    ("tide gull", "maree mouette"),
    ("sleepy tides", "marees"),
]
LETTERS, STRENGTHS = (0, 4, 2), Strengths(backoff=3.0, chance=0.5)


@pytest.fixture
def text(tmp_path):
    for side, name in enumerate(("source", "target")):
        (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in PAIRS))
    return tmp_path / "source", tmp_path / "target"


@pytest.fixture
def pairs(text) -> WordPairs:
    return read_word_pairs(*text).cut(LETTERS[0])


def drawn(pairs: WordPairs) -> np.ndarray:
    """Counts of types; those of some are 0."""
    counts = np.random.default_rng(1).random(len(pairs.source_of))
    counts[::3] = 0
    return counts


def by_formula(
    given: str, said: str, counts: dict[tuple[str, str], float], shares: dict[str, float]
) -> float:
    """The ratio of two words, by summing over all types at every number of letters."""
    ratio = 1.0
    for letters in reversed(LETTERS):
        cut = letters or None
        found = sum(n for (e, f), n in counts.items() if e[:cut] == given[:cut] and f[:cut] == said[:cut])
        total = sum(n for (e, _), n in counts.items() if e[:cut] == given[:cut])
        share = sum(q for f, q in shares.items() if f[:cut] == said[:cut])
        strength = STRENGTHS.chance if letters == LETTERS[-1] else STRENGTHS.backoff
        ratio = ((found / share if found else 0.0) + strength * ratio) / (total + strength)
    return ratio


def in_words(pairs: WordPairs, counts: np.ndarray) -> dict[tuple[str, str], float]:
    source, target = pairs.vocabularies
    return {
        (source[e], target[f]): float(n)
        for e, f, n in zip(pairs.source_of, pairs.target_of, counts, strict=True)
    }


def shares(side: int) -> dict[str, float]:
    words = [word for pair in PAIRS for word in pair[side].split()]
    return {word: words.count(word) / len(words) for word in words}


@pytest.mark.parametrize("letters", [5, 4, 1])
def test_cutting_a_text_is_reading_it_cut(text, pairs, letters):
    cut, read = pairs.cut(letters), read_word_pairs(*text).cut(letters)
    assert cut.vocabularies == read.vocabularies
    np.testing.assert_array_equal(cut.source_of, read.source_of)
    np.testing.assert_array_equal(cut.target_of, read.target_of)
    for one, other in zip(cut.batches, read.batches, strict=True):
        for name in ("pairs", "source", "target", "types"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        assert one.types.dtype == other.types.dtype


def test_ratios_are_those_of_the_formula(pairs):
    counts = drawn(pairs)
    forward, reverse = Spellings.of(pairs, LETTERS[1:]).ratios(counts, STRENGTHS)
    known = in_words(pairs, counts)
    turned = {(f, e): n for (e, f), n in known.items()}
    expected = [by_formula(e, f, known, shares(1)) for e, f in known]
    np.testing.assert_allclose(forward, expected, rtol=1e-6)
    np.testing.assert_allclose(reverse, [by_formula(f, e, turned, shares(0)) for e, f in known], rtol=1e-6)


def test_without_counts_everything_is_said_by_chance(pairs):
    for ratios in Spellings.of(pairs, LETTERS[1:]).ratios(np.zeros(len(pairs.source_of)), STRENGTHS):
        assert (ratios == 1).all()


def test_what_is_said_for_a_word_sums_to_one(pairs):
    """Over words that it meets or not: a probability is a ratio times the share."""
    counts = drawn(pairs)
    known, of = in_words(pairs, counts), shares(1)
    for given in ("gull", "sleepy", "zeppelin"):
        assert sum(by_formula(given, said, known, of) * share for said, share in of.items()) == pytest.approx(
            1
        )


def test_words_of_other_sentences_have_the_ratios_of_the_formula(pairs):
    counts = drawn(pairs)
    new = NewWords(Spellings.of(pairs, LETTERS[1:]), counts, LETTERS, STRENGTHS)
    sentence = ("gull", "gullible", "zeppelin"), ("mouette", "mou", "zeppelin", "marees")
    ((batch, (forward, reverse)),) = new.batches([sentence])
    assert batch.pairs.tolist() == [0]
    known = in_words(pairs, counts)
    turned = {(f, e): n for (e, f), n in known.items()}
    for i, source in enumerate(sentence[0]):
        for j, target in enumerate(sentence[1]):
            assert forward[i, j, 0] == pytest.approx(by_formula(source, target, known, shares(1)))
            assert reverse[i, j, 0] == pytest.approx(by_formula(target, source, turned, shares(0)))


def test_words_of_the_text_have_its_ratios_to_the_last_bit(pairs):
    counts = drawn(pairs)
    spellings = Spellings.of(pairs, LETTERS[1:])
    of_types = spellings.ratios(counts, STRENGTHS)
    sentences = [(tuple(source.split()), tuple(target.split())) for source, target in PAIRS]
    found = list(NewWords(spellings, counts, LETTERS, STRENGTHS).batches(sentences))
    for batch, (read, ratios) in zip(pairs.batches, found, strict=True):
        np.testing.assert_array_equal(batch.types, read.types)
        for ratio, of in zip(ratios, of_types, strict=True):
            np.testing.assert_array_equal(ratio, of[batch.types])


@pytest.mark.parametrize(
    ("letters", "are"), [([0, 5], True), ([5, 4, 1], True), ([3], True), ([4, 4], False), ([4, 0], False)]
)
def test_what_is_ever_coarser(letters, are):
    assert ever_coarser(letters) == are
