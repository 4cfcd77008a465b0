"""Online AdaGrad (Duchi, Hazan & Singer, 2011) with sparse updates."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Interval

from advsp.engine.backends.description import Description
from advsp.support.arrays import Floats, Ints
from advsp.support.progress import Progress, no_progress
from advsp.training.objective import FullBatch, Objective, State, example_by_example
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.base import Optimiser, PassReport

#: Added to the root of the sum of squares, so that a weight without gradient stays put.
_EPSILON = 1e-8


@optimisers.register("adagrad")
@dataclass(frozen=True)
class AdaGrad(Optimiser):
    """One update per batch of examples, on the weights the batch touches.

    The L2 term is shared out: each example that touches a weight carries an equal part of that
    weight's penalty, so that the examples' objectives add up to the whole.

    Attributes
    ----------
    step: length of the first step of a weight.
    batch: examples per step.
    average: ``"iterates"`` predicts with the mean of all iterates, ``"none"`` with the last.
    dropout: share of the node features of chains that every pass leaves out of every token, drawn anew.
    """

    step: Annotated[float, Gt(0)] = 0.1
    batch: Annotated[int, Ge(1)] = 1
    average: Literal["none", "iterates"] = "iterates"
    dropout: Annotated[float, Interval(ge=0, lt=1)] | None = None

    def start(self, objective: FullBatch, weights: Floats) -> State:
        return {
            "weights": weights.copy(),
            "squares": np.zeros(len(weights)),
            # Sum over updates of (number of the update * change): the mean of the iterates follows
            # from it without touching every weight at every step.
            "drift": np.zeros(len(weights)),
            "updates": np.zeros(1, dtype=np.int64),
        }

    def run_pass(
        self, objective: FullBatch, state: State, order: Ints, progress: Progress = no_progress
    ) -> PassReport:
        objective = example_by_example(objective)
        if self.dropout:
            thin = objective.model.thinned(self.dropout, _drawn_from(order, state))
            objective = replace(objective, model=thin)
        return PassReport(objective=objective.online_pass(self, state, order, progress))

    def one_by_one(self, objective: Objective, state: State, order: Ints, progress: Progress) -> float:
        """A pass in numpy; the sum of the attained values and penalties."""
        weights, squares, drift = state["weights"], state["squares"], state["drift"]
        model, total, share = objective.model, 0.0, _share(objective)
        for first in range(0, len(order), self.batch):
            supports, gradients = [], []
            for example in order[first : first + self.batch]:
                support = model.support(example)
                local = weights[support]
                value = objective.example(example, local)
                total += value.attained
                if share is not None or value.moments.any():
                    gradient = model.adjoint(example, value.moments)
                    if share is not None:
                        penalty = share[support] * local
                        total += 0.5 * float(penalty @ local)
                        gradient += penalty
                    supports.append(support)
                    gradients.append(gradient)
                progress(1)
            if supports:
                support, gradient = _summed(supports, gradients)
                sums = squares[support] + gradient * gradient
                change = -self.step * gradient / (np.sqrt(sums) + _EPSILON)
                squares[support] = sums
                weights[support] += change
                drift[support] += state["updates"][0] * change
            state["updates"] += 1
        return total

    def rule(self, objective: Objective, state: State) -> Description:
        """The same pass, for kernels."""
        share = _share(objective)
        return Description(
            "adagrad",
            {
                **{name: state[name] for name in ("weights", "squares", "drift")},
                "share": np.empty(0) if share is None else objective.model.by_block(share),
                "step": float(self.step),
                "batch": self.batch,
            },
        )

    def weights(self, objective: FullBatch, state: State) -> Floats:
        if self.average == "none" or state["updates"][0] == 0:
            return state["weights"]
        # In one array: there may be millions of weights.
        mean: Floats = state["drift"] / -state["updates"][0]
        mean += state["weights"]
        return mean


def _drawn_from(order: Ints, state: State) -> np.random.Generator:
    """Chance of a pass: its order, which the seed decides, and the number of updates before it."""
    drawn = hashlib.sha256(np.asarray(order, dtype="<i8").tobytes()).digest()
    return np.random.default_rng([int(state["updates"][0]), *np.frombuffer(drawn, dtype="<u4").tolist()])


def _share(objective: Objective) -> Floats | None:
    """The part of every weight's penalty that each example carries that touches it, [size]; None without."""
    if objective.l2 == 0:
        return None
    share: Floats = objective.l2 / np.maximum(objective.model.frequencies(), 1)
    return share


def _summed(supports: list[Ints], gradients: list[Floats]) -> tuple[Ints, Floats]:
    """Distinct indices of several sparse gradients, and their sum over those."""
    if len(supports) == 1:
        return supports[0], gradients[0]
    support, place = np.unique(np.concatenate(supports), return_inverse=True)
    summed = np.bincount(place.ravel(), np.concatenate(gradients), minlength=len(support))
    # numpy's types know counts alone; sums of gradients are floats.
    return support, summed.astype(float, copy=False)
