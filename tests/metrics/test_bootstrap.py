"""Bootstrap intervals and paired tests, against enumeration, and their coverage."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from advsp.metrics import bootstrap
from advsp.metrics.bootstrap import Interval, interval, paired_test
from advsp.metrics.counts import f_score


def f1(sums: np.ndarray) -> np.ndarray:
    return f_score(*sums.T)


def mean_of_first(sums: np.ndarray) -> np.ndarray:
    """Mean of column 0, where column 1 counts the units."""
    return sums[:, 0] / sums[:, 1]


SMALL_A = np.array([[3, 1, 0], [1, 2, 2], [0, 1, 4], [5, 0, 1]])
SMALL_B = np.array([[2, 2, 1], [1, 0, 2], [1, 1, 3], [3, 1, 3]])

tables = hnp.arrays(np.int64, st.tuples(st.integers(1, 30), st.just(3)), elements=st.integers(0, 9))


def every_resample(counts: np.ndarray) -> np.ndarray:
    """Sums of all S^S equally likely resamples."""
    units = range(len(counts))
    return np.array([counts[list(drawn)].sum(axis=0) for drawn in product(units, repeat=len(counts))])


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("size", [3, 4])
def test_percentiles_equal_those_of_all_resamples(size, level):
    counts, samples = SMALL_A[:size], 40_000
    exact = np.sort(f1(every_resample(counts)))
    found = interval(counts, f1, samples=samples, seed=1, level=level)
    # No quantile strays further, but for one seed in a million (Dvoretzky, Kiefer and Wolfowitz).
    slack = np.sqrt(np.log(2 / 1e-6) / (2 * samples))
    for end, share in ((found.low, (1 - level) / 2), (found.high, (1 + level) / 2)):
        least, most = np.quantile(exact, np.clip([share - slack, share + slack], 0, 1), method="nearest")
        assert least <= end <= most


def test_p_value_equals_that_of_all_resamples():
    samples = 40_000
    difference = (f1(SMALL_A.sum(axis=0)[None]) - f1(SMALL_B.sum(axis=0)[None]))[0]
    resampled = f1(every_resample(SMALL_A)) - f1(every_resample(SMALL_B))
    exact = np.mean(np.abs(resampled - difference) >= abs(difference))
    found = paired_test(SMALL_A, SMALL_B, f1, samples=samples, seed=2)
    assert found.difference == pytest.approx(difference)
    assert 0.05 < exact < 0.95
    assert found.p_value == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / samples))


def test_p_value_by_hand():
    # Three units, a always right, b never: every resample shows the difference 1, none strays from it.
    right, wrong = np.array([[1, 0, 0]] * 3), np.array([[0, 0, 1]] * 3)
    assert paired_test(right, wrong, f1, samples=99, seed=0) == (1.0, 1.0, 1.0, 1 / 100)
    # One unit decides, d = 1/2; the two units are drawn as {1, 1}, {1, 2}, {2, 2}: d* = 1, 1/2, 0 with
    # probability 1/4, 1/2, 1/4, and the outer ones tie with d.
    a, b = np.array([[1, 1], [0, 1]]), np.array([[0, 1], [0, 1]])
    assert paired_test(a, b, mean_of_first, samples=20_000, seed=0).p_value == pytest.approx(0.5, abs=0.02)


def test_ties_survive_rounding():
    # As above with d = 0.05, but in floating point 0.7 - 0.6 - 0.05 is a little less than 0.05.
    a, b = np.array([[7, 10], [6, 10]]), np.array([[6, 10], [6, 10]])
    found = paired_test(a, b, mean_of_first, samples=20_000, seed=0)
    assert found.p_value == pytest.approx(0.5, abs=0.02)


@settings(max_examples=40, deadline=None)
@given(tables, st.integers(0, 2**32))
def test_interval_contains_the_score(counts, seed):
    value, low, high = interval(counts, f1, samples=300, seed=seed)
    assert 0 <= low <= value <= high <= 1


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_exchanging_the_systems_changes_signs_only(data):
    a = data.draw(tables)
    b = data.draw(hnp.arrays(np.int64, a.shape, elements=st.integers(0, 9)))
    forth = paired_test(a, b, f1, samples=200, seed=3)
    back = paired_test(b, a, f1, samples=200, seed=3)
    assert back.difference == -forth.difference
    assert back.p_value == forth.p_value
    assert (back.low, back.high) == pytest.approx((-forth.high, -forth.low), abs=1e-12)


@given(tables)
@settings(max_examples=20, deadline=None)
def test_a_system_does_not_differ_from_itself(counts):
    assert paired_test(counts, counts.copy(), f1, samples=50, seed=4) == (0.0, 0.0, 0.0, 1.0)


@pytest.mark.parametrize("weights_at_once", [1, 40, 7 * 40, 10**9])
def test_memory_does_not_change_the_result(monkeypatch, weights_at_once):
    counts = np.random.default_rng(5).integers(0, 9, (12, 40, 3))

    def results():
        return (
            interval(counts, f1, samples=100, seed=6),
            paired_test(counts[:9], counts[9:], f1, samples=100, seed=6),
        )

    whole = results()
    monkeypatch.setattr(bootstrap, "_WEIGHTS_AT_ONCE", weights_at_once)
    assert results() == whole


def test_the_seed_decides():
    counts = np.random.default_rng(7).integers(0, 9, (50, 3))
    first, again, other = (interval(counts, f1, samples=200, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first.value == other.value and first != other


def test_a_single_sentence_has_no_spread():
    assert interval(np.array([[1, 1, 1]]), f1, samples=10, seed=0) == Interval(0.5, 0.5, 0.5)


def test_nothing_to_find_is_defined():
    empty = np.zeros((5, 3), dtype=np.int64)
    assert interval(empty, f1, samples=10, seed=0) == (0.0, 0.0, 0.0)
    assert paired_test(empty, empty, f1, samples=10, seed=0) == (0.0, 0.0, 0.0, 1.0)


def test_runs_are_averaged_on_the_same_resamples():
    runs = np.random.default_rng(8).integers(0, 9, (3, 30, 3))
    single = interval(runs[0], f1, samples=200, seed=9)
    assert interval([runs[0]] * 3, f1, samples=200, seed=9) == pytest.approx(single)
    assert interval(list(runs), f1, samples=200, seed=9) == interval(runs, f1, samples=200, seed=9)
    assert interval(runs, f1, samples=200, seed=9).value == pytest.approx(f1(runs.sum(axis=1)).mean())
    # A run that is right exactly where the other is wrong: on the same resample the mean cannot move.
    hits = np.random.default_rng(9).integers(0, 2, 30)
    mirrored = [np.stack([column, np.ones_like(hits)], axis=1) for column in (hits, 1 - hits)]
    assert interval(mirrored, mean_of_first, samples=200, seed=9) == pytest.approx((0.5, 0.5, 0.5))


def test_systems_may_have_different_numbers_of_runs():
    runs = np.random.default_rng(10).integers(0, 9, (3, 30, 3))
    found = paired_test(runs, runs[0], f1, samples=200, seed=11)
    assert found.difference == pytest.approx(f1(runs.sum(axis=1)).mean() - f1(runs[0].sum(axis=0)[None])[0])


def test_coverage_of_the_interval():
    """Of 300 corpora of 120 sentences the 90 % interval of the mean should hold the truth about 270 times."""
    generator, truth, corpora = np.random.default_rng(12), 0.3, 300
    covered = 0
    for seed in range(corpora):
        hits = generator.random(120) < truth
        counts = np.stack([hits, np.ones_like(hits)], axis=1).astype(np.int64)
        found = interval(counts, mean_of_first, samples=300, seed=seed, level=0.9)
        covered += found.low <= truth <= found.high
    assert 0.85 <= covered / corpora <= 0.95


def test_size_of_the_paired_test():
    """Systems of equal quality should be told apart at 10 % in about a tenth of the corpora."""
    generator, corpora = np.random.default_rng(13), 300
    rejected = 0
    for seed in range(corpora):
        a, b = (
            np.stack([generator.random(120) < 0.3, np.ones(120)], axis=1).astype(np.int64) for _ in range(2)
        )
        rejected += paired_test(a, b, mean_of_first, samples=300, seed=seed).p_value <= 0.1
    assert 0.05 <= rejected / corpora <= 0.15


@pytest.mark.parametrize(
    "counts, problem",
    [
        (np.zeros((0, 3), dtype=int), "S > 0"),
        (np.zeros(3, dtype=int), "S, q"),
        (np.zeros((2, 3)), "whole numbers"),
        ([], "at least one"),
        ([np.zeros((2, 3), dtype=int), np.zeros((3, 3), dtype=int)], "same shape"),
    ],
)
def test_counts_must_be_tables_of_whole_numbers(counts, problem):
    with pytest.raises(ValueError, match=problem):
        interval(counts, f1, seed=0)


def test_a_pair_must_share_its_sentences():
    with pytest.raises(ValueError, match="one shape"):
        paired_test(SMALL_A, SMALL_B[:3], f1, seed=0)


@pytest.mark.parametrize("options", [{"samples": 0}, {"level": 0.0}, {"level": 1.0}, {"level": 95}])
def test_options_out_of_range(options):
    with pytest.raises(ValueError, match="samples|level"):
        interval(SMALL_A, f1, seed=0, **options)


def test_the_statistic_must_fit():
    with pytest.raises(ValueError, match="turn"):
        interval(SMALL_A, lambda sums: sums, seed=0)
    with pytest.raises(ValueError, match="finite"):
        interval(SMALL_A, lambda sums: np.full(len(sums), np.nan), seed=0)
