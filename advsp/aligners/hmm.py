"""Posteriors of two models of how the words of one sentence come from those of another.

Both models say a sentence word by word, and each word from one *position* of the sentence that is given, or
from none.  In Model 1 (Brown et al. 1993) the positions are independent.  In the HMM (Vogel, Ney and
Tillmann 1996) a position depends on the last one; a word from none remembers it for the next (Och and Ney
2003).  Arrays are those of B pairs of sentences with I given and J said words, the pair last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.support.arrays import Floats


def model1(emission: Floats, null: Floats, none: float) -> Floats:
    """Posteriors under Model 1.

    Parameters
    ----------
    emission: float64 [I, J, B], probability of the said word from the given one.
    null: float64 [J, B], probability of the said word from none.
    none: prior probability that a word comes from none.

    Returns
    -------
    float64 [I, J, B], probability that the said word comes from the position; what is missing to 1 in the
    sum over positions, that it comes from none.
    """
    posterior = emission * ((1 - none) / len(emission))
    posterior /= posterior.sum(axis=0) + none * null
    return posterior


class Expected(NamedTuple):
    """What :func:`hmm` expects.

    Attributes
    ----------
    posterior: as :func:`model1` gives it.
    moves: float64 [I, I], how often the position moves, from row to column, over all pairs.
    start: float64 [I], how often the first word comes from the position.
    """

    posterior: Floats
    moves: Floats
    start: Floats


def hmm(emission: Floats, null: Floats, none: float, transition: Floats, start: Floats) -> Expected:
    """Posteriors and expected moves under the HMM, forwards and backwards.

    Parameters
    ----------
    emission, null, none: as for :func:`model1`.
    transition: float64 [I, I], probability of a position, the column, after another one, the row.
    start: float64 [I], probability of the first position, which a first word from none remembers.
    """
    positions, length, pairs = emission.shape
    # To arrive at a position is to be sent there, and not yet to have said the word.
    arrived = np.empty((length, positions, pairs))
    # Said words, from a position or from none that remembers it; scaled to sum to 1.
    reached = np.empty((length, positions, pairs))
    scale = np.empty((length, pairs))
    forwards = (1 - none) * transition.T
    before = np.broadcast_to(start[:, None], (positions, pairs))
    arrived[0] = (1 - none) * before
    said = np.empty((positions, pairs))
    for step in range(length):
        if step:
            np.matmul(forwards, before, out=arrived[step])
        np.multiply(before, none * null[step], out=reached[step])
        np.multiply(arrived[step], emission[:, step], out=said)
        reached[step] += said
        scale[step] = 1 / reached[step].sum(axis=0)
        reached[step] *= scale[step]
        before = reached[step]
    posterior = np.empty_like(emission)
    moves = np.zeros((positions, positions))
    backwards = (1 - none) * transition
    after = np.ones((positions, pairs))
    for step in range(length - 1, -1, -1):
        after *= scale[step]
        np.multiply(after, emission[:, step], out=said)
        np.multiply(arrived[step], said, out=posterior[:, step])
        if step:
            moves += reached[step - 1] @ said.T
            after *= none * null[step]
            after += backwards @ said
    moves *= backwards
    return Expected(posterior, moves, posterior[:, 0].sum(axis=1))
