"""The log-loss of a linear-chain CRF, for all sentences at once.

loss_i = log sum_y exp psi(y) - psi(gold) (Lafferty, McCallum & Pereira, 2001; paper, Eq. 3); its
gradient is the expected moments under the model less the gold ones.  With costs psi(y) stands with that of y
added in the sum: the softmax-margin (Gimpel & Smith, 2010).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from advsp.engine.backends.base import Backend, Decisions, Evaluation
from advsp.engine.backends.description import Description
from advsp.support.arrays import Floats, Ints, plain
from advsp.support.progress import Progress, no_progress
from advsp.training.chain_model import ChainModel
from advsp.training.objective import LossOf, LossValue


class ChainLogLoss(LossOf[ChainModel]):
    """Log-loss of a chain by the forward-backward algorithm.

    With a latent start the tag before the sentence is one more variable, summed over in the
    normaliser and equal to the background tag in the gold labelling (as in Stanford NER).

    Parameters
    ----------
    model: the linear map.
    backend: where it is computed.
    latent: whether the tag before the sentence is summed over; by default as the model's start says.
    costs: float [m, m], of a gold tag and another one, the diagonal zero; None for none.
    """

    def __init__(
        self,
        model: ChainModel,
        backend: Backend | None = None,
        latent: bool | None = None,
        costs: Floats | None = None,
    ) -> None:
        super().__init__(model, backend)
        self.latent = model.start == "latent" if latent is None else latent
        self.costs = costs
        self.decided = model.tags

    def describe(self) -> Description:
        return Description(
            "chain-log",
            {
                "offsets": plain(self.offsets, int),
                "gold": plain(self.model.instances.tags, np.int8),
                "rows": self.model.layout.describe(),
                "latent": self.latent,
                "costs": np.zeros((self.model.tags,) * 2) if self.costs is None else plain(self.costs),
            },
        )

    @cached_property
    def _gold(self) -> Floats:
        """Moments of the gold labellings, stacked."""
        return np.concatenate([self.model.gold_moments(i) for i in range(self.model.examples)])

    @cached_property
    def _order(self) -> Ints:
        """Longest first: at every position the sentences that are still running are a prefix."""
        return np.argsort(-np.diff(self.offsets), kind="stable")

    def evaluate(self, example: int, potentials: Floats, tolerance: float) -> LossValue:
        rows, alone = self.model.rows(example), np.array([0, len(potentials)])
        augmented = self._augmented(potentials, rows)
        normaliser, expected = forward_backward(self.model, augmented, alone, latent=self.latent)
        gold = self._gold[rows]
        loss = float(normaliser[0] - np.vdot(gold, potentials))
        return LossValue(loss, loss, expected - gold)

    def evaluate_all(
        self, potentials: Floats, tolerance: float, progress: Progress = no_progress
    ) -> Evaluation:
        normaliser, expected = forward_backward(
            self.model, self._augmented(potentials, slice(None)), self.offsets, self._order, self.latent
        )
        loss = float(normaliser.sum() - np.vdot(self._gold, potentials))
        progress(self.model.examples)
        return loss, loss, expected - self._gold

    def _augmented(self, potentials: Floats, rows: slice) -> Floats:
        """Potentials with the costs of all tags added, at some rows."""
        if self.costs is None:
            return potentials
        return with_costs(potentials, self.costs[self.model.labels[rows]])

    def decode_all(
        self,
        number: int,
        potentials: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> Decisions:
        _, moments = forward_backward(self.model, potentials, self.offsets, latent=self.latent)
        tags = np.empty(len(potentials), dtype=np.int8)
        for example in range(self.model.examples):
            rows = self.model.rows(example)
            tags[rows] = self.model.chain(potentials[rows]).best()
            progress(1)
        return tags, moments[:, : self.model.tags]


def with_costs(potentials: Floats, costs: Floats) -> Floats:
    """Tables of potentials [n, w] with ``costs`` float [n, m] added to those of the tags."""
    found = potentials.copy()
    found[:, : costs.shape[1]] += costs
    return found


def forward_backward(
    model: ChainModel,
    potentials: Floats,
    offsets: Ints,
    order: Ints | None = None,
    latent: bool = False,
) -> tuple[Floats, Floats]:
    """Log-normalisers [S] and expected moments [T, w] of stacked tables of potentials [T, w].

    Parameters
    ----------
    order: sentences, longest first (made if not given).
    latent: sum over the tag before the sentence, else it is the background tag.
    """
    m, own = model.tags, model.start == "own"
    lengths = np.diff(offsets)
    if order is None:
        order = np.argsort(-lengths, kind="stable")
    first, lengths = offsets[:-1][order], lengths[order]
    steps = int(lengths[0])
    # Number of sentences that have a position t: a prefix, as the longest come first.
    running = [int(np.searchsorted(-lengths, -t)) for t in range(steps)]
    unary = potentials[:, :m]
    pairs = potentials[:, m + (m if own else 0) :].reshape(-1, m, m)
    # What stands before the first token: START, the background tag, or any tag.
    if own:
        entry = potentials[first, m : 2 * m]
    else:
        table = pairs[first]
        entry = _log_sum(table, axis=1) if latent else table[:, model.background]
    # Sums are taken in the log domain, so that no potential is too large or too small.
    forward = [entry + unary[first]]
    for t in range(1, steps):
        rows = first[: running[t]] + t
        before = forward[t - 1][: running[t]]
        forward.append(_log_sum(before[:, :, None] + pairs[rows], axis=1) + unary[rows])
    normaliser = np.empty(len(lengths))
    backward = np.zeros((len(lengths), m))
    moments = np.zeros_like(potentials)
    for t in range(steps - 1, -1, -1):
        count = running[t]
        rows = first[:count] + t
        ending = lengths[:count] == t + 1
        normaliser[:count][ending] = _log_sum(forward[t][ending], axis=1)
        message = backward[:count]
        moments[rows, :m] = np.exp(forward[t] + message - normaliser[:count, None])
        message = unary[rows] + message - normaliser[:count, None]
        if t > 0:
            through = pairs[rows] + message[:, None, :]
            joint = np.exp(forward[t - 1][:count, :, None] + through)
            moments[rows, moments.shape[1] - m * m :] = joint.reshape(count, m * m)
            backward[:count] = _log_sum(through + normaliser[:count, None, None], axis=2)
        elif own:
            moments[rows, m : 2 * m] = moments[rows, :m]
        elif latent:
            moments[rows, m:] = np.exp(table + message[:, None, :]).reshape(count, m * m)
        else:
            block = slice(m + model.background * m, m + (model.background + 1) * m)
            moments[rows, block] = moments[rows, :m]
    result = np.empty_like(normaliser)
    result[order] = normaliser
    return result, moments


def _log_sum(values: Floats, axis: int) -> Floats:
    """log(sum(exp(values))) along an axis, stable."""
    top = values.max(axis=axis, keepdims=True)
    total: Floats = np.log(np.exp(values - top).sum(axis=axis)) + np.squeeze(top, axis=axis)
    return total
