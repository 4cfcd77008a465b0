"""Feature names to columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from advsp.support.arrays import Ints

#: Entries of a matrix that are looked at a time, so that no copies of all of them are made.
_PART = 1 << 22


class FeatureIndex:
    """Numbers names 0, 1, ... as they are asked for, until it is frozen.

    Parameters
    ----------
    names: names that are known from the start, in column order, each once.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._columns = {name: column for column, name in enumerate(names)}
        self._frozen = False

    def freeze(self) -> None:
        """From now on names that are not known have no column."""
        self._frozen = True

    def columns(self, names: Iterable[str]) -> list[int]:
        """The columns of names, in their order; new names get the next ones, or none if it is frozen."""
        known = self._columns
        if not self._frozen:
            return [known.setdefault(name, len(known)) for name in names]
        return [column for column in map(known.get, names) if column is not None]

    def names(self) -> list[str]:
        """All names in column order; ``FeatureIndex(index.names())`` numbers them alike."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def by_appearance(names: Sequence[str], matrix: csr_matrix) -> tuple[FeatureIndex, csr_matrix]:
    """Features renumbered in place, by the row they appear in first, in one row by code points; frozen.

    Parameters
    ----------
    names: of the columns of the matrix, each with an entry somewhere.
    matrix: CSR [T, F].

    Returns
    -------
    The index, and the same matrix with its columns, ascending in every row.
    """
    rows = (np.searchsorted(matrix.indptr, _first(matrix.indices, len(names)), side="right") - 1).tolist()
    order = sorted(range(len(names)), key=lambda column: (rows[column], names[column]))
    place = np.empty(len(names), dtype=matrix.indices.dtype)
    place[order] = np.arange(len(names))
    for first in range(0, matrix.nnz, _PART):
        part = matrix.indices[first : first + _PART]
        part[:] = place[part]
    matrix.has_sorted_indices = False
    matrix.sort_indices()
    index = FeatureIndex(names[column] for column in order)
    index.freeze()
    return index, matrix


def _first(columns: Ints, count: int) -> Ints:
    """The first place int64 [count] of every column among so many."""
    places = np.empty(count, dtype=np.int64)
    for first in reversed(range(0, len(columns), _PART)):
        found, where = np.unique(columns[first : first + _PART], return_index=True)
        places[found] = first + where
    return places
