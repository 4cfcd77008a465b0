"""The log-loss of a linear-chain CRF in compiled form, by forward-backward with scaled probabilities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner, kernel
from advsp.kernels.losses import register_loss
from advsp.kernels.structures.approximate import viterbi
from advsp.kernels.structures.chain import ChainRows, chain_table, first_cells
from advsp.kernels.twins import twin_of

#: Potentials of one step within this range are exponentiated as they are; beyond it logarithms are kept.
_RANGE = 300.0


@twin_of("chain-log")
class ChainLog(NamedTuple):
    """The log-loss of sentences.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    gold: int8 [T], gold tags.
    rows: layout of the potentials.
    latent: whether the tag before the sentence is summed over.
    """

    offsets: np.ndarray
    gold: np.ndarray
    rows: ChainRows
    latent: bool


@kernel
def chain_log_loss(loss, example, potentials, moments):
    """Log-loss of a sentence at ``potentials`` float [n, w].

    Writes its expected ``moments`` float [n, w] less the gold ones.
    """
    first = loss.offsets[example]
    m, n = loss.rows.tags, len(potentials)
    begin, entry = first_cells(loss.rows)
    value = forward_backward(loss, potentials, moments)
    for t in range(n):
        tag = loss.gold[first + t]
        place = entry + tag if t == 0 else begin + loss.gold[first + t - 1] * m + tag
        value -= potentials[t, tag] + potentials[t, place]
        moments[t, tag] -= 1.0
        moments[t, place] -= 1.0
    return value


@kernel
def forward_backward(loss, potentials, moments):
    """Log-normaliser of a sentence at ``potentials`` float [n, w].

    Writes its expected ``moments`` float [n, w].
    """
    n, m = len(potentials), loss.rows.tags
    begin, entry = first_cells(loss.rows)
    moments[:] = 0.0
    # Steps [n, b, c] into tag c; the first has one line, or all of them where the tag before is latent.
    lines = m if loss.latent else 1
    steps = np.empty((n, m, m))
    wide = False
    level = 0.0
    highest = np.empty(n)
    for t in range(n):
        low, high = np.inf, -np.inf
        for b in range(m if t > 0 else lines):
            place = begin + b * m if t > 0 or loss.latent else entry
            for c in range(m):
                psi = potentials[t, c] + potentials[t, place + c]
                steps[t, b, c] = psi
                low, high = min(low, psi), max(high, psi)
        highest[t] = high
        wide = wide or not high - low <= _RANGE
    if wide:
        return _in_logarithms(steps, lines, begin, entry, loss.latent, moments)
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
            place = begin + b * m if t > 0 or loss.latent else entry
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
def evaluate_log(loss, example, potentials, tolerance, moments):
    """See :func:`advsp.kernels.losses.evaluate`; exact, so ``tolerance`` has no part in it."""
    value = chain_log_loss(loss, example, potentials, moments)
    return value, value, 0


@inner
def decode_log(loss, example, number, potentials, tolerance, labels, marginals):
    """See :func:`advsp.kernels.losses.decode`: Viterbi tags, and the probability of every tag."""
    n, m = marginals.shape
    moments = np.empty(potentials.shape)
    forward_backward(loss, potentials, moments)
    for t in range(n):
        for c in range(m):
            marginals[t, c] = moments[t, c]
    chain = chain_table(loss.rows, example, potentials, np.empty(0, dtype=np.bool_))
    viterbi(chain, chain.unary, labels)
    return 0


register_loss(ChainLog, evaluate=evaluate_log, decode=decode_log)
