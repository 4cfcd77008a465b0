"""Feature names to columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from scipy.sparse import csr_matrix


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
    """Features renumbered by the row in which they appear first, in one row by code points; frozen.

    Parameters
    ----------
    names: of the columns of the matrix, each with an entry somewhere.
    matrix: CSR [T, F].

    Returns
    -------
    The index, and the matrix with its columns, ascending in every row.
    """
    _, entries = np.unique(matrix.indices, return_index=True)
    rows = (np.searchsorted(matrix.indptr, entries, side="right") - 1).tolist()
    order = sorted(range(len(names)), key=lambda column: (rows[column], names[column]))
    place = np.empty(len(names), dtype=matrix.indices.dtype)
    place[order] = np.arange(len(names))
    renumbered = csr_matrix((matrix.data, place[matrix.indices], matrix.indptr), shape=matrix.shape)
    renumbered.sort_indices()
    index = FeatureIndex(names[column] for column in order)
    index.freeze()
    return index, renumbered
