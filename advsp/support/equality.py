"""Equality of objects that hold arrays, defined once.

``dataclass`` compares such objects field by field with ``==``, which makes one array of two, and an array is
neither true nor false.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np
from scipy.sparse import issparse, sparray, spmatrix

T = TypeVar("T")

_ARRAYS = (np.ndarray, sparray, spmatrix)


def equal_by_value(cls: type[T]) -> type[T]:
    """Class decorator of a dataclass that holds arrays: equal are objects of one class whose fields agree.

    Arrays, dense or sparse, agree if they have the same shape and the same entries, whatever type their
    numbers have; a nan agrees with a nan in a dense one.  Like arrays, the objects have no hash.
    """

    def __eq__(self: T, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(
            agree(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)  # type: ignore[arg-type]
            if field.compare
        )

    cls.__eq__ = __eq__  # type: ignore[method-assign,assignment]
    cls.__hash__ = None  # type: ignore[method-assign,assignment]
    return cls


def agree(one: Any, other: Any) -> bool:
    """Whether two values are equal; arrays by shape and entries, also within mappings, tuples and lists."""
    if one is other:
        return True
    if issparse(one) and issparse(other):
        return bool(one.shape == other.shape and (one != other).nnz == 0)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind in "fc" and other.dtype.kind in "fc")
    if isinstance(one, _ARRAYS) or isinstance(other, _ARRAYS):
        return False
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(agree(value, other[key]) for key, value in one.items())
    if isinstance(one, (tuple, list)) and type(one) is type(other):
        return len(one) == len(other) and all(map(agree, one, other))
    return bool(one == other)
