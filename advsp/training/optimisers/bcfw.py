"""Block-coordinate conditional gradient with its duality gap.

Frank-Wolfe on the dual, one example at a time (Lacoste-Julien, Jaggi, Schmidt & Pletscher, 2013),
for any loss of the form max_P { <d(P), potentials> - G(P) }: the dual is
-|sum_i A_i' d_i|^2 / (2 l2) - sum_i G_i with weights = -sum_i A_i' d_i / l2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt

from advsp.engine.backends.description import Description
from advsp.support.arrays import Floats, Ints
from advsp.support.progress import Progress, no_progress
from advsp.training.objective import FullBatch, Objective, State, example_by_example
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.base import Optimiser, PassReport


@optimisers.register("bcfw")
@dataclass(frozen=True)
class BlockCoordinateFrankWolfe(Optimiser):
    """Exact line search per example, no step size; the gap certifies the distance from the optimum.

    The dual point begins at the gold labellings, or as near to them as the loss allows: their weights are
    zero or small, and initial weights are not used.  ``l2`` of the objective must be positive.

    Attributes
    ----------
    gap: stop once the certified gap is at most this fraction of the number of examples.
    certify_every: passes between certifications, each of which costs a pass at fixed weights.
    average: ``"weighted"`` predicts with the mean of all iterates, the k-th one weighted by k
        (Lacoste-Julien et al., section 5); ``"none"`` with the last.  The gap is that of the weights
        predicted with.
    """

    gap: Annotated[float, Gt(0)] = 0.005
    certify_every: Annotated[int, Ge(1)] = 10
    average: Literal["none", "weighted"] = "none"

    needs_l2 = True

    def start(self, objective: FullBatch, weights: Floats) -> State:
        if not objective.l2 > 0:
            raise ValueError("block-coordinate conditional gradient needs l2 > 0")
        objective = example_by_example(objective)
        moments, gains = objective.loss.start()
        return {
            "weights": -objective.model.adjoint_all(moments) / objective.l2,
            "moments": moments,
            "gains": gains,
            "passes": np.zeros(1, dtype=np.int64),
            # Sum over updates j of (j (j - 1) / 2 * change): the weighted mean of the iterates follows from
            # it without touching every weight at every step.
            "drift": np.zeros(objective.model.size),
            "updates": np.zeros(1, dtype=np.int64),
        }

    def run_pass(
        self, objective: FullBatch, state: State, order: Ints, progress: Progress = no_progress
    ) -> PassReport:
        objective = example_by_example(objective)
        total = objective.online_pass(self, state, order, progress)
        weights, l2 = state["weights"], objective.l2
        state["passes"] += 1
        penalty = 0.5 * l2 * float(weights @ weights)
        if state["passes"][0] % self.certify_every:
            return PassReport(objective=total + penalty)
        gap = float(self._certified_gap(objective, state))
        if not np.isfinite(gap):  # approximate responses certify nothing
            return PassReport(objective=total + penalty)
        converged = gap <= self.gap * objective.model.examples
        return PassReport(objective=total + penalty, gap=gap, converged=converged)

    def one_by_one(self, objective: Objective, state: State, order: Ints, progress: Progress) -> float:
        """A pass in numpy; the sum of the attained values."""
        weights, moments, gains = state["weights"], state["moments"], state["gains"]
        model, l2, total = objective.model, objective.l2, 0.0
        for example in order:
            support, rows = model.support(example), model.rows(example)
            potentials = model.potentials(example, weights[support])
            value = objective.loss.evaluate(example, potentials, objective.tolerance)
            total += value.attained
            gain = float(np.vdot(value.moments, potentials)) - value.attained
            direction = value.moments - moments[rows]
            gradient = model.adjoint(example, direction)
            length = float(gradient @ gradient)
            state["updates"] += 1
            block_gap = float(np.vdot(direction, potentials)) - (gain - gains[example])
            if block_gap > 0.0:
                share = min(1.0, l2 * block_gap / length) if length > 0.0 else 1.0
                moments[rows] += share * direction
                gains[example] += share * (gain - gains[example])
                change = -share * gradient / l2
                weights[support] += change
                if self.average == "weighted":
                    number = float(state["updates"][0])
                    state["drift"][support] += 0.5 * number * (number - 1.0) * change
            progress(1)
        return total

    def rule(self, objective: Objective, state: State) -> Description:
        """The same pass, for kernels."""
        return Description(
            "frank-wolfe",
            {
                **{name: state[name] for name in ("weights", "moments", "gains", "drift")},
                "l2": float(objective.l2),
                "weighted": self.average == "weighted",
            },
        )

    def weights(self, objective: FullBatch, state: State) -> Floats:
        updates = float(state["updates"][0])
        if self.average == "none" or updates == 0.0:
            return state["weights"]
        return state["weights"] - state["drift"] / (0.5 * updates * (updates + 1.0))

    def _certified_gap(self, objective: Objective, state: State) -> float:
        """Upper bound of the primal at the weights predicted with, less the dual."""
        # The weights are recomputed from the dual point, so that rounding cannot accumulate.
        state["weights"] = -objective.model.adjoint_all(state["moments"]) / objective.l2
        _, bound, _ = objective.values(self.weights(objective, state))
        dual = -0.5 * objective.l2 * float(state["weights"] @ state["weights"]) - float(state["gains"].sum())
        return bound - dual
