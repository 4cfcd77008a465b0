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
from typing import Generic, TypeAlias, TypeVar

import numpy as np

from advsp.engine.backends.base import Backend, Decisions, Evaluation, OnlineOptimiser
from advsp.engine.backends.description import Described
from advsp.engine.backends.opening import open_backend
from advsp.engine.game import GameSpec
from advsp.engine.settings import Engine
from advsp.support.arrays import Array, Floats, Ints, Labels
from advsp.support.equality import equal_by_value
from advsp.support.progress import Progress, no_progress
from advsp.training.linear import LinearModel

ModelT_co = TypeVar("ModelT_co", bound=LinearModel, covariant=True)

#: What an optimiser or a loss remembers; arrays only, so that a checkpoint holds all of it.
State = dict[str, Array]


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
    moments: Floats


class LossOf(Described, ABC, Generic[ModelT_co]):
    """A convex loss of the potentials of every example of one kind of linear model.

    Attributes
    ----------
    model: the linear map whose examples they are.
    backend: where it is computed.
    specs: the games that make it up, none for losses of another kind.
    decided: numbers a position that deciding gives: one, or one a label.
    unfinished: what no certified answer may be found for, and what is said of so many of it.
    uncertified: how many of it there were so far.
    """

    specs: tuple[GameSpec, ...] = ()
    decided: int = 1
    uncertified: int = 0
    unfinished: tuple[str, str] = ("game", "ended early: the simplex found no certified answer")

    def __init__(self, model: ModelT_co, backend: Backend | None = None) -> None:
        self.model = model
        self.backend = backend or open_backend(Engine(oracle="numpy"))

    @property
    def offsets(self) -> Ints:
        """Rows of the examples, int [N + 1]."""
        return self.model.offsets

    def start(self) -> tuple[Floats, Floats]:
        """A distribution P of every example for a dual method to begin from, near the gold labelling.

        Returns
        -------
        The stacked moments of P less the gold ones [offsets[-1], w], and G(P) of every example [N].  It is
        the gold labelling itself unless a loss maximises over a set that may not hold it.
        """
        moments = np.zeros((int(self.offsets[-1]), self.model.width))
        return moments, np.zeros(self.model.examples)

    @abstractmethod
    def evaluate(self, example: int, potentials: Floats, tolerance: float) -> LossValue:
        """The loss at ``potentials`` [n, w], to ``tolerance`` where it is found by iteration."""

    def evaluate_all(
        self, potentials: Floats, tolerance: float, progress: Progress = no_progress
    ) -> Evaluation:
        """Sums of ``attained`` and ``bound`` over all examples, and the stacked moments: the reference.

        Those who train ask the backend.
        """
        attained = bound = 0.0
        moments = np.empty_like(potentials)
        for example in range(self.model.examples):
            rows = self.model.rows(example)
            value = self.evaluate(example, potentials[rows], tolerance)
            attained, bound = attained + value.attained, bound + value.bound
            moments[rows] = value.moments
            progress(1)
        return attained, bound, moments

    def decode_all(
        self,
        number: int,
        potentials: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> Decisions:
        """See :meth:`advsp.engine.backends.base.Backend.decode`: the reference."""
        raise NotImplementedError(f"{type(self).__name__} decides nothing")

    def gold_labels(self) -> Labels:
        """Gold labels of all examples, int8 [T]."""
        return self.model.labels

    def state(self) -> State:
        """What the loss remembers between passes, for checkpoints; empty if it never does."""
        return {}

    def restore(self, state: State) -> None:
        """Take up a remembered :meth:`state`."""

    def tally(self) -> Floats:
        """Sums over the examples that :meth:`renew` takes after a pass; empty if nothing is renewed."""
        return np.empty(0)

    def renew(self, tally: Floats) -> None:
        """Renew what all examples share by the :meth:`tally` of all of them."""
        raise NotImplementedError(f"{type(self).__name__} renews nothing")


#: A loss, whatever the linear model.
Loss: TypeAlias = LossOf[LinearModel]


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

    @property
    def uncertified(self) -> int | None:
        """Answers so far for which no certificate was found; None where losses are evaluated elsewhere."""
        return None

    @abstractmethod
    def full(self, weights: Floats, progress: Progress = no_progress) -> tuple[float, float, Floats]:
        """Attained value, its certified upper bound and a subgradient [size] at ``weights``."""

    @abstractmethod
    def with_loss(self, make: Callable[[LinearModel], Loss], l2: float) -> FullBatch:
        """The objective of another loss, made from a linear model, of the same examples."""

    @abstractmethod
    def state(self) -> State:
        """What the losses remember between passes, for checkpoints."""

    @abstractmethod
    def restore(self, state: State) -> None:
        """Take up a remembered :meth:`state`."""

    @abstractmethod
    def renew(self) -> None:
        """Renew what losses share by what the pass before found, see :meth:`LossOf.renew`."""


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

    @property
    def uncertified(self) -> int:
        return self.loss.uncertified

    def full(self, weights: Floats, progress: Progress = no_progress) -> tuple[float, float, Floats]:
        attained, bound, moments = self.values(weights, progress)
        gradient = self.model.adjoint_all(moments)
        if self.l2 != 0.0:
            gradient += self.l2 * weights
        return attained, bound, gradient

    def values(self, weights: Floats, progress: Progress = no_progress) -> Evaluation:
        """Attained value, its certified upper bound and the stacked moments at ``weights``."""
        potentials = self.model.all_potentials(weights)
        loss = self.loss
        attained, bound, moments = loss.backend.evaluate(loss, potentials, self.tolerance, progress)
        penalty = 0.5 * self.l2 * float(weights @ weights)
        return attained + penalty, bound + penalty, moments

    def with_loss(self, make: Callable[[LinearModel], Loss], l2: float) -> Objective:
        return Objective(self.model, make(self.model), l2)

    def state(self) -> State:
        return self.loss.state()

    def restore(self, state: State) -> None:
        self.loss.restore(state)

    def renew(self) -> None:
        tally = self.loss.tally()
        if tally.size:
            self.loss.renew(tally)

    def online_pass(
        self, optimiser: OnlineOptimiser[Objective], state: State, order: Ints, progress: Progress
    ) -> float:
        """One pass of an optimiser over the examples in ``order`` [N]; the sum of the attained values."""
        return self.loss.backend.online_pass(optimiser, self, state, order, progress)

    def example(self, example: int, local: Floats) -> LossValue:
        """Loss of one example from the weights on its support, penalty left out."""
        return self.loss.evaluate(example, self.model.potentials(example, local), self.tolerance)


def example_by_example(objective: FullBatch) -> Objective:
    """An objective for an optimiser that goes from example to example.

    Raises
    ------
    TypeError: its examples are not at hand, as those of shards are not.
    """
    if not isinstance(objective, Objective):
        raise TypeError(f"{type(objective).__name__} can only be looked at as a whole")
    return objective
