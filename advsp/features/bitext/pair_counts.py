"""Numbers of pairs of words, looked up for all words of a sentence pair at once."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from advsp.support.arrays import Array, Ints


class PairCounts:
    """The entries of a sparse matrix by row and column; ten times as fast as cutting rows and columns out.

    Parameters
    ----------
    counts: CSR [V, W].
    """

    def __init__(self, counts: csr_matrix) -> None:
        entries = counts.tocoo()
        keys = entries.row.astype(np.int64) * counts.shape[1] + entries.col
        order = np.argsort(keys, kind="stable")
        self._keys, self._width = keys[order], counts.shape[1]
        # A number behind the last one for pairs without an entry.
        self._values: Array = np.append(entries.data[order], entries.data.dtype.type(0))

    def of(self, rows: Ints, columns: Ints) -> Array:
        """The numbers of all pairs of words, [n, m]; int [n] and int [m], numbers of words."""
        wanted = rows[:, None] * self._width + columns
        places = np.searchsorted(self._keys, wanted)
        known = places < len(self._keys)
        known[known] = self._keys[places[known]] == wanted[known]
        return self._values[np.where(known, places, len(self._keys))]
