"""Growth exponents and intervals, against numbers worked out otherwise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.statistics import growth, share_interval


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0, 3.25])
def test_a_power_law_gives_its_exponent(exponent):
    sizes = [10, 20, 40, 80]
    found = growth(sizes, [3e-4 * size**exponent for size in sizes])
    assert found.exponent == pytest.approx(exponent)
    assert found.low == pytest.approx(exponent) == found.high
    assert (found.first, found.last, found.points) == (10, 80, 4)


def test_interval_is_that_of_a_regression():
    sizes, times = [5, 10, 20, 40, 80], [1.0, 2.3, 3.9, 8.5, 15.0]
    found = growth(sizes, times)
    (slope, _), covariance = np.polyfit(np.log(sizes), np.log(times), 1, cov=True)
    assert found.exponent == pytest.approx(slope)
    # Student's t with three degrees of freedom, two-sided 95 %.
    assert found.high - found.exponent == pytest.approx(3.182446 * math.sqrt(covariance[0, 0]), rel=1e-5)
    assert found.exponent - found.low == pytest.approx(found.high - found.exponent)


def test_two_sizes_have_an_exponent_and_no_interval():
    found = growth([10, 100], [1.0, 100.0])
    assert found.exponent == pytest.approx(2.0)
    assert (found.low, found.high) == (-math.inf, math.inf)


@pytest.mark.parametrize("sizes", [[], [10], [10, 10]])
def test_one_size_has_no_exponent(sizes):
    assert growth(sizes, [1.0] * len(sizes)) is None


@pytest.mark.parametrize(
    ("sizes", "times"), [([1, 2], [1.0]), ([0, 2], [1.0, 1.0]), ([1, 2], [1.0, math.nan])]
)
def test_what_has_no_logarithm_is_refused(sizes, times):
    with pytest.raises(ValueError, match="sizes"):
        growth(sizes, times)


def test_interval_of_a_share_is_wilsons():
    hits, trials, z = 1104, 1200, 2.5758293035489
    p = hits / trials
    centre = (p + z * z / (2 * trials)) / (1 + z * z / trials)
    margin = z / (1 + z * z / trials) * math.sqrt(p * (1 - p) / trials + z * z / (4 * trials * trials))
    assert share_interval(hits, trials) == pytest.approx((centre - margin, centre + margin))


def test_interval_of_all_or_none_stays_within_bounds():
    low, high = share_interval(20, 20)
    assert 0.7 < low < 1.0 == high
    assert share_interval(0, 20) == pytest.approx((0.0, 1.0 - low))


@pytest.mark.parametrize(("hits", "trials"), [(0, 0), (3, 2), (-1, 2), (0, -1)])
def test_share_of_no_trials_or_of_more_than_there_were_is_refused(hits, trials):
    with pytest.raises(ValueError, match=f"{hits} hits in {trials} trials"):
        share_interval(hits, trials)
