"""The hinge loss of tag sequences in compiled form: the best sequence with what it costs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner
from advsp.kernels.forward_backward import less_gold
from advsp.kernels.log_loss import costs_of
from advsp.kernels.losses import register_loss
from advsp.kernels.structures.approximate import potential_of_tags, viterbi
from advsp.kernels.structures.chain import ChainRows, add_tags, chain_table
from advsp.kernels.twins import twin_of


@twin_of("chain-hinge")
class ChainHinge(NamedTuple):
    """The hinge loss of sentences.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    gold: int8 [T], gold tags.
    rows: layout of the potentials.
    costs: float [m, m], of a gold tag and another one.
    """

    offsets: np.ndarray
    gold: np.ndarray
    rows: ChainRows
    costs: np.ndarray


@inner
def evaluate_hinge(loss, example, potentials, tolerance, moments):
    """See :func:`advsp.kernels.losses.evaluate`; exact, so ``tolerance`` has no part in it."""
    gold = loss.gold[loss.offsets[example] : loss.offsets[example + 1]]
    chain = chain_table(loss.rows, example, potentials, np.empty(0, dtype=np.bool_))
    costs, tags = costs_of(loss.costs, gold), np.empty(len(gold), dtype=np.int8)
    # The first row of the table has more in it than the potentials of its tags.
    for t in range(len(gold)):
        for c in range(len(loss.costs)):
            chain.unary[t, c] += costs[t, c]
    viterbi(chain, chain.unary, tags)
    moments[:] = 0.0
    add_tags(loss.rows, example, tags, 1.0, moments)
    value = potential_of_tags(chain, tags)
    value = less_gold(loss.rows, gold, potentials, moments, value)
    return value, value, 0


register_loss(ChainHinge, evaluate=evaluate_hinge)
