"""Sums over the tokens, or over the edges, of every sentence of a corpus laid out end to end."""

from __future__ import annotations

import numpy as np

from advsp.support.arrays import Bools, Integers, Ints


def sum_segments(events: Bools | Integers, offsets: Integers) -> Ints:
    """Sums of whole numbers per sentence.

    Parameters
    ----------
    events: bool or int [T, q].
    offsets: int [S + 1]; sentence ``s`` owns the rows ``offsets[s]:offsets[s + 1]``, perhaps none.

    Returns
    -------
    int64 [S, q].

    Raises
    ------
    ValueError: the offsets do not rise from 0 to T.
    """
    offsets = np.asarray(offsets)
    length, columns = events.shape
    if (
        offsets.ndim != 1
        or len(offsets) == 0
        or offsets[0] != 0
        or offsets[-1] != length
        or np.any(np.diff(offsets) < 0)
    ):
        raise ValueError(f"offsets must rise from 0 to {length}")
    # Differences of running totals, because np.add.reduceat returns a row where a sentence is empty.
    totals = np.zeros((length + 1, columns), dtype=np.int64)
    np.cumsum(events, axis=0, out=totals[1:])
    return np.diff(totals[offsets], axis=0)
