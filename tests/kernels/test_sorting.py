"""The sort of the kernels is stable from any order to begin with."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from advsp.kernels import sorting


@numba.njit
def ascending(values, order):
    sorting.ascending(values, order)


@pytest.mark.parametrize("n", [0, 1, 2, 15, 16, 17, 31, 32, 33, 100, 1000])
@pytest.mark.parametrize("values", [1, 3, 10**6])
def test_order_is_that_of_a_stable_sort(n, values):
    rng = np.random.default_rng(n)
    numbers = rng.integers(0, values, size=n).astype(float)
    expected = np.argsort(numbers, kind="stable")
    for order in (np.arange(n), np.arange(n)[::-1].copy(), rng.permutation(n), expected.copy()):
        ascending(numbers, order)
        assert order.tolist() == expected.tolist()


def test_infinities_stand_at_the_ends():
    numbers = np.array([np.inf, 0.0, -np.inf, np.inf, 1.0] * 10)
    order = np.arange(50)
    ascending(numbers, order)
    assert order.tolist() == np.argsort(numbers, kind="stable").tolist()
