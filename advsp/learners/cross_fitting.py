"""Links by logistic regression, those of every sentence pair by a model that has not seen its labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit

from advsp.engine.measures.roles import P, S
from advsp.support.arrays import Bools, Floats, Singles
from advsp.training.instances import BIAS, EdgeInstances

#: Most steps of Newton's method, and the decrement, as a share of the objective, that is none.
_STEPS, _NONE = 100, 1e-12
#: The part of the expected decrease that a step must bring, or else it is halved.
_ENOUGH = 1e-4
#: The part of the greatest curvature of an edge below which others have none.
_FLAT = 1e-2
#: Edges that are enough to know the curvature of all, at least, and for every feature.
_ROWS, _ROWS_A_FEATURE = 4096, 20


@dataclass(frozen=True)
class FirstStage:
    """Logistic regression of sure links against none; possible ones are left out.

    Attributes
    ----------
    l2: weight of the L2 term.
    folds: parts of the pairs, of which each is left out of the model that says something of its pairs.
    bias: value of the bias feature, see :class:`~advsp.training.edge_model.EdgeModel`.
    """

    l2: Annotated[float, Gt(0)] = 100.0
    folds: Annotated[int, Ge(2)] = 8
    bias: Annotated[float, Gt(0)] = 100.0

    def weights(self, instances: EdgeInstances) -> Floats:
        """What all pairs teach, float64 [F], of the features as they stand."""
        kept = instances.labels != P
        values = np.where(np.array(instances.feature_names) == BIAS, self.bias, 1.0)
        return values * regression(instances.features[kept] * values, instances.labels[kept] == S, self.l2)

    def cross_fit(self, instances: EdgeInstances) -> tuple[Floats, Floats]:
        """The weights of all pairs [F], and log-odds of all edges [T] by models without theirs."""
        everything = self.weights(instances)
        logits = np.empty(len(instances.labels))
        # Which pairs are left out together is drawn by the number of parts alone.
        order = np.random.default_rng(self.folds).permutation(len(instances))
        for part in range(self.folds):
            out = np.sort(order[part :: self.folds])
            if not len(out):
                continue
            kept = np.setdiff1d(order, out)
            # From nothing, every time: a first guess by all pairs would know the labels of those left out.
            weights = self.weights(instances.take(kept)) if len(kept) else np.zeros_like(everything)
            for pair in out:
                rows = instances.rows(int(pair))
                logits[rows] = instances.features[rows] @ weights
        return everything, logits


def regression(features: Floats, positive: Bools, l2: float) -> Floats:
    """The weights [F] of a logistic regression with an L2 term, by Newton's method from zero.

    Curvature is only nearly that of all edges, in single precision: steps are nearly those of Newton, and end
    where the gradient does, which is exact.

    Parameters
    ----------
    features: float64 [T, F].
    positive: bool [T].
    l2: weight of the L2 term, more than 0.
    """
    signs, single = np.where(positive, 1.0, -1.0), features.astype(np.float32)

    def value(weights: Floats, odds: Floats) -> float:
        return float(np.logaddexp(0.0, -signs * odds).sum() + 0.5 * l2 * weights @ weights)

    weights: Floats = np.zeros(features.shape[1])
    odds: Floats = np.zeros(len(features))
    best = value(weights, odds)
    for _ in range(_STEPS):
        probabilities = expit(odds)
        gradient = features.T @ (probabilities - positive) + l2 * weights
        curvature = _curvature(single, probabilities * (1 - probabilities))
        curvature[np.diag_indices_from(curvature)] += l2
        step = cho_solve(cho_factor(curvature, overwrite_a=True), -gradient)
        slope = float(gradient @ step)
        if -slope <= _NONE * best:
            break
        along, length = features @ step, 1.0
        while (
            found := value(weights + length * step, odds + length * along)
        ) > best + _ENOUGH * length * slope:
            length /= 2
            if length < _NONE:  # nothing but rounding errors is left
                return weights
        weights, odds, best = weights + length * step, odds + length * along, found
    return weights


def _curvature(features: Singles, weights: Floats) -> Floats:
    """The sum over edges of their weight times the products of their features, float64 [F, F], about."""
    some = np.flatnonzero(weights > _FLAT * weights.max())
    every = max(1, len(some) // max(_ROWS, _ROWS_A_FEATURE * features.shape[1]))
    some = some[::every]
    rows = features[some]
    product: Floats = ((rows * weights[some].astype(np.float32)[:, None]).T @ rows).astype(np.float64)
    product *= every
    return product
