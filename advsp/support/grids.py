"""Neighbours and rivals in a grid of numbers: a row for a source word, a column for a target word."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from advsp.support.arrays import Bools

S = TypeVar("S", bound=np.generic)
N = TypeVar("N", np.float64, np.int64)

#: The axis along which a link competes with the other links of its source word, and of its target word.
OF_SOURCE, OF_TARGET = 1, 0


def neighbour(grid: NDArray[S], rows: int, columns: int) -> NDArray[S]:
    """What stands ``rows`` below and ``columns`` to the right of every cell; 0 outside the grid.

    >>> neighbour(np.array([[1, 2], [3, 4]]), 1, 1).tolist()
    [[4, 0], [0, 0]]
    """
    moved = np.zeros_like(grid)
    (to_row, from_row), (to_column, from_column) = _overlap(rows), _overlap(columns)
    moved[to_row, to_column] = grid[from_row, from_column]
    return moved


def _overlap(step: int) -> tuple[slice, slice]:
    """Which cells have one ``step`` farther, and which these are."""
    if step >= 0:
        return slice(None, -step or None), slice(step, None)
    return slice(-step, None), slice(None, step)


def lead(grid: NDArray[N], axis: int) -> NDArray[N]:
    """Every cell minus the greatest other one along ``axis``; a cell without others stays as it is.

    >>> lead(np.array([[5, 3, 1]]), OF_SOURCE).tolist()
    [[2, -2, -4]]
    """
    if grid.shape[axis] == 1:
        return grid
    ordered = np.sort(grid, axis=axis)
    second, first = np.split(ordered.take([-2, -1], axis=axis), 2, axis=axis)
    return grid - np.where(grid == first, second, first)


def is_best(grid: NDArray[N], axis: int) -> Bools:
    """Whether a cell is above 0 and none along ``axis`` is above it, bool [n, m]."""
    best: Bools = (grid > 0) & (grid == grid.max(axis=axis, keepdims=True))
    return best
