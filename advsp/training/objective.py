"""The convex training objective: losses of examples and an L2 term.

f(theta) = sum_i loss_i(A_i theta) + l2 / 2 |theta|^2,  A_i the linear map of example i.

A loss is a maximum over distributions P of the expected potential less the gold one, less a convex
function G of P:  loss_i = max_P { <E_P[moments] - gold moments, potentials> - G_i(P) }.  The
adversarial loss has G_i(P) = max over predictions of the expected score; the log-loss has minus the
entropy; the hinge loss minus the expected cost.  Every optimiser sees only this form.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from advsp.support.equality import equal_by_value
from advsp.support.progress import Progress, no_progress
from advsp.training import compiled
from advsp.training.linear import LinearModel


@equal_by_value
@dataclass(frozen=True)
class LossValue:
    """The loss of one example and its subgradient.

    Attributes
    ----------
    attained: what the distribution found attains, at most the loss.
    bound: certified upper bound of the loss; equal to ``attained`` for losses computed in closed form,
        infinite where the loss is found by approximate responses.
    moments: [n, w], expected moments under that distribution less the gold ones.
    """

    attained: float
    bound: float
    moments: np.ndarray


class Loss(ABC):
    """A convex loss of an example's potentials.

    Attributes
    ----------
    gold_gain: G of the distribution concentrated on the gold labelling.
    """

    gold_gain: float = 0.0

    def start(self, model: LinearModel) -> tuple[np.ndarray, np.ndarray]:
        """A distribution P of every example for a dual method to begin from, near the gold labelling.

        Returns
        -------
        The stacked moments of P less the gold ones [offsets[-1], w], and G(P) of every example [N].  It is
        the gold labelling itself unless a loss maximises over a set that may not hold it.
        """
        moments = np.zeros((int(model.offsets[-1]), model.width))
        return moments, np.full(model.examples, self.gold_gain)

    @abstractmethod
    def evaluate(self, example: int, potentials: np.ndarray, tolerance: float) -> LossValue:
        """The loss at ``potentials`` [n, w], to ``tolerance`` where it is found by iteration."""

    def evaluate_all(
        self, model: LinearModel, potentials: np.ndarray, tolerance: float, progress: Progress = no_progress
    ) -> tuple[float, float, np.ndarray]:
        """Sums of ``attained`` and ``bound`` over all examples, and the stacked moments."""
        kernel = self.kernel()
        if kernel is not None:
            return compiled.evaluate_all(kernel, model.offsets, potentials, tolerance, progress)
        attained = bound = 0.0
        moments = np.empty_like(potentials)
        for example in range(model.examples):
            rows = model.rows(example)
            value = self.evaluate(example, potentials[rows], tolerance)
            attained, bound = attained + value.attained, bound + value.bound
            moments[rows] = value.moments
            progress(1)
        return attained, bound, moments

    def kernel(self) -> NamedTuple | None:
        """The loss as the kernels take it (:mod:`advsp.kernels.losses`); None if they do not know it."""
        return None

    def state(self) -> dict[str, np.ndarray]:
        """What the loss remembers between passes, for checkpoints."""
        return {}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Take up a remembered :meth:`state`."""


class FullBatch(ABC):
    """An objective that is only ever looked at as a whole, wherever its examples are.

    Attributes
    ----------
    l2: weight of the penalty, not negative.
    tolerance: accuracy to which losses are found; set by the training loop, pass by pass.
    """

    l2: float
    tolerance: float

    @property
    @abstractmethod
    def examples(self) -> int:
        """Number of examples N."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of weights."""

    @property
    @abstractmethod
    def blocks(self) -> list[slice]:
        """Parts of the weights, see :class:`~advsp.training.linear.LinearModel`."""

    @abstractmethod
    def full(self, weights: np.ndarray, progress: Progress = no_progress) -> tuple[float, float, np.ndarray]:
        """Attained value, its certified upper bound and a subgradient [size] at ``weights``."""

    @abstractmethod
    def with_loss(self, make: Callable[[LinearModel], Loss], l2: float) -> FullBatch:
        """The objective of another loss, made from a linear model, of the same examples."""

    @abstractmethod
    def state(self) -> dict[str, np.ndarray]:
        """What the losses remember between passes, for checkpoints."""

    @abstractmethod
    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Take up a remembered :meth:`state`."""


@dataclass
class Objective(FullBatch):
    """A loss over a linear model, with an L2 penalty.

    Attributes
    ----------
    model: the linear map.
    loss: the loss of every example.
    l2: weight of the penalty, not negative.
    tolerance: accuracy to which losses are found; set by the training loop, pass by pass.
    """

    model: LinearModel
    loss: Loss
    l2: float = 0.0
    tolerance: float = 1e-6

    @property
    def examples(self) -> int:
        return self.model.examples

    @property
    def size(self) -> int:
        return self.model.size

    @property
    def blocks(self) -> list[slice]:
        return self.model.blocks

    def full(self, weights: np.ndarray, progress: Progress = no_progress) -> tuple[float, float, np.ndarray]:
        attained, bound, moments = self.values(weights, progress)
        return attained, bound, self.model.pull_back_all(moments) + self.l2 * weights

    def values(
        self, weights: np.ndarray, progress: Progress = no_progress
    ) -> tuple[float, float, np.ndarray]:
        """Attained value, its certified upper bound and the stacked moments at ``weights``."""
        potentials = self.model.all_potentials(weights)
        attained, bound, moments = self.loss.evaluate_all(self.model, potentials, self.tolerance, progress)
        penalty = 0.5 * self.l2 * float(weights @ weights)
        return attained + penalty, bound + penalty, moments

    def with_loss(self, make: Callable[[LinearModel], Loss], l2: float) -> Objective:
        return Objective(self.model, make(self.model), l2)

    def state(self) -> dict[str, np.ndarray]:
        return self.loss.state()

    def restore(self, state: dict[str, np.ndarray]) -> None:
        self.loss.restore(state)

    def kernels(self) -> tuple[NamedTuple, NamedTuple] | None:
        """Model and loss as the kernels take them, or None where examples are to be looked at one by one."""
        loss = self.loss.kernel()
        model = None if loss is None else self.model.kernel()
        return None if model is None else (model, loss)

    def example(self, example: int, local: np.ndarray) -> LossValue:
        """Loss of one example from the weights on its support, penalty left out."""
        return self.loss.evaluate(example, self.model.potentials(example, local), self.tolerance)
