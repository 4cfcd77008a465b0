"""Arrays that are zero nearly everywhere, kept as their entries: weights of features that never were used."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from advsp.support.arrays import Array, Bools, Floats
from advsp.support.errors import InputError
from advsp.support.files import read_arrays, write_arrays

#: Shorter arrays are kept as they are.
_SHORT = 1024
#: What stands behind the name of an array that is kept as its entries.
_PLACES, _VALUES, _SIZE = "#places", "#values", "#size"


def write_packed(path: str | Path, arrays: Mapping[str, Array]) -> None:
    """Write the arrays :func:`packed`, uncompressed, see :func:`~advsp.support.files.write_arrays`."""
    write_arrays(path, packed(arrays), compressed=False)


def read_packed(path: str | Path, what: str, hint: str) -> dict[str, Array]:
    """What :func:`write_packed` wrote, or ``write_arrays``; see :func:`~advsp.support.files.read_arrays`.

    Raises
    ------
    InputError: missing, damaged, or not plain arrays.
    """
    arrays = read_arrays(path, what, hint)
    try:
        return unpacked(arrays)
    except (KeyError, ValueError, IndexError, TypeError, MemoryError) as error:
        raise InputError(f"not {what}: {error}", file=path, hint=hint) from None


def packed(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The same arrays, those [k] of float64 as their entries alone where this takes less room.

    An entry is whatever is not +0.0 to the last bit, so that :func:`unpacked` gives back equal bits.
    """
    found: dict[str, Array] = {}
    for name, array in arrays.items():
        if array.ndim != 1 or array.dtype != np.float64 or len(array) < _SHORT:
            found[name] = array
            continue
        taken: Bools = np.ascontiguousarray(array).view(np.uint64) != 0
        index = np.int32 if len(array) <= np.iinfo(np.int32).max else np.int64
        entry = array.itemsize + np.dtype(index).itemsize
        if entry * np.count_nonzero(taken) >= array.nbytes:
            found[name] = array
            continue
        found[name + _PLACES] = np.flatnonzero(taken).astype(index)
        found[name + _VALUES] = array[taken]
        found[name + _SIZE] = np.array(len(array))
    return found


def unpacked(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays of which :func:`packed` made these.

    Raises
    ------
    KeyError, ValueError, IndexError, TypeError, MemoryError: parts that do not belong together.
    """
    found: dict[str, Array] = {}
    for name, array in arrays.items():
        if name.endswith(_SIZE):
            whole = name.removesuffix(_SIZE)
            dense: Floats = np.zeros(int(array))
            dense[arrays[whole + _PLACES]] = arrays[whole + _VALUES]
            found[whole] = dense
        elif not name.endswith((_PLACES, _VALUES)):
            found[name] = array
    return found
