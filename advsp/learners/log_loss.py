"""The log-loss of a linear-chain CRF, for all sentences at once.

loss_i = log sum_y exp psi(y) - psi(gold) (Lafferty, McCallum & Pereira, 2001; paper, Eq. 3); its
gradient is the expected moments under the model less the gold ones.
"""

from __future__ import annotations

import numpy as np

from advsp.training.chain_model import ChainModel
from advsp.training.objective import Loss, LossValue, Tick, no_tick


class ChainLogLoss(Loss):
    """Log-loss of a chain by the forward-backward algorithm.

    With a latent start the tag before the sentence is one more variable, summed over in the
    normaliser and equal to the background tag in the gold labelling (as in Stanford NER).
    """

    def __init__(self, model: ChainModel) -> None:
        self.model = model
        lengths = np.diff(model.offsets)
        # Longest first: at every position the sentences that are still running are a prefix.
        self._order = np.argsort(-lengths, kind="stable")
        self._gold = np.concatenate([model.gold_moments(i) for i in range(model.examples)])

    def evaluate(self, example: int, potentials: np.ndarray, tolerance: float) -> LossValue:
        rows = self.model.rows(example)
        normaliser, expected = forward_backward(self.model, potentials, np.array([0, len(potentials)]))
        gold = self._gold[rows]
        loss = float(normaliser[0] - np.vdot(gold, potentials))
        return LossValue(loss, loss, expected - gold)

    def evaluate_all(
        self, model: ChainModel, potentials: np.ndarray, tolerance: float, tick: Tick = no_tick
    ) -> tuple[float, float, np.ndarray]:
        normaliser, expected = forward_backward(model, potentials, model.offsets, self._order)
        loss = float(normaliser.sum() - np.vdot(self._gold, potentials))
        return loss, loss, expected - self._gold


def forward_backward(
    model: ChainModel,
    potentials: np.ndarray,
    offsets: np.ndarray,
    order: np.ndarray | None = None,
    latent: bool | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Log-normalisers [S] and expected moments [T, w] of stacked tables of potentials [T, w].

    Parameters
    ----------
    order: sentences, longest first (made if not given).
    latent: sum over the tag before the sentence (else it is the background tag); by default as the
        model's start says.
    """
    m, own = model.tags, model.start == "own"
    if latent is None:
        latent = not own
    lengths = np.diff(offsets)
    if order is None:
        order = np.argsort(-lengths, kind="stable")
    first, lengths = offsets[:-1][order], lengths[order]
    running = [int(np.searchsorted(-lengths, -t)) for t in range(int(lengths[0]))]
    unary = potentials[:, :m]
    pairs = potentials[:, m + (m if own else 0) :].reshape(-1, m, m)
    # Exponentials are taken relative to the largest potential of each table: no overflow, and the
    # scaled forward and backward vectors keep the rest in range.
    unary_top, pair_top = unary.max(axis=1), pairs.max(axis=(1, 2))
    unary_exp = np.exp(unary - unary_top[:, None])
    pair_exp = np.exp(pairs - pair_top[:, None, None])
    # What stands before the first token: START, the background tag, or any tag.
    if own:
        entry_log = potentials[first, m : 2 * m]
        entry_top = entry_log.max(axis=1)
        entry = np.exp(entry_log - entry_top[:, None])
    else:
        entry_top = pair_top[first]
        table = pair_exp[first]
        entry = table.sum(axis=1) if latent else table[:, model.background]
    steps = int(lengths[0])
    forward = [entry * unary_exp[first]]
    scales = [forward[0].sum(axis=1)]
    forward[0] = forward[0] / scales[0][:, None]
    for t in range(1, steps):
        rows = first[: running[t]] + t
        now = np.matmul(forward[t - 1][: running[t], None, :], pair_exp[rows])[:, 0] * unary_exp[rows]
        scales.append(now.sum(axis=1))
        forward.append(now / scales[t][:, None])
    normaliser = entry_top.copy()
    moments = np.zeros_like(potentials)
    backward = np.ones((len(lengths), m))
    for t in range(steps - 1, -1, -1):
        count = running[t]
        rows = first[:count] + t
        beta = backward[:count]
        normaliser[:count] += np.log(scales[t]) + unary_top[rows] + (pair_top[rows] if t > 0 else 0.0)
        moments[rows, :m] = forward[t] * beta
        message = unary_exp[rows] * beta / scales[t][:, None]
        if t > 0:
            joint = forward[t - 1][:count, :, None] * pair_exp[rows] * message[:, None, :]
            moments[rows, moments.shape[1] - m * m :] = joint.reshape(count, m * m)
            backward[:count] = np.matmul(pair_exp[rows], message[:, :, None])[:, :, 0]
        elif own:
            moments[rows, m : 2 * m] = moments[rows, :m]
        elif latent:
            joint = table * message[:, None, :]
            moments[rows, m:] = joint.reshape(count, m * m)
        else:
            block = slice(m + model.background * m, m + (model.background + 1) * m)
            moments[rows, block] = moments[rows, :m]
    result = np.empty_like(normaliser)
    result[order] = normaliser
    return result, moments
