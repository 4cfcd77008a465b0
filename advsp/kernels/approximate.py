"""The paper's approximate responses over a linear chain, compiled.

The twin of :mod:`advsp.engine.oracles.approximate_numpy`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.chain import ChainTable
from advsp.kernels.compilation import inner

#: Number of costs of a false positive that are tried: 1/10, 2/10, ... 1.
_TRIALS = 10


class ApproximateTable(NamedTuple):
    """A chain to be played with approximate responses."""

    chain: ChainTable


class Approximate(NamedTuple):
    """A chain whose labellings are tag sequences, nothing pruned.

    Attributes
    ----------
    chain: the chain itself.
    scale: what brings the wider of the two ranges of potentials to a width of 2.
    top: best potential of all.
    """

    chain: ChainTable
    scale: float
    top: float


@inner
def prepare_approximate(table):
    """The scale of the potentials, and the best of them."""
    chain = table.chain
    widest = chain.unary.max() - chain.unary.min()
    if chain.pairwise.size > 0:
        widest = max(widest, chain.pairwise.max() - chain.pairwise.min())
    scale = 2.0 / widest if widest > 0.0 else 1.0
    tags = np.empty(len(chain.unary), dtype=np.int8)
    viterbi(chain, chain.unary, tags)
    return Approximate(chain, scale, potential_of_tags(chain, tags))


@inner
def viterbi(chain, unary, tags):
    """Write the best ``tags`` int8 [n] under replaced ``unary`` potentials [n, m]."""
    n, m = unary.shape
    back = np.empty((n, m), dtype=np.int8)
    score_, through = unary[0].copy(), np.empty(m)
    for t in range(1, n):
        for c in range(m):
            best, tag = score_[0] + chain.pairwise[t - 1, 0, c], 0
            for b in range(1, m):
                other = score_[b] + chain.pairwise[t - 1, b, c]
                if other > best:
                    best, tag = other, b
            back[t, c] = tag
            through[c] = best + unary[t, c]
        score_, through = through, score_
    tag = score_.argmax()
    for t in range(n - 1, -1, -1):
        tags[t] = tag
        if t > 0:
            tag = back[t, tag]


@inner
def potential_of_tags(chain, tags):
    """psi of ``tags`` [n]."""
    total = chain.unary[0, tags[0]]
    for t in range(1, len(tags)):
        total += chain.unary[t, tags[t]] + chain.pairwise[t - 1, tags[t - 1], tags[t]]
    return total


@inner
def _marginals(pool, mixture, used, label, length):
    """Probability [n] of ``label`` under a mixture over the strategies of a pool."""
    marginals = np.zeros(length)
    for i in range(used):
        if mixture[i] > 0.0:
            for k in range(pool.ends[i], pool.ends[i + 1]):
                t = pool.places[k]
                if pool.labels[i, t] == label:
                    marginals[t] += mixture[i]
    return marginals


@inner
def _expected_score(ratio, ones, counts, labelling, pool, mixture, used):
    """Expected score of a labelling against a mixture; ``ones`` says which player's the labelling is."""
    total = 0.0
    for i in range(used):
        if mixture[i] > 0.0:
            both = pool.counts[i] + counts
            if both == 0:
                total += mixture[i] * ratio.empty
                continue
            hit = 0.0
            for k in range(pool.ends[i], pool.ends[i + 1]):
                t = pool.places[k]
                if ones and labelling[t] == 1:
                    hit += ratio.hits[pool.labels[i, t]]
                elif not ones:
                    hit += ratio.hits[labelling[t]]
            size, count = (counts, pool.counts[i]) if ones else (pool.counts[i], counts)
            total += mixture[i] * hit * ratio.scale / (size + ratio.share * count)
    return total


@inner
def predict_approximate(structure, ratio, columns, mixture, used, labels):
    """Write the predictor's best of the candidates, 0/1 ``labels`` [n]."""
    n = len(labels)
    marginals = _marginals(columns, mixture, used, structure.chain.target, n)
    trial = np.empty(n, dtype=np.int8)
    best = -np.inf
    for k in range(1, _TRIALS + 1):
        cost = k / 10.0
        ones = np.int64(0)
        for t in range(n):
            trial[t] = 1 if marginals[t] * (2.0 - cost) > (1.0 - marginals[t]) * cost else 0
            ones += trial[t]
        value = _expected_score(ratio, True, ones, trial, columns, mixture, used)
        if value > best:
            best = value
            for t in range(n):
                labels[t] = trial[t]


@inner
def respond_approximate(structure, ratio, rows, mixture, used, tags):
    """Write the adversary's best of the candidates, ``tags`` [n]."""
    chain = structure.chain
    n, m = chain.unary.shape
    marginals = _marginals(rows, mixture, used, 1, n)
    trial = np.empty(n, dtype=np.int8)
    unary = np.empty((n, m))
    best = np.inf
    for k in range(1, _TRIALS + 1):
        cost = k / 10.0
        for t in range(n):
            for c in range(m):
                reward = (1.0 - marginals[t]) * cost if c == chain.target else marginals[t] * (2.0 - cost)
                unary[t, c] = chain.unary[t, c] + reward / structure.scale
        viterbi(chain, unary, trial)
        targets = np.int64(0)
        for t in range(n):
            if trial[t] == chain.target:
                targets += 1
        value = _expected_score(ratio, False, targets, trial, rows, mixture, used)
        value -= potential_of_tags(chain, trial)
        if value < best:
            best = value
            for t in range(n):
                tags[t] = trial[t]
