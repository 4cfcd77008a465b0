"""Logistic regression of every possible link by itself: what features alone can do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Gt

from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.base import Decoded
from advsp.learners.edge_learner import EdgeLearner
from advsp.learners.edge_losses import EdgeLogLoss, label_probabilities
from advsp.support.arrays import Floats
from advsp.support.progress import Progress, no_progress
from advsp.training.edge_model import EdgeModel, LengthScale, Possible, PossibleFeatures
from advsp.training.instances import EdgeInstances


@learners.register("logistic")
@dataclass(frozen=True)
class LogisticLinks(EdgeLearner):
    """Multinomial over the labels of an edge.

    Attributes
    ----------
    possible: ``"label"`` tells S, P and N apart, ``"ignore"`` S and N, possible links left out.
    possible_features: the features that P has weights for.
    scale: whether a pair's features are divided by its length.
    bias: value of the bias feature, 1 if not given; at 10 L2 hardly shrinks the bias, at 100 not at all.
    """

    possible: Possible = "ignore"
    possible_features: PossibleFeatures = "all"
    scale: LengthScale = "none"
    bias: Annotated[float, Gt(0)] | None = None

    def model(self, instances: EdgeInstances) -> EdgeModel:
        return EdgeModel(instances, self.possible, self.possible_features, self.scale, self.bias)

    def loss(self, model: EdgeModel, classes: Sequence[str], engine: Engine) -> EdgeLogLoss:
        return EdgeLogLoss(model)

    def decode(
        self,
        model: EdgeModel,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """A link where S is the most probable label; the marginal is the probability of S."""
        potentials = model.all_potentials(weights)
        probabilities, _ = label_probabilities(potentials)
        best = potentials.argmax(axis=1)
        mode = (best == 0) & (potentials[:, 0] > 0.0)
        progress(model.examples)
        return {name: Decoded(mode, probabilities[:, 0]) for name in classes}
