"""Calls at addresses are the calls by name, for the types that the address is for."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numba import TypingError, njit, typeof, types
from numba.core.runtime import _nrt_python, rtsys

from advsp.kernels.addresses import address, at_address, returned


class Held(NamedTuple):
    """What calls are made with."""

    rows: np.ndarray
    where: int


@njit
def spread(row, factor):
    """An array and a number, or an error."""
    if factor == 0.0:
        raise ValueError("no factor")
    return factor * row, row.sum()


def arguments(held):
    """Types of what ``spread`` is called with."""
    return types.float64[::1], types.float64


spread_at = at_address(spread, arguments, "where")


@njit
def all_spread(held, factor):
    """Every row, spread; and the sums."""
    total = 0.0
    found = np.empty_like(held.rows)
    for i in range(len(held.rows)):
        found[i], part = spread_at(held, held.rows[i], factor)
        total += part
    return found, total


@pytest.fixture
def held() -> Held:
    rows = np.arange(12.0).reshape(3, 4)
    return Held(rows, address(spread, arguments(None)))


@pytest.mark.long
def test_what_comes_back_is_what_a_call_by_name_gives(held):
    found, total = all_spread(held, 2.5)
    np.testing.assert_array_equal(found, 2.5 * held.rows)
    assert total == held.rows.sum()


def test_arrays_that_come_back_are_let_go(held):
    all_spread(held, 2.0)
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        for _ in range(5):
            all_spread(held, 2.0)
        after = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free > 0


def test_an_error_there_is_an_error_here(held):
    with pytest.raises(ValueError, match="no factor"):
        all_spread(held, 0.0)


@pytest.mark.parametrize(
    ("row", "factor"),
    [(np.zeros(4, dtype=np.float32), 1.0), (np.zeros((4, 4))[:, 0], 1.0), (np.zeros(4), 1)],
    ids=["numbers", "layout", "a scalar"],
)
def test_other_types_are_refused_at_compilation(held, row, factor):
    @njit
    def once(held, row, factor):
        return spread_at(held, row, factor)

    with pytest.raises(TypingError, match="spread at an address takes"):
        once(held, row, factor)


def test_the_type_of_what_is_returned_is_known_without_a_call():
    found = returned(spread, arguments(None))
    assert found == typeof((np.zeros(1), 0.0))


def test_an_address_is_found_once():
    assert address(spread, arguments(None)) == address(spread, arguments(None)) != 0
