"""What arrays are called by the type of their numbers, and the one form in which they go to kernels.

The names are for annotations; docstrings say what shape an array has.
"""

from __future__ import annotations

from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

#: float64: potentials, weights, probabilities, scores.
Floats = NDArray[np.float64]
#: float32: what is kept of probabilities on disk.
Singles = NDArray[np.float32]
#: int64: counts, numbers of words and positions, offsets.
Ints = NDArray[np.int64]
#: int32: numbers of which there are very many.
ShortInts = NDArray[np.int32]
#: int8: the labels of positions, of which there are few kinds.
Labels = NDArray[np.int8]
#: bool: masks and decisions.
Bools = NDArray[np.bool_]
#: Whole numbers of any width.
Integers = NDArray[np.integer[Any]]
#: Numbers of any kind, bool among them as 0 and 1.
Numbers = NDArray[np.number[Any] | np.bool_]
#: Whatever a file holds.
Array = NDArray[Any]


S = TypeVar("S", bound=np.generic)


@overload
def plain(array: Numbers) -> Floats: ...
@overload
def plain(array: Numbers, dtype: type[S]) -> NDArray[S]: ...
@overload
def plain(array: Numbers, dtype: DTypeLike) -> Numbers: ...
def plain(array: Numbers, dtype: DTypeLike = float) -> Array:
    """The array in the one form kernels are compiled for: contiguous, writable, of one type of number."""
    if array.dtype == dtype and array.flags.carray:
        return array
    return np.array(array, dtype, order="C")


def ranges(starts: Ints, lengths: Ints) -> Ints:
    """So many whole numbers from every start, one range after the other.

    Parameters
    ----------
    starts, lengths: int64 [k].

    Examples
    --------
    >>> ranges(np.array([7, 0, 3]), np.array([2, 0, 3])).tolist()
    [7, 8, 3, 4, 5]
    """
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))
