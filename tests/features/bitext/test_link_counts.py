import numpy as np
import pytest

from advsp.corpora.bitext import SentencePair
from advsp.features.bitext.aligners import Aligner
from advsp.features.bitext.link_counts import LinkCounts, count_links, once_for_a_type

M = Aligner("m", ("m.ef", "m.fe"))


def pair(source: str, target: str) -> SentencePair:
    return SentencePair(tuple(source.split()), tuple(target.split()))


def counts_of(counts: LinkCounts, statistics, source: str, target: str) -> tuple[int, int]:
    rows, columns = statistics.source.numbers((source,)), statistics.target.numbers((target,))
    linked, together = counts.of("m", rows, columns)
    return int(linked[0, 0]), int(together[0, 0])


def test_pairs_are_counted_once_over_all_splits_where_both_directions_link(statistics):
    first = [pair("the gull the", "la mouette"), pair("gull", "mouette la")]
    second = [pair("Gull", "mouette")]
    counts = count_links(
        statistics,
        [M],
        [
            (first, {"m.ef": [{(0, 0), (2, 0), (1, 1)}, {(0, 0)}], "m.fe": [{(0, 0), (2, 0)}, {(0, 0)}]}),
            (second, {"m.ef": [{(0, 0)}], "m.fe": [{(0, 0)}]}),
        ],
    )
    assert counts_of(counts, statistics, "the", "la") == (1, 1)
    assert counts_of(counts, statistics, "gull", "mouette") == (2, 3)
    assert counts_of(counts, statistics, "gull", "la") == (0, 2)
    assert counts_of(counts, statistics, "tide", "maree") == (0, 0)


def test_without_text_nothing_is_linked(statistics):
    counts = count_links(statistics, [M], [])
    assert counts_of(counts, statistics, "the", "la") == (0, 0)


def test_a_link_outside_its_pair_is_refused(statistics):
    with pytest.raises(ValueError, match="outside a sentence pair of 1 and 1 words"):
        count_links(statistics, [M], [([pair("the", "la")], {"m.ef": [{(1, 0)}], "m.fe": [set()]})])


def test_a_state_gives_the_same_counts(statistics, pairs, predicted):
    aligners = [M, Aligner("solo", ("solo",))]
    counts = count_links(statistics, aligners, [(pairs, predicted)])
    again = LinkCounts.from_state(counts.state())
    every = np.arange(len(statistics.source.words) + 1), np.arange(len(statistics.target.words) + 1)
    for name in ("m", "solo"):
        np.testing.assert_array_equal(again.of(name, *every), counts.of(name, *every))


def test_words_may_have_other_numbers(statistics, pairs, predicted):
    counts = count_links(statistics, [M], [(pairs, predicted)])
    source, target = (np.arange(len(side.words) + 1)[::-1] for side in (statistics.source, statistics.target))
    again = counts.renumbered(source, target)
    for here, there in zip(counts.of("m", source, target), again.of("m", *map(np.sort, (source, target)))):
        np.testing.assert_array_equal(here, there)


def test_a_type_is_linked_wherever_it_stands():
    source, target = np.array([0, 1, 0]), np.array([3, 3])
    grid = np.array([[True, False], [False, False], [False, False]])
    assert once_for_a_type(source, target, grid).tolist() == [[True, True], [False, False], [True, True]]
