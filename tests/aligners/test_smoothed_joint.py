"""Smoothed beliefs: they stay probabilities, and every part leans on what it is said to lean on."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.aligners.smoothed_agreement import SmoothedAgreement
from advsp.aligners.smoothed_joint import Beliefs, Counts, Settings, gathered, train
from advsp.aligners.spellings import Spellings, Strengths
from advsp.corpora.word_pairs import read_word_pairs
from advsp.support.errors import InputError

SETTINGS = Settings(
    null=0.2, jump=3, anywhere=0.03, diagonal=1.0, silence=0.1, staying=4.0, strengths=Strengths(3.0, 0.1)
)
#: "not" is said with two words that have another one between them.
PAIRS = [
    ("he sleeps", "il dort"),
    ("he does not sleep", "il ne dort pas"),
    ("the gull sleeps", "la mouette dort"),
    ("the gull does not sing", "la mouette ne chante pas"),
    ("the tide rises", "la maree monte"),
] * 4


@pytest.fixture
def read(tmp_path):
    def of(pairs=PAIRS, letters: int = 4):
        for side, name in enumerate(("source", "target")):
            (tmp_path / name).write_text("".join(f"{pair[side]}\n" for pair in pairs))
        return read_word_pairs(tmp_path / "source", tmp_path / "target").cut(letters)

    return of


def test_one_pair_of_one_word_each_by_hand(read):
    pairs = read([("gull", "mouette")] * 10)
    spellings, beliefs = Spellings.of(pairs, ()), Beliefs.first(pairs, SETTINGS)
    (batch,) = pairs.batches
    ratios = spellings.ratios(beliefs.counts, SETTINGS.strengths)
    found = beliefs.find(batch, gathered(ratios, batch), SETTINGS, moving=False)
    assert [side.posterior[0, 0, 0] for side in found] == pytest.approx([0.8, 0.8])
    counts = Counts(pairs, SETTINGS)
    counts.add(batch, found)
    after = counts.beliefs(beliefs, spellings, moving=False)
    assert after.counts == pytest.approx([10 * 0.64])
    for direction in after.directions:
        # Two words from none of ten, and a prior of a tenth of the only word; then an unknown word.
        assert direction.null == pytest.approx([1.0, 0.1 / 2.1])
        assert direction.staying == pytest.approx([1.0, 1.0])


def test_beliefs_stay_probabilities(read):
    pairs = read()
    spellings = Spellings.of(pairs, (3,))
    for beliefs in train(pairs, spellings, SETTINGS, (2, 2)):
        sides = zip(beliefs.directions, pairs.words, spellings.levels[0].shares[::-1], strict=True)
        for direction, given, share in sides:
            assert direction.null[:-1] @ share == pytest.approx(1, abs=1e-6)
            words = np.arange(given + 1)[:, None]
            moves = direction.moves(words[:5], SETTINGS.anywhere)
            np.testing.assert_allclose(
                moves.jumps.sum(axis=1)[:, None] * moves.leave + moves.stay, 1, atol=1e-6
            )
            assert moves.start.sum() == pytest.approx(1, abs=1e-6)


def test_a_sentence_of_one_word_is_never_left(read):
    pairs = read()
    *_, beliefs = train(pairs, Spellings.of(pairs, ()), SETTINGS, (1, 1))
    moves = beliefs.directions[0].moves(np.array([[0, 3]]), SETTINGS.anywhere)
    assert moves.stay.tolist() == [[1.0, 1.0]]


def test_a_word_said_with_two_keeps_the_position_longer(read):
    """French given, English said: "pas" stands for "does not" or so; most words are said with one."""
    pairs = read([("a b", "x y")] * 30 + [("a c d", "x z")] * 10)
    *_, beliefs = train(pairs, Spellings.of(pairs, ()), SETTINGS, (4, 3))
    _, target = pairs.vocabularies
    staying = dict(zip(target, beliefs.directions[1].staying[:-1].tolist(), strict=True))
    assert staying["z"] > 2 * staying["x"]
    # An unknown word keeps it as long as all do.
    assert beliefs.directions[1].staying[-1] == pytest.approx(1)


def test_text_of_single_words_says_nothing_about_jumps(read):
    pairs = read([("gull", "mouette"), ("tide", "maree")])
    *_, beliefs = train(pairs, Spellings.of(pairs, ()), SETTINGS, (1, 2))
    for direction in beliefs.directions:
        assert (direction.jumps == direction.jumps[0]).all()
        assert (direction.staying == 1).all()


def test_spellings_that_are_not_ever_coarser_are_refused():
    with pytest.raises(InputError, match=r"spellings: \[4, 0\] are not ever fewer letters"):
        SmoothedAgreement(spellings=[[4, 0]])


def test_numpy_and_kernel_give_one_answer(read, monkeypatch):
    pairs = read()
    spellings = Spellings.of(pairs, (3,))
    *_, one = train(pairs, spellings, SETTINGS, (2, 3))
    monkeypatch.setattr("advsp.aligners.staying_hmm.door.missing", lambda: "nothing")
    *_, other = train(pairs, spellings, SETTINGS, (2, 3))
    np.testing.assert_allclose(one.counts, other.counts, rtol=1e-4, atol=1e-6)
