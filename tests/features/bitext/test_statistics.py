import math
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from same_statistics import assert_same

from advsp.corpora.tokens import Normaliser
from advsp.features.bitext import statistics as module
from advsp.features.bitext.statistics import Statistics, Vocabulary, count_pairs
from advsp.support.state import State

WORDS = ("gull", "tern", "sea", "wind", "!")
sentences = st.lists(st.sampled_from(WORDS), max_size=6).map(tuple)
texts = st.lists(st.tuples(sentences, sentences), max_size=12)


def frequency(vocabulary: Vocabulary, word: str) -> int:
    return int(vocabulary.sentences[vocabulary.numbers((word,))[0]])


def tokens(vocabulary: Vocabulary, word: str) -> int:
    return int(vocabulary.tokens[vocabulary.numbers((word,))[0]])


def rank(vocabulary: Vocabulary, word: str) -> int:
    return int(vocabulary.ranks[vocabulary.numbers((word,))[0]])


def dice(statistics: Statistics, source: str, target: str) -> float:
    rows, columns = statistics.source.numbers((source,)), statistics.target.numbers((target,))
    return float(statistics.dice(rows, columns)[0, 0])


def counts_together(statistics: Statistics, source: str, target: str) -> tuple[int, int]:
    """By sentence pairs and by tokens."""
    row, column = statistics.source.numbers((source,))[0], statistics.target.numbers((target,))[0]
    return int(statistics.together[row, column]), int(statistics.tokens_together[row, column])


def test_a_sentence_counts_once_for_a_word(statistics):
    assert statistics.pairs == 4
    assert [frequency(statistics.source, word) for word in ("the", "gull", "high", "tide")] == [3, 3, 1, 2]
    assert [frequency(statistics.target, word) for word in ("la", "mouette", "dort")] == [4, 3, 1]


def test_tokens_are_counted_too(statistics):
    assert [tokens(statistics.source, word) for word in ("the", "gull", "high", "tide")] == [4, 4, 1, 2]
    assert [tokens(statistics.target, word) for word in ("la", "mouette", "dort")] == [5, 4, 1]
    assert tokens(statistics.source, "albatross") == tokens(statistics.source, "never") == 0


def test_words_stand_together_as_often_as_their_tokens_can_be_linked_one_to_one():
    """2 of 2 and 3, 1 of 3 and 1, 1 of 1 and 1."""
    text = [
        (("gull",) * 2 + ("!",), ("mouette",) * 3),
        (("gull",) * 3, ("mouette", "!")),
        (("gull",), ("mouette",)),
        (("gull",), ()),
    ]
    counted = count_pairs(text, [(("gull",), ("mouette", "!"))])
    assert counts_together(counted, "gull", "mouette") == (3, 4)
    assert counts_together(counted, "gull", "!") == (1, 1)
    assert dice(counted, "gull", "mouette") == 2 * 4 / (7 + 5)


def test_words_are_normalised_for_looking_them_up_and_only_then(statistics):
    assert frequency(statistics.target, "MARÉE") == 2
    assert "maree" in statistics.target.words
    assert "marée" not in statistics.target.words


def test_steps_that_split_words_are_not_taken(statistics):
    labelled = [(("sea-gull",), ("x",))]
    counted = count_pairs([], labelled, source=Normaliser(["hyphens", "lower"]))
    assert counted.source.words == ("sea-gull",)
    assert counted.source.steps == ("hyphens", "lower")


def test_only_labelled_words_are_kept(statistics):
    assert statistics.source.words == ("albatross", "gull", "high", "sleeps", "the", "tide")
    assert statistics.together.shape == (7, 7)


def test_rank_is_one_more_than_the_number_of_more_frequent_words(statistics):
    """The and gull tie; sings and two marks were counted, although no labelled sentence has them."""
    assert [rank(statistics.source, word) for word in ("the", "gull", "tide", "high")] == [1, 1, 3, 4]
    assert [rank(statistics.target, word) for word in ("la", "mouette", "maree", "dort")] == [1, 2, 3, 4]


def test_words_that_the_text_does_not_have_rank_last_whether_labelled_or_not(statistics):
    assert rank(statistics.source, "albatross") == rank(statistics.source, "never") == 9
    assert frequency(statistics.source, "albatross") == frequency(statistics.source, "never") == 0


def test_dice_by_hand(statistics):
    assert dice(statistics, "gull", "mouette") == 2 * 4 / (4 + 4)
    assert dice(statistics, "the", "la") == 2 * 4 / (4 + 5)
    assert dice(statistics, "the", "maree") == 2 * 1 / (4 + 2)
    assert dice(statistics, "tide", "maree") == 1
    assert dice(statistics, "sleeps", "haute") == 0


def test_dice_of_words_without_counts_is_zero(statistics):
    assert dice(statistics, "never", "la") == 0
    assert dice(statistics, "albatross", "jamais") == 0


def test_common_words_are_no_punctuation_and_ties_are_broken_by_name(statistics):
    assert statistics.source.common == ("gull", "the", "tide", "high", "sings")
    assert statistics.target.common == ("la", "mouette", "maree", "chante", "dort")


def test_a_small_text_has_fewer_common_words():
    counted = count_pairs([(("no", "!"), ("non", "!"))], [(("no", "yes"), ("non",))])
    assert (counted.source.common, counted.target.common) == (("no",), ("non",))


def test_without_unlabelled_text_nothing_is_known():
    counted = count_pairs([], [(("gull",), ("mouette",))])
    assert counted.pairs == 0
    assert dice(counted, "gull", "mouette") == 0
    assert rank(counted.source, "gull") == 1


@given(texts, texts)
def test_counts_are_those_of_a_naive_count(text, labelled):
    counted = count_pairs(text, labelled)
    both = Counter((e, f) for source, target in text for e in set(source) for f in set(target))
    paired = Counter()
    for source, target in text:
        for e, f in product(set(source), set(target)):
            paired[e, f] += min(source.count(e), target.count(f))
    for side, vocabulary in enumerate((counted.source, counted.target)):
        times = Counter(word for pair in text for word in set(pair[side]))
        standing = Counter(word for pair in text for word in pair[side])
        assert vocabulary.words == tuple(sorted({word for pair in labelled for word in pair[side]}))
        for word in vocabulary.words:
            assert frequency(vocabulary, word) == times[word]
            assert tokens(vocabulary, word) == standing[word]
            assert rank(vocabulary, word) == 1 + sum(times[other] > times[word] for other in times)
    for e in counted.source.words:
        for f in counted.target.words:
            assert counts_together(counted, e, f) == (both[e, f], paired[e, f])
            assert 0 <= dice(counted, e, f) <= 1


@given(texts, texts)
def test_blocks_do_not_show(text, labelled):
    whole = count_pairs(text, labelled)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", 2)
        assert_same(whole, count_pairs(text, labelled))


def test_the_text_is_streamed_and_its_progress_told(monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 2)
    read, told = [], []

    def stream():
        for number in range(5):
            read.append(number)
            yield ("gull",), ("mouette",)

    count_pairs(stream(), [], progress=lambda done: told.append((done, len(read))))
    assert told == [(2, 2), (2, 4), (1, 5)]


def test_a_state_gives_the_same_statistics(statistics, tmp_path):
    statistics.state().save(tmp_path / "counts")
    again = Statistics.from_state(State.load(tmp_path / "counts", "statistics", ""))
    assert_same(statistics, again)
    assert math.isclose(dice(again, "The", "LA"), 8 / 9)
