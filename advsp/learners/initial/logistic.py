"""The solution of a logistic regression, scaled to the games.

Potentials near zero make the hardest games: with n positions whose labels are all alike the adversary
needs n + 1 strategies.  A regression of every position by itself costs next to nothing and points the
right way; how far to go that way, the training objective itself says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt
from scipy.optimize import minimize

from advsp.learners.base import Learner
from advsp.learners.initial import initials
from advsp.learners.initial.base import Initial
from advsp.support.arrays import Floats
from advsp.support.errors import InputError
from advsp.training.objective import FullBatch

#: A scale looked at is so many times the next one: the scale that is too small is so by this at most.
_STEP = 2.0**0.5
#: A block whose best scale is smaller starts from zero.
_SMALLEST = 2e-3


@initials.register("logistic")
@dataclass(frozen=True)
class Logistic(Initial):
    """Weights c * w: w minimises the learner's log-loss of single positions, c the training objective.

    Every block of the model's weights has a scale of its own.

    Attributes
    ----------
    l2: weight of the L2 term of the regression.
    iterations: most iterations of L-BFGS.
    scale: c of all blocks; 0 looks for the best ones.
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

    def weights(
        self, learner: Learner, objective: FullBatch, seed: int, classes: Sequence[str] = ()
    ) -> Floats:
        solution = self._regression(learner, objective)
        return self.scale * solution if self.scale else best_scaled(objective, solution)

    def _regression(self, learner: Learner, objective: FullBatch) -> Floats:
        regression = objective.with_loss(learner.log_loss, self.l2)

        def value(weights: Floats) -> tuple[float, Floats]:
            attained, _, gradient = regression.full(weights)
            return attained, gradient

        solution: Floats = minimize(
            value,
            np.zeros(objective.size),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": self.iterations, "maxcor": 25, "ftol": 1e-12, "gtol": 1e-6},
        ).x
        return solution


def best_scaled(objective: FullBatch, direction: Floats) -> Floats:
    """The weights that are best, block by block, among ``direction`` scaled down.

    All scales fall from 1, each until the slope of the convex objective along its block changes its sign;
    between the last two scales that slope is taken for a straight line.  Scales much smaller than the best
    ones, whose games are the hardest, are never looked at.
    """
    blocks = objective.blocks
    scales, before = np.ones(len(blocks)), np.full(len(blocks), np.inf)
    falling = np.ones(len(blocks), dtype=bool)
    while True:
        weights = np.concatenate([c * direction[block] for c, block in zip(scales, blocks, strict=True)])
        gradient = objective.full(weights)[2]
        slopes = np.array([gradient[block] @ direction[block] for block in blocks])
        for block in np.flatnonzero(falling & (slopes <= 0.0)):
            falling[block] = False
            if np.isfinite(before[block]):
                part = slopes[block] / (slopes[block] - before[block])
                scales[block] *= 1.0 + (_STEP - 1.0) * part
        scales[falling & (scales < _SMALLEST)] = 0.0
        falling &= scales > 0.0
        if not falling.any():
            return np.concatenate([c * direction[block] for c, block in zip(scales, blocks, strict=True)])
        before = slopes
        scales[falling] /= _STEP
