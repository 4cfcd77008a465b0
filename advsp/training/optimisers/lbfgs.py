"""L-BFGS through scipy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from advsp.training.objective import Objective, Tick, no_tick
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.base import Optimiser, PassReport, State


@optimisers.register("lbfgs")
@dataclass(frozen=True)
class LBFGS(Optimiser):
    """A pass is one run of limited-memory BFGS from the weights of the pass before.

    Made for smooth losses.  The adversarial loss has kinks, the largest at zero potentials, where a
    line search stalls: start it from a few passes of another optimiser.

    Attributes
    ----------
    iterations: most iterations a pass.
    memory: number of corrections kept.
    improvement: a pass has converged when the objective's mean relative improvement over the last ten
        iterations falls below this (or by scipy's own test of the gradient).
    """

    iterations: int = 100
    memory: int = 25
    improvement: float = 1e-6

    def start(self, objective: Objective, weights: np.ndarray) -> State:
        return {"weights": weights.copy()}

    def run_pass(
        self, objective: Objective, state: State, order: np.ndarray, tick: Tick = no_tick
    ) -> PassReport:
        values: list[float] = []
        stopped = False

        def value(weights: np.ndarray) -> tuple[float, np.ndarray]:
            attained, _, gradient = objective.full(weights)
            return attained, gradient

        def watch(intermediate_result) -> None:
            nonlocal stopped
            values.append(float(intermediate_result.fun))
            tick(max(1, len(order) // self.iterations))
            window = min(10, len(values) - 1)
            if window >= 5:
                gained = (values[-1 - window] - values[-1]) / window
                stopped = gained < self.improvement * abs(values[-1])
                if stopped:
                    raise StopIteration

        result = minimize(
            value,
            state["weights"],
            jac=True,
            method="L-BFGS-B",
            callback=watch,
            options={"maxiter": self.iterations, "maxcor": self.memory, "ftol": 0.0, "gtol": 1e-6},
        )
        state["weights"] = result.x
        return PassReport(objective=float(result.fun), converged=bool(stopped or result.nit < self.iterations))
