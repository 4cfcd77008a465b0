"""L-BFGS through scipy, after some passes of AdaGrad where the loss has kinks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt
from scipy.optimize import OptimizeResult, minimize

from advsp.support.arrays import Floats, Ints
from advsp.support.progress import Progress, no_progress
from advsp.training.objective import FullBatch, State
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.adagrad import AdaGrad
from advsp.training.optimisers.base import Optimiser, PassReport

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
    improvement: a pass has converged when the objective's mean relative improvement over the last ten
        iterations falls below this (or by scipy's own test of the gradient).
    warm: passes of online AdaGrad before the first of L-BFGS.
    warm_step: its step; L-BFGS begins at the mean of its iterates.
    l1: weight of the L1 penalty, l1 times the sum of all absolute weights; none by default.  The weights are
        the differences of two vectors that are not negative, on which the penalty is smooth.
    """

    iterations: Annotated[int, Ge(1)] = 100
    memory: Annotated[int, Ge(1)] = 25
    improvement: Annotated[float, Ge(0)] = 1e-6
    warm: Annotated[int, Ge(0)] = 0
    warm_step: Annotated[float, Gt(0)] = 0.1
    l1: Annotated[float, Gt(0)] | None = None

    @property
    def full_batch(self) -> bool:
        return self.warm == 0

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

        def penalised(parts: Floats) -> tuple[float, Floats]:
            attained, gradient = value(_difference(parts))
            return attained + penalty * float(parts.sum()), np.concatenate([gradient, -gradient]) + penalty

        def watch(intermediate_result: OptimizeResult) -> None:
            nonlocal stopped
            values.append(float(intermediate_result.fun))
            progress(max(1, examples // self.iterations))
            window = min(_WINDOW, len(values) - 1)
            if window >= _FEWEST:
                gained = (values[-1 - window] - values[-1]) / window
                stopped = gained < self.improvement * abs(values[-1])
                if stopped:
                    raise StopIteration

        penalty, weights = self.l1 or 0.0, state["weights"]
        result = minimize(
            penalised if penalty else value,
            np.concatenate([np.maximum(weights, 0.0), np.maximum(-weights, 0.0)]) if penalty else weights,
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, None)] * (2 * len(weights)) if penalty else None,
            callback=watch,
            options={"maxiter": self.iterations, "maxcor": self.memory, "ftol": 0.0, "gtol": 1e-6},
        )
        state["weights"] = _difference(result.x) if penalty else result.x
        progress(examples - len(values) * examples // self.iterations)
        # A line search that breaks down at a kink is no convergence.
        return PassReport(objective=float(result.fun), converged=bool(stopped or result.success))


def _difference(parts: Floats) -> Floats:
    """The weights [size] whose positive and negative parts [2 size] are given."""
    positive, negative = parts.reshape(2, -1)
    return positive - negative
