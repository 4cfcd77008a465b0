"""Posteriors of Model 1 and of an HMM in which some words keep the position longer than others.

As in :mod:`.hmm`, but for three things.  What a word is said with is a ratio to its share of the text, so
that all numbers are near 1 and float32 does.  How probable it is to stay at a position depends on the word
there (Toutanova, Ilhan and Manning 2002); the other jumps share what is left.  And the said position comes
first in all grids, as sums run over it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.engine.backends import door
from advsp.support.arrays import Singles

_ONE = np.float32(1)


class Moves(NamedTuple):
    """How positions follow each other.

    Attributes
    ----------
    jumps: float32 [I, I], weights of a position, the column, after another one, the row, 0 on the diagonal.
    start: float32 [I], probability of the first position.
    stay: float32 [I, B], probability that a position is kept.
    leave: float32 [I, B], by what the row of the position is multiplied to sum with ``stay`` to 1.
    """

    jumps: Singles
    start: Singles
    stay: Singles
    leave: Singles


class Expected(NamedTuple):
    """What :func:`staying_hmm` expects.

    Attributes
    ----------
    posterior: float32 [J, I, B], that the said word comes from the position; what is missing to 1 in the sum
        over positions, that it comes from none.
    jumps: float32 [I, I], how often the position moves, from row to column; 0 on the diagonal.
    stays: float32 [I, B], how often it is kept.
    departures: float32 [I, B], how often a word follows that comes from a position, the same or another one.
    """

    posterior: Singles
    jumps: Singles
    stays: Singles
    departures: Singles


def model1(emission: Singles, null: Singles, none: float) -> Singles:
    """Posteriors under Model 1.

    Parameters
    ----------
    emission: float32 [J, I, B], ratio of the said word's probability from the given one to its share.
    null: float32 [J, B], the same ratio for the said word from none.
    none: prior probability that a word comes from none.

    Returns
    -------
    float32 [J, I, B], as :attr:`Expected.posterior`.
    """
    posterior = emission * np.float32((1 - none) / emission.shape[1])
    total = posterior.sum(axis=1)
    total += np.float32(none) * null
    np.divide(_ONE, total, out=total)
    posterior *= total[:, None]
    return posterior


def staying_hmm(emission: Singles, null: Singles, none: float, moves: Moves) -> Expected:
    """Posteriors and expected moves, forwards and backwards; by the kernel where there is one.

    Parameters
    ----------
    emission, null, none: as for :func:`model1`.
    moves: a first word from none remembers the first position, a later one the one before.
    """
    if door.missing() is None:
        return Expected(*door.module("staying_hmm").staying_hmm(emission, null, none, *moves))
    return reference_hmm(emission, null, none, moves)


def reference_hmm(emission: Singles, null: Singles, none: float, moves: Moves) -> Expected:
    """The same in numpy."""
    length, positions, pairs = emission.shape
    share = np.float32(1 - none)
    jumps = moves.jumps * share
    arriving = np.ascontiguousarray(jumps.T)
    stay = moves.stay * share
    from_none = null * np.float32(none)
    # To arrive at a position is to be sent there, and not yet to have said the word.
    arrived = np.empty_like(emission)
    # Said words, from a position or from none that remembers it; scaled to sum to 1.
    reached = np.empty_like(emission)
    scale = np.empty((length, pairs), np.float32)
    some = np.empty((positions, pairs), np.float32)
    before = np.broadcast_to(moves.start[:, None], (positions, pairs))
    arrived[0] = before * share
    for step in range(length):
        now = reached[step]
        if step:
            np.multiply(before, moves.leave, out=some)
            np.matmul(arriving, some, out=arrived[step])
            np.multiply(before, stay, out=some)
            arrived[step] += some
        np.multiply(before, from_none[step], out=now)
        np.multiply(arrived[step], emission[step], out=some)
        now += some
        np.sum(now, axis=0, out=scale[step])
        np.divide(_ONE, scale[step], out=scale[step])
        now *= scale[step]
        before = now
    posterior = arrived
    counted = np.zeros((positions, positions), np.float32)
    stays, departures = (np.zeros((positions, pairs), np.float32) for _ in range(2))
    after = np.ones((positions, pairs), np.float32)
    said, sent = (np.empty((positions, pairs), np.float32) for _ in range(2))
    for step in range(length - 1, -1, -1):
        after *= scale[step]
        np.multiply(after, emission[step], out=said)
        posterior[step] *= said
        if step:
            before = reached[step - 1]
            np.multiply(before, moves.leave, out=some)
            counted += some @ said.T
            np.matmul(jumps, said, out=sent)
            sent *= moves.leave
            np.multiply(stay, said, out=some)
            sent += some
            after *= from_none[step]
            after += sent
            some *= before
            stays += some
            sent *= before
            departures += sent
    counted *= jumps
    return Expected(posterior, counted, stays, departures)
