"""Scores of counts, against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.metrics.counts import f_score, micro_average, precision, recall

counts = st.integers(0, 10**9)


def test_worked_example():
    # 3 of 4 predicted are right, 3 of 6 are found: P = 3/4, R = 1/2.
    assert precision(3, 1, 3) == pytest.approx(3 / 4)
    assert recall(3, 1, 3) == pytest.approx(1 / 2)
    assert f_score(3, 1, 3) == pytest.approx(3 / 5)
    assert f_score(3, 1, 3, beta=2) == pytest.approx(5 * 3 / (5 * 3 + 4 * 3 + 1))
    assert f_score(3, 1, 3, beta=0.5) == pytest.approx(1.25 * 3 / (1.25 * 3 + 0.25 * 3 + 1))


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 2.0])
def test_nothing_right_scores_zero_whatever_is_empty(beta):
    fp, fn = np.array([0, 0, 2, 2]), np.array([0, 3, 0, 3])
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(f_score(0, fp, fn, beta), np.zeros(4))
        np.testing.assert_array_equal(precision(0, fp, fn), np.zeros(4))
        np.testing.assert_array_equal(recall(0, fp, fn), np.zeros(4))


def test_shapes_broadcast_and_scalars_stay_scalars():
    assert f_score(np.ones((2, 1)), np.zeros(3), 1).shape == (2, 3)
    assert f_score(np.ones(0), np.zeros(0), np.zeros(0)).shape == (0,)
    assert np.ndim(f_score(1, 2, 3)) == 0


@pytest.mark.parametrize("beta", [-1.0, np.nan, np.inf])
def test_beta_out_of_range(beta):
    with pytest.raises(ValueError, match="beta"):
        f_score(1, 1, 1, beta)


@given(counts, counts, counts, st.floats(0.1, 10))
def test_f_is_the_weighted_harmonic_mean(tp, fp, fn, beta):
    p, r, f = precision(tp, fp, fn), recall(tp, fp, fn), f_score(tp, fp, fn, beta)
    assert 0 <= f <= 1
    if tp:
        assert f == pytest.approx((1 + beta**2) * p * r / (beta**2 * p + r))


@given(st.integers(1, 10**9), st.floats(0, 10))
def test_a_perfect_prediction_scores_exactly_one(tp, beta):
    assert f_score(tp, 0, 0, beta) == 1.0


def test_micro_average_adds_tables():
    tables = {"PER": np.array([[1, 0, 2], [0, 1, 0]]), "LOC": np.array([[0, 1, 1], [2, 0, 0]])}
    np.testing.assert_array_equal(micro_average(tables), [[1, 1, 3], [2, 1, 0]])
    # 3 right, 2 wrong, 3 missed.
    assert f_score(*micro_average(tables).sum(axis=0)) == pytest.approx(6 / 11)
    with pytest.raises(ValueError):
        micro_average({})
