"""AdaDelta (Zeiler, 2012): the optimiser the paper names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Interval

from advsp.support.arrays import Floats, Ints
from advsp.support.progress import Progress, no_progress
from advsp.training.objective import FullBatch, State, example_by_example
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.base import Optimiser, PassReport


@optimisers.register("adadelta")
@dataclass(frozen=True)
class AdaDelta(Optimiser):
    """Steps scaled by the ratio of running means of squared changes and squared gradients.

    Attributes
    ----------
    batch: examples per step; 0 takes all of them.
    decay: weight of the past in the running means.
    epsilon: added under both roots; sets the size of the first steps.
    """

    batch: Annotated[int, Ge(0)] = 0
    decay: Annotated[float, Interval(gt=0, lt=1)] = 0.95
    epsilon: Annotated[float, Gt(0)] = 1e-6

    @property
    def full_batch(self) -> bool:
        return self.batch == 0

    def start(self, objective: FullBatch, weights: Floats) -> State:
        return {
            "weights": weights.copy(),
            "squares": np.zeros_like(weights),
            "changes": np.zeros_like(weights),
        }

    def run_pass(
        self, objective: FullBatch, state: State, order: Ints, progress: Progress = no_progress
    ) -> PassReport:
        weights, total = state["weights"], 0.0
        if self.full_batch:
            total, _, gradient = objective.full(weights, progress)
            self._step(state, gradient)
            return PassReport(objective=total)
        objective = example_by_example(objective)
        model = objective.model
        for first in range(0, len(order), self.batch):
            batch = order[first : first + self.batch]
            part = len(batch) / len(order)
            gradient = part * objective.l2 * weights
            total += 0.5 * part * objective.l2 * float(weights @ weights)
            for example in batch:
                support = model.support(example)
                value = objective.example(example, weights[support])
                total += value.attained
                if value.moments.any():
                    gradient[support] += model.adjoint(example, value.moments)
                progress(1)
            self._step(state, gradient)
        return PassReport(objective=total)

    def _step(self, state: State, gradient: Floats) -> None:
        """Move the weights against a gradient [size]."""
        squares, changes = state["squares"], state["changes"]
        squares *= self.decay
        squares += (1.0 - self.decay) * gradient * gradient
        change = -np.sqrt((changes + self.epsilon) / (squares + self.epsilon)) * gradient
        changes *= self.decay
        changes += (1.0 - self.decay) * change * change
        state["weights"] += change
