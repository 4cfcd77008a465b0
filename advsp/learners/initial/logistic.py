"""The solution of a logistic regression, scaled to the games.

Potentials near zero make the hardest games: with n positions whose labels are all alike the adversary
needs n + 1 strategies.  A regression of every position by itself costs next to nothing and points the
right way; how far to go that way, the training objective itself says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt
from scipy.optimize import minimize

from advsp.errors import InputError
from advsp.learners.base import Learner
from advsp.learners.initial import initials
from advsp.learners.initial.base import Initial
from advsp.training.objective import Objective

#: A scale looked at is so many times the next one: the scale that is too small is so by this at most.
_STEP = 2.0**0.5
#: The search ends here if the objective still falls.
_SMALLEST = 1e-4


@initials.register("logistic")
@dataclass(frozen=True)
class Logistic(Initial):
    """Weights c * w: w minimises the learner's log-loss of single positions, c the training objective.

    Attributes
    ----------
    l2: weight of the L2 term of the regression.
    iterations: most iterations of L-BFGS.
    scale: c; 0 looks for the best one.
    """

    l2: Annotated[float, Ge(0)] = 1.0
    iterations: Annotated[int, Gt(0)] = 500
    scale: Annotated[float, Ge(0)] = 0.0

    def check(self, learner: Learner) -> None:
        if not learner.has_log_loss:
            raise InputError(
                "this learner has no log-loss of single positions",
                key="optimiser.initial",
                hint="choose zeros or uniform",
            )

    def weights(self, learner: Learner, objective: Objective, seed: int) -> np.ndarray:
        solution = self._regression(learner, objective)
        return (self.scale or best_scale(objective, solution)) * solution

    def _regression(self, learner: Learner, objective: Objective) -> np.ndarray:
        regression = Objective(objective.model, learner.log_loss(objective.model), self.l2)

        def value(weights: np.ndarray) -> tuple[float, np.ndarray]:
            attained, _, gradient = regression.full(weights)
            return attained, gradient

        return minimize(
            value,
            np.zeros(objective.model.size),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": self.iterations, "maxcor": 25, "ftol": 1e-12, "gtol": 1e-6},
        ).x


def best_scale(objective: Objective, direction: np.ndarray) -> float:
    """The scale c at which the convex objective is smallest along ``direction``.

    The scale falls from 1 until the slope changes its sign; between the last two the slope is taken for a
    straight line.  Scales much smaller than the best one, whose games are the hardest, are never looked at.
    """

    def slope(scale: float) -> float:
        return float(objective.full(scale * direction)[2] @ direction)

    scale, here = 1.0, slope(1.0)
    while here > 0.0 and scale > _SMALLEST:
        lower = scale / _STEP
        there = slope(lower)
        if there <= 0.0:
            return lower + (scale - lower) * there / (there - here)
        scale, here = lower, there
    return scale
