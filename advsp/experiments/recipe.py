"""How the model of one group of classes is trained and decides.

instances  ->  linear model  ->  loss  ->  objective  ->  fit  ->  weights  ->  decode
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from advsp.engine.settings import Engine
from advsp.experiments.config import OptimiserConfig, SystemConfig
from advsp.learners import learners
from advsp.learners.base import Decoded, Learner
from advsp.learners.trained_model import TrainedModel
from advsp.runners.sharded import ShardedObjective, Shards, cut, joined, shards_needed
from advsp.support.arrays import Floats
from advsp.support.errors import InputError
from advsp.support.progress import Progress, no_progress
from advsp.support.words import counted
from advsp.training.instances import Instances
from advsp.training.linear import LinearModel
from advsp.training.loop import CHECKPOINT_SECONDS, AfterPass, fit
from advsp.training.objective import FullBatch, Loss, Objective


@dataclass(frozen=True)
class Recipe:
    """The steps of one training, each made of the one before.

    Attributes
    ----------
    learner: with its options.
    classes: those that are learnt together.
    engine: how games are solved.
    optimiser: with L2, tolerances and initial weights.
    """

    learner: Learner
    classes: tuple[str, ...]
    engine: Engine = Engine()
    optimiser: OptimiserConfig = OptimiserConfig()

    @classmethod
    def of(cls, system: SystemConfig, classes: tuple[str, ...]) -> Recipe:
        """That of a system for one group of its classes."""
        return cls(
            learner=system.learner.build(),
            classes=classes,
            engine=system.engine,
            optimiser=system.optimiser,
        )

    def seen(self, instances: Instances) -> Recipe:
        """The same with what the learner takes from all that it is trained on."""
        return replace(self, learner=self.learner.seen(instances, self.classes))

    def loss(self, model: LinearModel) -> Loss:
        """The training loss; as a function of the model it can be sent to another process."""
        return self.learner.loss(model, self.classes, self.engine)

    def objective(self, instances: Instances) -> Objective:
        """The training objective of instances in one place."""
        model = self.learner.model(instances)
        return Objective(model, self.loss(model), self.optimiser.l2)

    def sharded_objective(self, shards: Shards, memories: Path) -> ShardedObjective:
        """The training objective of shards; what they remember is kept in ``memories``."""
        return ShardedObjective(shards, self.loss, self.optimiser.l2, folder=memories)

    def fit(
        self,
        objective: FullBatch,
        *,
        passes: int,
        seed: int,
        initial: Floats | None = None,
        folder: Path | None = None,
        resume: bool = False,
        fingerprint: str = "",
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
        after_pass: AfterPass | None = None,
        progress: Progress = no_progress,
    ) -> Floats:
        """Train and return the weights [size]; see :func:`~advsp.training.loop.fit`.

        Parameters
        ----------
        initial: weights [size] to start from, if others than the optimiser's section names.
        """

        def start() -> Floats:
            found: Floats = self.optimiser.initial.build().weights(
                self.learner, objective, seed, self.classes
            )
            return found

        return fit(
            objective,
            self.optimiser.build(),
            passes=passes,
            seed=seed,
            tolerance=self.optimiser.tolerance,
            initial=start if initial is None else initial,
            folder=folder,
            resume=resume,
            fingerprint=fingerprint,
            checkpoint_seconds=checkpoint_seconds,
            after_pass=after_pass,
            progress=progress,
        )

    def train(
        self, instances: Instances, *, passes: int, seed: int, progress: Progress = no_progress
    ) -> TrainedModel:
        """The model of instances in one place, in memory alone; see :meth:`fit`."""
        seen = self.seen(instances)
        weights = seen.fit(seen.objective(instances), passes=passes, seed=seed, progress=progress)
        return self.model(instances.signature(), seen.learner.complete(weights))

    def model(self, signature: dict[str, Any], weights: Floats) -> TrainedModel:
        """What was learnt, with what it was learnt for."""
        return TrainedModel(
            kind=learners.name_of(type(self.learner)),
            learner=self.learner,
            classes=self.classes,
            signature=signature,
            weights=weights,
            engine=self.engine,
        )

    def decode(
        self,
        instances: Instances,
        weights: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """What the weights [size] say of instances, class by class; some of them at a time."""
        model = self.learner.model(instances)
        parts = cut(len(instances), shards_needed(model))
        models = (
            [model]
            if len(parts) == 1
            else (self.learner.model(instances.take(np.arange(*ends))) for ends in parts)
        )
        return joined(
            [
                self.learner.decode(model, weights, self.classes, self.engine, tolerance, progress)
                for model in models
            ]
        )

    def decode_shards(
        self,
        shards: Shards,
        weights: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """The same of shards."""
        return shards.decode(self.learner, weights, self.classes, self.engine, tolerance, progress)


def train(
    learner: Learner,
    instances: Instances,
    classes: Sequence[str],
    *,
    optimiser: OptimiserConfig | None = None,
    engine: Engine | None = None,
    seed: int = 1,
    progress: Progress = no_progress,
) -> TrainedModel:
    """Train one model in memory; it decodes, and is saved.

    Parameters
    ----------
    learner: with its options, e.g. ``CRF()``.
    classes: those that it is of; a learner that has a model a class is trained for each of its
        :meth:`~advsp.learners.base.LearnerOf.groups`.
    optimiser: with its passes, L2 and initial weights; online AdaGrad by default.
    engine: how games are solved.
    seed: of the order of the examples.

    Raises
    ------
    InputError: the learner does not learn all the classes together.
    """
    groups = learner.groups(classes)
    if len(groups) > 1:
        problem = f"the learner has {counted(len(groups), 'model')} for {', '.join(classes)}"
        raise InputError(problem, hint="train one for each group")
    recipe = Recipe(learner, tuple(classes), engine or Engine(), optimiser or OptimiserConfig())
    return recipe.train(instances, passes=recipe.optimiser.passes, seed=seed, progress=progress)
