"""Matrices over the possible links of a pair: a row for a source word, a column for a target word."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from advsp.corpora.bitext import Link
from advsp.support.arrays import Bools


def link_grid(links: Collection[Link], shape: tuple[int, int]) -> Bools:
    """Links as bool [n, m].

    Raises
    ------
    ValueError: a link outside the grid.
    """
    grid = np.zeros(shape, dtype=bool)
    if links:
        rows, columns = np.array(list(links)).T
        if min(rows.min(), columns.min()) < 0 or rows.max() >= shape[0] or columns.max() >= shape[1]:
            raise ValueError(f"links outside a sentence pair of {shape[0]} and {shape[1]} words")
        grid[rows, columns] = True
    return grid
