"""The one form in which arrays go to kernels."""

from __future__ import annotations

import numpy as np


def plain(array: np.ndarray, dtype: type = float) -> np.ndarray:
    """The array in the one form kernels are compiled for: contiguous, writable, of one type of number."""
    if array.dtype == dtype and array.flags.carray:
        return array
    return np.require(array, dtype, ["C", "W"])
