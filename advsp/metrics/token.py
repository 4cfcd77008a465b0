"""Token-level counts: every token of a class is found or missed by itself, whatever entity it is part of."""

from __future__ import annotations

import numpy as np


def token_counts(predicted: np.ndarray, gold: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Counts of one class per sentence.

    Parameters
    ----------
    predicted: bool [T], whether each token is predicted to be of the class.
    gold: bool [T], whether it is.
    offsets: int [S + 1]; sentence ``s`` owns the tokens ``offsets[s]:offsets[s + 1]``, perhaps none.

    Returns
    -------
    int64 [S, 3], columns tp, fp, fn (see :mod:`advsp.metrics.counts`).

    Raises
    ------
    ValueError: a mask is not boolean, the masks differ in length, or the offsets do not rise from 0 to T.
    """
    predicted, gold, offsets = np.asarray(predicted), np.asarray(gold), np.asarray(offsets)
    if predicted.dtype != bool or gold.dtype != bool:
        raise ValueError(f"masks must be boolean, not {predicted.dtype} and {gold.dtype}")
    if predicted.ndim != 1 or predicted.shape != gold.shape:
        raise ValueError(f"masks must have one length, not the shapes {predicted.shape} and {gold.shape}")
    if (
        offsets.ndim != 1
        or len(offsets) == 0
        or offsets[0] != 0
        or offsets[-1] != len(gold)
        or np.any(np.diff(offsets) < 0)
    ):
        raise ValueError(f"offsets must rise from 0 to {len(gold)}")

    events = np.stack([predicted & gold, predicted & ~gold, ~predicted & gold], axis=1)
    # Differences of running totals, because np.add.reduceat returns a token where a sentence is empty.
    totals = np.zeros((len(gold) + 1, 3), dtype=np.int64)
    np.cumsum(events, axis=0, out=totals[1:])
    return np.diff(totals[offsets], axis=0)
