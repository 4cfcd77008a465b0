"""Counts and scores of word alignment, against sets of links and against nltk."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.metrics.alignment import (
    alignment_counts,
    alignment_error_rate,
    alignment_precision,
    alignment_recall,
)
from advsp.metrics.bootstrap import interval, paired_test

#: Pairs of sentences, each a list of edges: whether a link is predicted, and the gold label.
corpora = st.lists(st.lists(st.tuples(st.booleans(), st.sampled_from([0, 1, 2])), max_size=7), max_size=6)


def arrays(corpus) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Links, labels and offsets of such pairs."""
    edges = [edge for pair in corpus for edge in pair]
    links = np.array([link for link, _ in edges], dtype=bool)
    labels = np.array([label for _, label in edges], dtype=np.int8)
    return links, labels, np.cumsum([0, *map(len, corpus)])


def sets(pair) -> tuple[set[int], set[int], set[int]]:
    """A, S and P of one pair."""
    return (
        {edge for edge, (link, _) in enumerate(pair) if link},
        {edge for edge, (_, label) in enumerate(pair) if label == 2},
        {edge for edge, (_, label) in enumerate(pair) if label},
    )


# ---- counts


def test_worked_example_with_empty_pairs():
    links = np.array([1, 1, 1, 0, 0, 1], dtype=bool)
    labels = np.array([2, 1, 0, 2, 1, 2], dtype=np.int8)
    table = alignment_counts(links, labels, np.array([0, 0, 5, 5, 6]))
    np.testing.assert_array_equal(table, [[0, 0, 0, 0], [1, 2, 3, 2], [0, 0, 0, 0], [1, 1, 1, 1]])
    assert table.dtype == np.int64


@given(corpora)
def test_counts_are_those_of_the_sets(corpus):
    table = alignment_counts(*arrays(corpus))
    expected = [[len(a & s), len(a & p), len(a), len(s)] for a, s, p in map(sets, corpus)]
    np.testing.assert_array_equal(table, np.reshape(expected, (-1, 4)))


@pytest.mark.parametrize("offsets", [[], [1, 3], [0, 2], [0, 4], [0, 2, 1, 3], [[0, 3]]])
def test_offsets_must_cover_the_edges_once(offsets):
    links, labels = np.zeros(3, dtype=bool), np.zeros(3, dtype=np.int8)
    with pytest.raises(ValueError, match="offsets must rise from 0 to 3"):
        alignment_counts(links, labels, np.array(offsets, dtype=np.int64))


def test_links_must_be_boolean_labels_labels_and_both_of_one_length():
    links, labels, offsets = np.zeros(3, dtype=bool), np.zeros(3, dtype=np.int8), np.array([0, 3])
    with pytest.raises(ValueError, match="links must be boolean, not int8"):
        alignment_counts(links.astype(np.int8), labels, offsets)
    for wrong in (labels + 3, labels - 1, labels.astype(float), links):
        with pytest.raises(ValueError, match="labels must be the whole numbers 0, 1 and 2"):
            alignment_counts(links, wrong, offsets)
    for first, second in ((links[:2], labels), (links[None], labels[None])):
        with pytest.raises(ValueError, match="one length"):
            alignment_counts(first, second, offsets)


# ---- scores


def test_worked_scores():
    # 4 of 6 predicted links are possible, 3 of 5 sure ones are predicted.
    counts = 3, 4, 6, 5
    assert alignment_error_rate(*counts) == pytest.approx(1 - 7 / 11)
    assert alignment_precision(*counts) == pytest.approx(4 / 6)
    assert alignment_recall(*counts) == pytest.approx(3 / 5)


@pytest.mark.parametrize(
    ("counts", "scores"),
    [
        pytest.param((0, 0, 0, 0), (0, 1, 1), id="nothing predicted, nothing sure"),
        pytest.param((0, 0, 0, 3), (1, 1, 0), id="nothing predicted"),
        pytest.param((0, 3, 3, 0), (0, 1, 1), id="nothing sure, only possible links predicted"),
        pytest.param((0, 0, 3, 0), (1, 0, 1), id="nothing sure, only wrong links predicted"),
        pytest.param((3, 3, 3, 3), (0, 1, 1), id="all right"),
        pytest.param((3, 5, 5, 3), (0, 1, 1), id="all sure links and some possible ones"),
        pytest.param((0, 0, 3, 3), (1, 0, 0), id="all wrong"),
    ],
)
def test_scores_at_the_ends_are_exact(counts, scores):
    with np.errstate(all="raise"):
        found = alignment_error_rate(*counts), alignment_precision(*counts), alignment_recall(*counts)
    assert found == scores


def test_shapes_broadcast_and_scalars_stay_scalars():
    for score in (alignment_error_rate, alignment_precision, alignment_recall):
        assert score(np.ones((2, 1), dtype=int), 1, np.ones(3, dtype=int), 1).shape == (2, 3)
        assert score([0, 1], [1, 1], [1, 2], [1, 1]).shape == (2,)
        assert score(*np.zeros((4, 0), dtype=int)).shape == (0,)
        assert isinstance(score(1, 1, 1, 1), float)


@given(corpora)
def test_error_rate_is_one_minus_the_mean_of_precision_and_recall(corpus):
    counts = alignment_counts(*arrays(corpus)).sum(axis=0)
    _, _, predicted, sure = counts
    error, precision, recall = (
        score(*counts) for score in (alignment_error_rate, alignment_precision, alignment_recall)
    )
    assert 0 <= error <= 1 and 0 <= precision <= 1 and 0 <= recall <= 1
    assert (1 - error) * (predicted + sure) == pytest.approx(precision * predicted + recall * sure)


@given(corpora)
def test_error_rate_of_a_pair_is_what_the_game_of_the_pair_is_played_for(corpus):
    links, labels, offsets = arrays([[edge for pair in corpus for edge in pair]])
    score = AlignmentAccuracy().on_links().scores(links[None].astype(np.int8), labels[None])[0, 0]
    assert alignment_error_rate(*alignment_counts(links, labels, offsets)[0]) == pytest.approx(1 - score)


@pytest.fixture(scope="module")
def nltk_error_rate():
    return pytest.importorskip("nltk.translate.metrics").alignment_error_rate


@given(corpus=corpora)
def test_error_rate_equals_that_of_nltk(nltk_error_rate, corpus):
    error = alignment_error_rate(*alignment_counts(*arrays(corpus)).T)
    for found, (a, s, p) in zip(error, map(sets, corpus), strict=True):
        if a or s:
            assert found == nltk_error_rate(s, a, p)


# ---- as a statistic of the bootstrap


def table_of(seed: int, quality: float) -> np.ndarray:
    """Counts of 40 pairs of 25 edges, of an aligner that says what is sure with some probability."""
    generator = np.random.default_rng(seed)
    labels = np.random.default_rng(0).choice([0, 1, 2], p=[0.7, 0.2, 0.1], size=1000)
    guess = generator.random(1000) < 0.15
    links = np.where(generator.random(1000) < quality, labels == 2, guess)
    return alignment_counts(links, labels, np.arange(0, 1001, 25))


def error_rates(sums: np.ndarray) -> np.ndarray:
    return alignment_error_rate(*sums.T)


def test_interval_is_around_the_score_of_the_corpus():
    table = table_of(seed=1, quality=0.8)
    found = interval(table, error_rates, samples=200, seed=1)
    assert found.value == alignment_error_rate(*table.sum(axis=0))
    assert 0 < found.low < found.value < found.high < 1


def test_better_aligner_is_told_from_a_worse_one_and_not_from_itself():
    good, poor = table_of(seed=1, quality=0.9), table_of(seed=2, quality=0.2)
    found = paired_test(good, poor, error_rates, samples=200, seed=1)
    assert found.difference < 0 and found.high < 0 and found.p_value < 0.01
    assert paired_test(good, good, error_rates, samples=200, seed=1).p_value == 1


def test_resamples_without_any_link_have_a_score():
    # Three pairs of which one has links: some resamples do without it.
    table = np.array([[0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 2, 1]])
    for score in (alignment_error_rate, alignment_precision, alignment_recall):
        found = interval(table, lambda sums, score=score: score(*sums.T), samples=100, seed=1)
        assert np.isfinite(found).all()
