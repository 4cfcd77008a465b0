"""The log-loss of a linear-chain CRF in compiled form, with costs or without."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner
from advsp.kernels.forward_backward import forward_backward, less_gold
from advsp.kernels.losses import register_loss
from advsp.kernels.structures.approximate import viterbi
from advsp.kernels.structures.chain import ChainRows, chain_table
from advsp.kernels.twins import twin_of


@twin_of("chain-log")
class ChainLog(NamedTuple):
    """The log-loss of sentences.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    gold: int8 [T], gold tags.
    rows: layout of the potentials.
    latent: whether the tag before the sentence is summed over.
    costs: float [m, m], of a gold tag and another one; zeros where there are none.
    """

    offsets: np.ndarray
    gold: np.ndarray
    rows: ChainRows
    latent: bool
    costs: np.ndarray


@inner
def evaluate_log(loss, example, potentials, tolerance, moments):
    """See :func:`advsp.kernels.losses.evaluate`; exact, so ``tolerance`` has no part in it."""
    gold = loss.gold[loss.offsets[example] : loss.offsets[example + 1]]
    value = forward_backward(loss.rows, loss.latent, potentials, costs_of(loss.costs, gold), moments)
    value = less_gold(loss.rows, gold, potentials, moments, value)
    return value, value, 0


@inner
def costs_of(costs, gold):
    """What every tag costs at every token, float [n, m], where the tags are ``gold`` int8 [n]."""
    n, m = len(gold), len(costs)
    found = np.empty((n, m))
    for t in range(n):
        for c in range(m):
            found[t, c] = costs[gold[t], c]
    return found


@inner
def decode_log(loss, example, number, potentials, tolerance, labels, marginals):
    """See :func:`advsp.kernels.losses.decode`: Viterbi tags, and the probability of every tag."""
    n, m = marginals.shape
    moments = np.empty(potentials.shape)
    forward_backward(loss.rows, loss.latent, potentials, np.zeros((n, m)), moments)
    for t in range(n):
        for c in range(m):
            marginals[t, c] = moments[t, c]
    chain = chain_table(loss.rows, example, potentials, np.empty(0, dtype=np.bool_))
    viterbi(chain, chain.unary, labels)
    return 0


register_loss(ChainLog, evaluate=evaluate_log, decode=decode_log)
