"""L-BFGS, after some passes of AdaGrad where the loss has kinks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt

from advsp.support.arrays import Floats, Ints
from advsp.support.progress import Progress, no_progress
from advsp.training.objective import FullBatch, State
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.adagrad import AdaGrad
from advsp.training.optimisers.base import Optimiser, PassReport
from advsp.training.optimisers.corrections import Precision
from advsp.training.optimisers.quasi_newton import descend, descend_sparsely

#: Iterations over which the mean improvement is taken, and the fewest that are enough to judge it.
_WINDOW, _FEWEST = 10, 5


@optimisers.register("lbfgs")
@dataclass(frozen=True)
class LBFGS(Optimiser):
    """A pass is one run of limited-memory BFGS from the weights of the pass before.

    Made for smooth losses.  The adversarial loss has kinks, the largest at zero potentials, where a
    line search stalls at once: give it a few warm passes.

    Attributes
    ----------
    iterations: most iterations a pass.
    memory: number of corrections kept.
    precision: in which they are kept.  ``single`` takes half the memory where there are millions of weights,
        and ends at the same objective within what ``improvement`` leaves open.
    improvement: a pass has converged when the objective's mean relative improvement over the last ten
        iterations falls below this, or where the gradient vanishes.
    warm: passes of online AdaGrad before the first of L-BFGS.
    warm_step: its step; L-BFGS begins at the mean of its iterates.
    l1: weight of the L1 penalty, l1 times the sum of all absolute weights; none by default.
    """

    iterations: Annotated[int, Ge(1)] = 100
    memory: Annotated[int, Ge(1)] = 25
    precision: Precision = "double"
    improvement: Annotated[float, Ge(0)] = 1e-6
    warm: Annotated[int, Ge(0)] = 0
    warm_step: Annotated[float, Gt(0)] = 0.1
    l1: Annotated[float, Gt(0)] | None = None

    @property
    def full_batch(self) -> bool:
        return self.warm == 0

    @property
    def vectors(self) -> int:
        return super().vectors + (2 if self.precision == "double" else 1) * self.memory

    def start(self, objective: FullBatch, weights: Floats) -> State:
        passes = {"passes": np.zeros(1, dtype=np.int64)}
        return passes | (
            self._warm_up.start(objective, weights) if self.warm else {"weights": weights.copy()}
        )

    @property
    def _warm_up(self) -> AdaGrad:
        return AdaGrad(step=self.warm_step)

    def run_pass(
        self, objective: FullBatch, state: State, order: Ints, progress: Progress = no_progress
    ) -> PassReport:
        state["passes"] += 1
        if state["passes"][0] <= self.warm:
            report = self._warm_up.run_pass(objective, state, order, progress)
            if state["passes"][0] == self.warm:
                state["weights"] = self._warm_up.weights(objective, state)
                for finished in ("squares", "drift", "updates"):
                    del state[finished]
            return report
        return self._descend(objective, state, len(order), progress)

    def weights(self, objective: FullBatch, state: State) -> Floats:
        return self._warm_up.weights(objective, state) if "drift" in state else state["weights"]

    def _descend(self, objective: FullBatch, state: State, examples: int, progress: Progress) -> PassReport:
        values: list[float] = []
        stopped = False

        def value(weights: Floats) -> tuple[float, Floats]:
            attained, _, gradient = objective.full(weights)
            return attained, gradient

        def watch(value: float) -> bool:
            """Whether the objective hardly improves any more."""
            nonlocal stopped
            values.append(value)
            progress(max(1, examples // self.iterations))
            window = min(_WINDOW, len(values) - 1)
            if window >= _FEWEST:
                gained = (values[-1 - window] - values[-1]) / window
                stopped = gained < self.improvement * abs(values[-1])
            return stopped

        how = descend if self.l1 is None else partial(descend_sparsely, penalty=self.l1)
        found = how(
            value,
            state["weights"],
            memory=self.memory,
            precision=self.precision,
            iterations=self.iterations,
            watch=watch,
        )
        state["weights"] = found.weights
        progress(examples - len(values) * examples // self.iterations)
        # A line search that breaks down at a kink is no convergence.
        return PassReport(objective=found.value, converged=stopped or found.flat)
