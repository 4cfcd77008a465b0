"""Stacking (Wolpert 1992): a link learner that looks at what a first one says of links and their neighbours.

The first stage is a logistic regression of every link by itself.  The second stage, any learner of links, has
no other features than the first one's log-odds and probability, and where the link stands among others by
that probability.  In training the first stage is cross-fitted: what it says of a pair comes from a model that
has not seen the pair's labels, as is so of any pair that comes later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Self

import numpy as np
from scipy.special import expit

from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.base import Decoded
from advsp.learners.cross_fitting import FirstStage
from advsp.learners.edge_learner import EdgeLearner
from advsp.support.arrays import Floats
from advsp.support.equality import equal_by_value
from advsp.support.errors import InputError
from advsp.support.markers import FromRegistry
from advsp.support.progress import Progress, no_progress
from advsp.support.sections import AsSection
from advsp.training.edge_model import EdgeModel
from advsp.training.instances import BIAS, EdgeInstances
from advsp.training.link_context import far, near
from advsp.training.objective import Loss

#: Log-odds are looked at within these bounds.
_BOUND = 8.0


@equal_by_value
@dataclass(frozen=True)
class ContextInstances(EdgeInstances):
    """Sentence pairs by what a first stage says of them.

    Their features are F columns of zeros, one for each feature of the first stage, columns of context, and
    the bias: weights of the first stage have a place of their own, where they move nothing.

    Attributes
    ----------
    given: the same pairs with the features of the first stage.
    """

    given: EdgeInstances

    @property
    def context(self) -> slice:
        """The columns of context."""
        return slice(self.given.features.shape[1], self.features.shape[1] - 1)


@learners.register("stacked")
@equal_by_value
@dataclass(frozen=True)
class StackedLinks(EdgeLearner):
    """Two stages, of which the second one looks at the links around by what the first one says.

    Attributes
    ----------
    second: the learner of the second stage; initial weights, passes and L2 are for this one.
    first: the logistic regression of the first one.
    """

    second: Annotated[EdgeLearner, FromRegistry(learners)] = field(
        default_factory=lambda: AdversarialLinks(possible="ignore")
    )
    first: AsSection[FirstStage] = FirstStage()

    whole = True

    def __post_init__(self) -> None:
        if not isinstance(self.second, EdgeLearner) or isinstance(self.second, StackedLinks):
            raise InputError(
                "is no learner of one stage for links",
                key="second",
                hint="for example {name: adversarial-links, possible: ignore}",
            )

    def model(self, instances: EdgeInstances) -> EdgeModel:
        """The second stage's model where the first one knows nothing yet: every link has even odds."""
        return self.second.model(in_context(instances, np.zeros(len(instances.labels))))

    def seen(self, instances: EdgeInstances, classes: Sequence[str]) -> CrossFitted:
        return CrossFitted.of(self, instances)

    def loss(self, model: EdgeModel, classes: Sequence[str], engine: Engine) -> Loss:
        return self.second.loss(model, classes, engine)

    def decode(
        self,
        model: EdgeModel,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """What the second stage says by the first one's weights, which stand where its features were."""
        instances = model.instances
        assert isinstance(instances, ContextInstances)
        given = instances.given
        logits = given.features @ weights[: given.features.shape[1]]
        found = self.second.model(in_context(given, logits))
        return self.second.decode(found, weights, classes, engine, tolerance, progress)


@dataclass(frozen=True, eq=False)
class CrossFitted(EdgeLearner):
    """The learner with what the first stage has learnt from the pairs that are trained on.

    Attributes
    ----------
    stacked: the learner.
    instances: the pairs.
    crossed: the same by the cross-fitted first stage, columns of context with mean 0 and deviation 1.
    first: float64 [F], weights of the first stage, of all pairs.
    means, deviations: float64, of the columns of context.
    """

    stacked: StackedLinks
    instances: EdgeInstances
    crossed: ContextInstances
    first: Floats
    means: Floats
    deviations: Floats

    whole = True

    @classmethod
    def of(cls, stacked: StackedLinks, instances: EdgeInstances) -> Self:
        """Fit the first stage."""
        weights, logits = stacked.first.cross_fit(instances)
        found = in_context(instances, logits)
        columns = found.features[:, found.context]
        means, deviations = columns.mean(axis=0), columns.std(axis=0)
        deviations[deviations == 0] = 1.0
        scaled = found.features.copy()
        scaled[:, found.context] = (columns - means) / deviations
        return cls(stacked, instances, replace(found, features=scaled), weights, means, deviations)

    def model(self, instances: EdgeInstances) -> EdgeModel:
        if instances is self.instances:
            return self.stacked.second.model(self.crossed)
        return self.stacked.model(instances)

    def loss(self, model: EdgeModel, classes: Sequence[str], engine: Engine) -> Loss:
        return self.stacked.loss(model, classes, engine)

    def decode(
        self,
        model: EdgeModel,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        return self.stacked.decode(model, weights, classes, engine, tolerance, progress)

    def complete(self, weights: Floats) -> Floats:
        """The weights with those of the first stage, for columns that are not scaled."""
        complete, context = weights.copy(), self.crossed.context
        model = self.stacked.second.model(self.crossed)
        for block in model.named_blocks:
            part = complete[block.place]
            # Possible links may have a weight for the bias alone, and steps have none for columns.
            if block.names == self.crossed.feature_names:
                part[context] /= self.deviations
                part[-1] -= float(part[context] @ self.means) / model.bias_value
        complete[: len(self.first)] = self.first
        return complete


def in_context(instances: EdgeInstances, logits: Floats) -> ContextInstances:
    """Sentence pairs by the log-odds of all their links, float64 [T]."""
    logits = np.clip(logits, -_BOUND, _BOUND)
    found: list[Floats] = []
    names: tuple[str, ...] = ()
    for pair in range(len(instances)):
        grid = logits[instances.rows(pair)].reshape(instances.shape(pair))
        columns = context_columns(grid)
        names = tuple(columns)
        found.append(np.stack([column.ravel() for column in columns.values()], axis=1))
    names = names or tuple(context_columns(np.zeros((1, 1))))
    first = instances.features.shape[1]
    context = np.concatenate([np.empty((0, len(names))), *found])
    features = np.hstack([np.zeros((len(context), first)), context, np.ones((len(context), 1))])
    return ContextInstances(
        features=features,
        labels=instances.labels,
        offsets=instances.offsets,
        shapes=instances.shapes,
        feature_names=(*(f"first {name}" for name in instances.feature_names), *names, BIAS),
        source=instances.source,
        target=instances.target,
        given=instances,
    )


def context_columns(logits: Floats) -> dict[str, Floats]:
    """The thirty-three columns of a pair by the log-odds of its links, float64 [n, m]."""
    probabilities = expit(logits)
    columns = {"log-odds": logits, "probability": probabilities, **near(probabilities), **far(probabilities)}
    return {name: np.asarray(column, dtype=np.float64) for name, column in columns.items()}
