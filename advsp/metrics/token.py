"""Token-level counts: every token of a class is found or missed by itself, whatever entity it is part of."""

from __future__ import annotations

import numpy as np

from advsp.metrics import metrics
from advsp.metrics.counts import FScore
from advsp.metrics.segments import sum_segments
from advsp.support.arrays import Bools, Integers, Ints
from advsp.training.instances import ChainInstances, Instances


def token_counts(predicted: Bools, gold: Bools, offsets: Integers) -> Ints:
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
    predicted, gold = np.asarray(predicted), np.asarray(gold)
    if predicted.dtype != bool or gold.dtype != bool:
        raise ValueError(f"masks must be boolean, not {predicted.dtype} and {gold.dtype}")
    if predicted.ndim != 1 or predicted.shape != gold.shape:
        raise ValueError(f"masks must have one length, not the shapes {predicted.shape} and {gold.shape}")
    events = np.stack([predicted & gold, predicted & ~gold, ~predicted & gold], axis=1)
    return sum_segments(events, offsets)


@metrics.register("token_f1")
class TokenF1(FScore):
    """F1 over tokens."""

    def counts(self, decided: Bools, instances: Instances, label: str, begins: Bools | None = None) -> Ints:
        assert isinstance(instances, ChainInstances)
        return token_counts(decided, instances.is_of(label), instances.offsets)


@metrics.register("joint_token_f1")
class JointTokenF1(TokenF1):
    """F1 over tokens of one class each."""

    joint = True
