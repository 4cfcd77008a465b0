"""The paper's approximate responses over a linear chain, compiled.

The twin of :mod:`advsp.engine.oracles.approximate_numpy`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner
from advsp.kernels.max_plus import best_tag_into
from advsp.kernels.scores import worth
from advsp.kernels.structures.chain import ChainRows, ChainTable, add_tags, chain_table
from advsp.kernels.structures.dispatch import (
    every_place,
    register_rows,
    register_structure,
    same_labelling,
    same_labels,
)

#: Number of costs of a false positive that are tried: 1/10, 2/10, ... 1.
_TRIALS = 10


class ApproximateRows(NamedTuple):
    """Rows of a chain to be played with approximate responses."""

    rows: ChainRows


class ApproximateTable(NamedTuple):
    """A chain to be played with approximate responses."""

    chain: ChainTable


#: What stands for a chain, or a layout of chains, where responses are approximate.
APPROXIMATE = {ChainRows: ApproximateRows, ChainTable: ApproximateTable}


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
def prepare_approximate(table, span):
    """The scale of the potentials, and the best of them.

    table: :class:`ApproximateTable`; span: how far two scores can be apart, of no use here.
    """
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
    """Write the best ``tags`` int8 [n] under replaced potentials ``unary`` float [n, m].

    chain: :class:`~advsp.kernels.structures.chain.ChainTable`.
    """
    n, m = unary.shape
    back = np.empty((n, m), dtype=np.int8)
    score, through = unary[0].copy(), np.empty(m)
    for t in range(1, n):
        for c in range(m):
            best, back[t, c] = best_tag_into(score, chain.pairwise, t - 1, c)
            through[c] = best + unary[t, c]
        score, through = through, score
    tag = score.argmax()
    for t in range(n - 1, -1, -1):
        tags[t] = tag
        if t > 0:
            tag = back[t, tag]


@inner
def potential_of_tags(chain, tags):
    """psi of ``tags`` int8 [n] in a :class:`~advsp.kernels.structures.chain.ChainTable`."""
    total = chain.unary[0, tags[0]]
    for t in range(1, len(tags)):
        total += chain.unary[t, tags[t]] + chain.pairwise[t - 1, tags[t - 1], tags[t]]
    return total


@inner
def _marginals(pool, mixture, used, length):
    """Probability float [length] of a label that is hit, under a mixture float [used] over a pool."""
    marginals = np.zeros(length)
    for i in range(used):
        if mixture[i] > 0.0:
            for k in range(pool.ends[i], pool.ends[i + 1]):
                marginals[pool.places[k]] += mixture[i]
    return marginals


@inner
def _expected_score(score, ones, counts, labelling, pool, mixture, used):
    """Expected score of a labelling int8 [n] with so many ``counts`` against a mixture float [used].

    ``ones`` says whether the labelling is the predictor's.
    """
    total = 0.0
    for i in range(used):
        if mixture[i] > 0.0:
            hits = 0.0
            for k in range(pool.ends[i], pool.ends[i + 1]):
                t = pool.places[k]
                if ones and labelling[t] == 1:
                    hits += score.hits[pool.labels[i, t]]
                elif not ones:
                    hits += score.hits[labelling[t]]
            if ones:
                total += worth(score, mixture[i], hits, counts, pool.counts[i])
            else:
                total += worth(score, mixture[i], hits, pool.counts[i], counts)
    return total


@inner
def predict_approximate(structure, score, columns, mixture, used, labels):
    """Write the predictor's best of the candidates, 0/1 ``labels`` int8 [n]; returns their number.

    mixture: float [>= used] over the pool ``columns``.
    """
    n = len(labels)
    marginals = _marginals(columns, mixture, used, n)
    trial = np.empty(n, dtype=np.int8)
    best, best_ones = -np.inf, np.int64(0)
    for k in range(1, _TRIALS + 1):
        cost = k / 10.0
        ones = np.int64(0)
        for t in range(n):
            trial[t] = 1 if marginals[t] * (2.0 - cost) > (1.0 - marginals[t]) * cost else 0
            ones += trial[t]
        value = _expected_score(score, True, ones, trial, columns, mixture, used)
        if value > best:
            best, best_ones = value, ones
            for t in range(n):
                labels[t] = trial[t]
    return best_ones


@inner
def respond_approximate(structure, score, rows, mixture, used, tags):
    """Write the adversary's best of the candidates, ``tags`` int8 [n].

    mixture: float [>= used] over the pool ``rows``.
    """
    chain = structure.chain
    n, m = chain.unary.shape
    marginals = _marginals(rows, mixture, used, n)
    trial = np.empty(n, dtype=np.int8)
    unary = np.empty((n, m))
    best = np.inf
    for k in range(1, _TRIALS + 1):
        cost = k / 10.0
        for t in range(n):
            for c in range(m):
                reward = (1.0 - marginals[t]) * cost if chain.counted[c] else marginals[t] * (2.0 - cost)
                unary[t, c] = chain.unary[t, c] + reward / structure.scale
        viterbi(chain, unary, trial)
        targets = np.int64(0)
        for t in range(n):
            if chain.counted[trial[t]]:
                targets += 1
        value = _expected_score(score, False, targets, trial, rows, mixture, used)
        value -= potential_of_tags(chain, trial)
        if value < best:
            best = value
            for t in range(n):
                tags[t] = trial[t]


@inner
def best_approximate(structure, tags):
    """Write the ``tags`` int8 [n] of highest potential."""
    viterbi(structure.chain, structure.chain.unary, tags)


@inner
def potential_approximate(structure, tags):
    """psi of ``tags`` int8 [n]."""
    return potential_of_tags(structure.chain, tags)


@inner
def places_approximate(structure):
    """All positions, int64 [n]."""
    return every_place(len(structure.chain.unary))


register_structure(
    ApproximateTable,
    Approximate,
    prepare=prepare_approximate,
    predict=predict_approximate,
    respond=respond_approximate,
    best=best_approximate,
    potential=potential_approximate,
    restrict=same_labels,
    expand=same_labelling,
    places=places_approximate,
)


@inner
def approximate_table(rows, example, potentials, counted):
    """The chain that a table of potentials float [n, w] stands for; counted: bool [m]."""
    return ApproximateTable(chain_table(rows.rows, example, potentials, counted))


@inner
def add_approximate_tags(rows, example, labelling, mass, moments):
    """See :func:`~advsp.kernels.structures.chain.add_tags`."""
    add_tags(rows.rows, example, labelling, mass, moments)


register_rows(ApproximateRows, table_of=approximate_table, add_statistics=add_approximate_tags)
