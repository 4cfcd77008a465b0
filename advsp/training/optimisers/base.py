"""What an optimiser is: a state of arrays, and a pass over the examples that moves it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from advsp.support.arrays import Floats, Ints
from advsp.support.progress import Progress, no_progress
from advsp.training.objective import FullBatch, State


@dataclass(frozen=True)
class PassReport:
    """What one pass over the examples found.

    Attributes
    ----------
    objective: value of the objective as seen during the pass (at moving weights, if they move).
    gap: certified distance from the optimum, where the optimiser has one.
    converged: whether the optimiser's own stopping rule says that further passes are pointless.
    """

    objective: float
    gap: float | None = None
    converged: bool = False


class Optimiser(ABC):
    """Minimises an :class:`~advsp.training.objective.Objective`; one of full batches, any ``FullBatch``.

    An optimiser holds options only; all that changes is in the state, so that a run stopped after
    any pass goes on from its checkpoint exactly as if it had never stopped.

    Attributes
    ----------
    needs_l2: whether the objective's ``l2`` must be positive.
    """

    needs_l2: ClassVar[bool] = False

    @property
    def full_batch(self) -> bool:
        """Whether it looks at the objective as a whole only, so that any ``FullBatch`` will do."""
        return False

    @property
    def vectors(self) -> int:
        """About how many arrays of the size of the weights a pass holds at a time, copies among them."""
        return 7

    @abstractmethod
    def start(self, objective: FullBatch, weights: Floats) -> State:
        """The state before the first pass, from initial ``weights`` [size]."""

    @abstractmethod
    def run_pass(
        self, objective: FullBatch, state: State, order: Ints, progress: Progress = no_progress
    ) -> PassReport:
        """One pass over the examples in ``order`` [N], changing ``state`` in place."""

    def weights(self, objective: FullBatch, state: State) -> Floats:
        """The weights to predict with, [size]."""
        return state["weights"]
