"""Sums over the tag sequences of a chain in compiled form, with scaled probabilities.

The twin of :func:`advsp.learners.log_loss.forward_backward`.
"""

from __future__ import annotations

import numpy as np

from advsp.kernels.compilation import inner, kernel
from advsp.kernels.structures.chain import first_cells

#: Potentials of one step within this range are exponentiated as they are; beyond it logarithms are kept.
_RANGE = 300.0


@kernel
def forward_backward(rows, latent, potentials, charges, moments):
    """Log-normaliser of a sentence at ``potentials`` float [n, w].

    Writes its expected ``moments`` float [n, w].

    Parameters
    ----------
    rows: layout of the potentials.
    latent: whether the tag before the sentence is summed over.
    charges: float [n, m], added to the potentials of the tags.
    """
    n, m = len(potentials), rows.tags
    begin, entry = first_cells(rows)
    moments[:] = 0.0
    # Steps [n, b, c] into tag c; the first has one line, or all of them where the tag before is latent.
    lines = m if latent else 1
    steps = np.empty((n, m, m))
    wide = False
    level = 0.0
    highest = np.empty(n)
    for t in range(n):
        low, high = np.inf, -np.inf
        for b in range(m if t > 0 else lines):
            place = begin + b * m if t > 0 or latent else entry
            for c in range(m):
                psi = (potentials[t, c] + charges[t, c]) + potentials[t, place + c]
                steps[t, b, c] = psi
                low, high = min(low, psi), max(high, psi)
        highest[t] = high
        wide = wide or not high - low <= _RANGE
    if wide:
        return _in_logarithms(steps, lines, begin, entry, latent, moments)
    forward, backward, scale = np.zeros((n, m)), np.empty((n, m)), np.empty(n)
    for t in range(n):
        for b in range(m if t > 0 else lines):
            before = forward[t - 1, b] if t > 0 else 1.0
            for c in range(m):
                steps[t, b, c] = np.exp(steps[t, b, c] - highest[t])
                forward[t, c] += before * steps[t, b, c]
        total = 0.0
        for c in range(m):
            total += forward[t, c]
        scale[t] = 1.0 / total
        for c in range(m):
            forward[t, c] *= scale[t]
        level += highest[t] + np.log(total)
    for c in range(m):
        backward[n - 1, c] = 1.0
    for t in range(n - 1, -1, -1):
        for c in range(m):
            moments[t, c] = forward[t, c] * backward[t, c]
        for b in range(m if t > 0 else lines):
            place = begin + b * m if t > 0 or latent else entry
            before = (forward[t - 1, b] if t > 0 else 1.0) * scale[t]
            total = 0.0
            for c in range(m):
                through = steps[t, b, c] * backward[t, c]
                moments[t, place + c] = before * through
                total += through
            if t > 0:
                backward[t - 1, b] = total * scale[t]
    return level


@kernel
def _in_logarithms(steps, lines, begin, entry, latent, moments):
    """The same from ``steps`` float [n, m, m] of any size, with logarithms of sums throughout.

    The first step has so many ``lines``; begin and entry are the first cells of pairs and of START.
    """
    n, m = steps.shape[:2]
    forward, backward = np.empty((n, m)), np.zeros((n, m))
    for t in range(n):
        for c in range(m):
            high = -np.inf
            for b in range(m if t > 0 else lines):
                high = max(high, steps[t, b, c] + (forward[t - 1, b] if t > 0 else 0.0))
            total = 0.0
            for b in range(m if t > 0 else lines):
                total += np.exp(steps[t, b, c] + (forward[t - 1, b] if t > 0 else 0.0) - high)
            forward[t, c] = high + np.log(total)
    high = forward[n - 1].max()
    total = 0.0
    for c in range(m):
        total += np.exp(forward[n - 1, c] - high)
    level = high + np.log(total)
    for t in range(n - 1, -1, -1):
        for c in range(m):
            moments[t, c] = np.exp(forward[t, c] + backward[t, c] - level)
        for b in range(m if t > 0 else lines):
            place = begin + b * m if t > 0 or latent else entry
            before = forward[t - 1, b] if t > 0 else 0.0
            high = -np.inf
            for c in range(m):
                high = max(high, steps[t, b, c] + backward[t, c])
            total = 0.0
            for c in range(m):
                through = steps[t, b, c] + backward[t, c]
                moments[t, place + c] = np.exp(before + through - level)
                total += np.exp(through - high)
            if t > 0:
                backward[t - 1, b] = high + np.log(total)
    return level


@inner
def less_gold(rows, gold, potentials, moments, value):
    """``value`` less the potential of the ``gold`` tags int8 [n], whose moments are taken off ``moments``."""
    m = rows.tags
    begin, entry = first_cells(rows)
    for t in range(len(gold)):
        tag = gold[t]
        place = entry + tag if t == 0 else begin + gold[t - 1] * m + tag
        value -= potentials[t, tag] + potentials[t, place]
        moments[t, tag] -= 1.0
        moments[t, place] -= 1.0
    return value
