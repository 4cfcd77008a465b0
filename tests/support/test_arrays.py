"""Arrays in the form that kernels take: as they are where they have it, a copy where they have not."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.support.arrays import plain


def test_array_in_that_form_is_not_copied():
    array = np.arange(6.0).reshape(2, 3)
    assert plain(array) is array


@pytest.mark.parametrize(
    "array",
    [np.arange(6.0).reshape(2, 3).T, np.arange(6).reshape(3, 2), np.arange(6, dtype=np.float32)[::2]],
    ids=["transposed", "whole numbers", "every other one"],
)
def test_any_other_array_becomes_one_of_that_form(array):
    made = plain(array)
    assert made.dtype == np.float64 and made.flags.carray
    assert np.array_equal(made, array)


def test_array_that_must_not_be_written_is_copied():
    array = np.arange(3.0)
    array.flags.writeable = False
    assert plain(array).flags.writeable


def test_type_of_number_is_as_asked():
    assert plain(np.array([0, 1]), np.int8).dtype == np.int8
    assert plain(np.array([0, 1]), bool).tolist() == [False, True]
