"""Forwards and backwards through an HMM of word positions, many sentence pairs side by side.

The twin of :func:`advsp.aligners.staying_hmm.staying_hmm`: the same operations in the same order.
"""

from __future__ import annotations

import numpy as np

from advsp.kernels.compilation import long_loops


@long_loops
def staying_hmm(emission, null, none, jumps, start, stay, leave):
    """Posteriors, expected jumps, stays and departures.

    Parameters
    ----------
    emission: float32 [J, I, B]; null: float32 [J, B]; none: float.
    jumps: float32 [I, I]; start: float32 [I]; stay, leave: float32 [I, B].

    Returns
    -------
    float32 [J, I, B], [I, I], [I, B] and [I, B].
    """
    length, positions, pairs = emission.shape
    share, silent = np.float32(1 - none), np.float32(none)
    jumps = jumps * share
    arriving = np.ascontiguousarray(jumps.T)
    arrived, reached = np.empty_like(emission), np.empty_like(emission)
    scale = np.empty((length, pairs), np.float32)
    some = np.empty((positions, pairs), np.float32)
    for j in range(length):
        total = scale[j]
        total[:] = 0
        if j:
            for i in range(positions):
                for b in range(pairs):
                    some[i, b] = reached[j - 1, i, b] * leave[i, b]
            np.dot(arriving, some, arrived[j])
        for i in range(positions):
            for b in range(pairs):
                if j:
                    before = reached[j - 1, i, b]
                    at = arrived[j, i, b] + before * (stay[i, b] * share)
                else:
                    before = start[i]
                    at = before * share
                now = before * (null[j, b] * silent) + at * emission[j, i, b]
                arrived[j, i, b], reached[j, i, b] = at, now
                total[b] += now
        for b in range(pairs):
            total[b] = np.float32(1) / total[b]
        for i in range(positions):
            for b in range(pairs):
                reached[j, i, b] *= total[b]
    posterior = arrived
    counted, step = np.zeros((positions, positions), np.float32), np.empty((positions, positions), np.float32)
    stays, departures = np.zeros((positions, pairs), np.float32), np.zeros((positions, pairs), np.float32)
    after, sent = np.ones((positions, pairs), np.float32), np.empty((positions, pairs), np.float32)
    said = np.empty((positions, pairs), np.float32)
    for j in range(length - 1, -1, -1):
        for i in range(positions):
            for b in range(pairs):
                behind = after[i, b] * scale[j, b]
                now = behind * emission[j, i, b]
                said[i, b] = now
                posterior[j, i, b] *= now
                after[i, b] = behind * (null[j, b] * silent)
        if j:
            for i in range(positions):
                for b in range(pairs):
                    some[i, b] = reached[j - 1, i, b] * leave[i, b]
            np.dot(some, said.T, step)
            counted += step
            np.dot(jumps, said, sent)
            for i in range(positions):
                for b in range(pairs):
                    kept = stay[i, b] * share * said[i, b]
                    gone = sent[i, b] * leave[i, b] + kept
                    after[i, b] += gone
                    stays[i, b] += kept * reached[j - 1, i, b]
                    departures[i, b] += gone * reached[j - 1, i, b]
    counted *= jumps
    return posterior, counted, stays, departures
