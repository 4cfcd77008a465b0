"""Links of a whole text: counted as counting one by one would, and the link itself left out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from advsp.corpora.text_posteriors import Cells, TextPosteriors
from advsp.corpora.word_pairs import number_pairs
from advsp.features.bitext.groups import groups
from advsp.features.bitext.link_statistics import FORWARD, REVERSE, LinkStatistics
from advsp.features.bitext.text_links import TextLinks, count_text_links

TEXT = [
    (["the", "gull", "sleeps"], ["la", "mouette", "dort"]),
    (["the", "gull", "the", "gull"], ["la", "mouette"]),
    (["gull"], ["la", "mouette", "blanche"]),
    (["no"], ["non"]),
]
#: The first pair is labelled: its neighbours are not counted.
LABELLED = 1


@pytest.fixture
def posteriors() -> list[TextPosteriors]:
    """Those of an aligner, and links of another one."""
    rng = np.random.default_rng(3)
    cells = sum(len(source) * len(target) for source, target in TEXT)
    return [
        TextPosteriors(*rng.random((2, cells)).astype(np.float16)),
        TextPosteriors(*rng.integers(0, 2, (2, cells)).astype(np.uint8)),
    ]


@pytest.fixture
def links(posteriors) -> TextLinks:
    return count_text_links(number_pairs(lambda side: (pair[side] for pair in TEXT)), posteriors, LABELLED)


def grids(posteriors) -> list[tuple[np.ndarray, np.ndarray]]:
    """The mean forward and reverse posteriors of every pair, [n, m] each."""
    found, begin = [], 0
    for source, target in TEXT:
        end = begin + len(source) * len(target)
        both = [
            np.mean([np.asarray(getattr(of, side)[begin:end], float) for of in posteriors], axis=0)
            for side in ("forward", "reverse")
        ]
        found.append(tuple(grid.reshape(len(source), len(target)) for grid in both))
        begin = end
    return found


def test_two_words_share_the_links_of_all_their_tokens(links, posteriors):
    sources, targets = ("gull", "the", "unknown"), ("la", "mouette", "dort")
    found = links.for_words(sources, targets)
    for direction, (i, e), (j, f) in product((FORWARD, REVERSE), enumerate(sources), enumerate(targets)):
        linked = together = 0.0
        for (source, target), both in zip(TEXT, grids(posteriors), strict=True):
            for row, column in product(range(len(source)), range(len(target))):
                if (source[row], target[column]) == (e, f):
                    together += 1
                    linked += both[direction][row, column]
        got = found.of(direction, np.array([i]), np.array([j]))
        assert [float(of[0, 0]) for of in got] == pytest.approx([linked, together], rel=1e-5)


@pytest.mark.parametrize("side", [0, 1])
def test_a_word_lacks_links_and_has_more_than_one(links, posteriors, side):
    word = ("gull", "mouette")[side]
    words = (("gull",), ("mouette",))
    known = (links.for_words(*words).source, links.for_words(*words).target)[side]
    tokens, expected = 0, np.zeros((2, 2))
    for pair, both in zip(TEXT, grids(posteriors), strict=True):
        for place, other in enumerate(pair[side]):
            if other == word:
                tokens += 1
                for direction, grid in enumerate(both):
                    mass = (grid if side == 0 else grid.T)[place].sum()
                    expected[:, direction] += max(0, 1 - mass), min(max(0, mass - 1), 1)
    assert known.tokens.tolist() == [tokens, 0]
    for name, sums in zip(("none", "more"), expected, strict=True):
        for direction in (FORWARD, REVERSE):
            shares = known.share(getattr(known, name), direction, np.array([0, 1]))
            assert shares == pytest.approx([sums[direction] / tokens, 0], rel=1e-5)


def test_adjacent_words_of_unlabelled_pairs_lean_on_all_others(links, posteriors):
    target = links.for_words((), ("la", "mouette", "blanche")).target
    joint: dict[tuple[str, str], list[float]] = {}
    monotone: dict[tuple[str, str], list[float]] = {}
    for (_, words), (forward, _) in list(zip(TEXT, grids(posteriors), strict=True))[LABELLED:]:
        for j, bigram in enumerate(zip(words, words[1:])):
            joint.setdefault(bigram, []).append((forward[:, j] * forward[:, j + 1]).sum())
            monotone.setdefault(bigram, []).append((forward[:-1, j] * forward[1:, j + 1]).sum())
    for values, got in zip((joint, monotone), target.bigrams.find(np.array([0, 1, 2]), 4), strict=True):
        usual = np.mean([value for of in values.values() for value in of])
        for bigram, place in ((("la", "mouette"), 0), (("mouette", "blanche"), 1)):
            of = values[bigram]
            assert got[place] == pytest.approx((sum(of) + 5 * usual) / (len(of) + 5), rel=1e-4)
    # Words that never stand side by side, or that nobody knows, are as any two.
    for numbers in ([1, 0], [3, 3], [0, 2]):
        assert target.bigrams.find(np.array(numbers), 4)[0] == pytest.approx([target.bigrams.joint[-1]])


def test_the_most_frequent_words_are_named(links):
    assert links.for_words((), ()).frequent[0] == ("gull", "the", "no", "sleeps")


def test_a_state_tells_the_same(links):
    again = TextLinks.from_state(links.state())
    one, other = (of.for_words(("gull", "the"), ("la",)) for of in (links, again))
    assert one.state() == other.state() == LinkStatistics.from_state(one.state()).state()


def test_without_neighbours_there_are_no_bigrams():
    pairs = number_pairs(lambda side: (pair[side] for pair in TEXT[3:]))
    ones = np.ones(len(Cells(*pairs.lengths)), np.uint8)
    found = count_text_links(pairs, [TextPosteriors(ones, ones)], 0).for_words(("no",), ("non",))
    assert found.source.bigrams.find(np.array([0, 0]), 2)[0].tolist() == [0.0]
    assert found.of(FORWARD, np.array([0]), np.array([0]))[0].tolist() == [[1.0]]


# ---- the columns


def test_statistics_leave_the_link_itself_out(evidence):
    """A pair that was counted is seen as one that was not, with the same words in the text but for it."""
    pair = evidence("the gull", "la mouette", {"m.ef": "0-0", "m.fe": "0-0"})
    linked, together = pair.link_statistics.of(FORWARD, pair.source_numbers, pair.target_numbers)
    elsewhere, meetings = pair.linked_elsewhere(FORWARD)
    own = np.array([[0.5, 0], [0, 0]])
    np.testing.assert_allclose(elsewhere, np.maximum(linked - own, 0))
    np.testing.assert_allclose(meetings, together - 1)
    object.__setattr__(pair, "counted", False)
    np.testing.assert_allclose(pair.linked_elsewhere(FORWARD)[0], linked)


def test_columns_of_two_words_by_hand(evidence):
    pair = evidence("gull", "mouette", {"m.ef": "0-0", "m.fe": ""})
    columns = {name: float(grid[0, 0]) for name, grid in groups.get("link-statistics")(pair).items()}
    linked, together = (float(of[0, 0]) for of in pair.linked_elsewhere(FORWARD))
    # Both words stand twice in one sentence, which makes four of six.
    assert together == 6 - 1
    e, f = 4, 4
    assert columns["forward rate"] == pytest.approx((linked - 0.1) / (together + 1))
    assert columns["forward log rate"] == pytest.approx(np.log((linked + 0.02) / (together + 1)))
    assert columns["forward share of source"] == pytest.approx(linked / (e + 1))
    assert columns["forward log share of target"] == pytest.approx(np.log(linked / (f + 1) + 1e-3))
    assert columns["forward dice"] == pytest.approx(2 * linked / (e + f))
    assert columns["forward log meetings"] == pytest.approx(np.log(1 + together))
    assert columns["forward never"] == 0
    none = [columns[f"forward none of {side}"] for side in ("source", "target")]
    assert columns["forward none of both"] == pytest.approx(sum(none))
    assert len(columns) == 54


def test_unknown_words_have_no_statistics(evidence):
    pair = evidence("Zeppelin", "dirigeable", {"m.ef": "0-0", "m.fe": "0-0"})
    columns = {name: float(grid[0, 0]) for name, grid in groups.get("link-statistics")(pair).items()}
    assert columns["reverse rate"] == columns["reverse dice"] == columns["reverse none of both"] == 0
    assert columns["reverse never"] == 1
    assert columns["reverse log rate"] == pytest.approx(np.log(0.02))


@pytest.mark.parametrize(("name", "columns"), [("posterior-context", 50), ("bigrams", 24)])
def test_as_many_columns_as_are_said(evidence, name, columns):
    assert len(groups.get(name)(evidence("the gull", "la mouette", {"m.ef": "", "m.fe": ""}))) == columns


def test_frequent_words_have_columns_of_their_own(evidence):
    pair = evidence("the gull", "la mouette", {"m.ef": "0-0", "m.fe": ""})
    columns = groups.get("identities")(pair)
    assert columns["source is gull"].tolist() == [[False, False], [True, True]]
    assert columns["target is la by mean"].tolist() == [[0.25, 0], [0, 0]]
    assert len(columns) == 2 * sum(map(len, pair.link_statistics.frequent))


def test_context_says_where_neighbours_expect_a_link(evidence):
    pair = evidence("gull sleeps", "mouette dort", {"m.ef": "0-0", "m.fe": "0-0"})
    columns = groups.get("posterior-context")(pair)
    # C is 0.25 for the first link: the one after it is where the row before says, as sure as that is.
    assert columns["agreement before"].tolist() == [[0, 0], [0, 0.25]]
    assert columns["agreement no jump from previous source"].tolist() == [[0, 0], [0, 0.25]]
    assert columns["agreement jump from previous source"].tolist() == [[0, 0], [0.25, 0]]
    assert columns["agreement sureness from previous target"].tolist() == [[0, 0.25], [0, 0.25]]
    assert columns["agreement rest of source"].tolist() == [[0, 0.25], [0, 0]]
