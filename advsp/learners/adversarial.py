"""Adversarial prediction of the F-score: the method of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Gt

from advsp.engine.settings import Engine, exact_engine
from advsp.learners import learners
from advsp.learners.base import Decoded, Learner
from advsp.learners.game_loss import ChainGameLoss
from advsp.support.progress import Progress, no_progress
from advsp.training.chain_model import ChainModel, Start
from advsp.training.instances import ChainInstances


@learners.register("adversarial")
@dataclass(frozen=True)
class Adversarial(Learner):
    """One F-beta game per sentence and class.

    Attributes
    ----------
    beta: weight of recall against precision.
    share: one model for all classes, their gradients added, instead of one model a class.
    warm: keep the strategies of a game from pass to pass.
    start: what stands before the first token.
    bias: whether every tag has a weight of its own beside those of the node features.
    """

    beta: Annotated[float, Gt(0)] = 1.0
    share: bool = False
    warm: bool = True
    start: Start = "own"
    bias: bool = False

    task = "tagging"

    def model(self, instances: ChainInstances) -> ChainModel:
        return ChainModel(instances, self.start, self.bias)

    def groups(self, classes: Sequence[str]) -> list[tuple[str, ...]]:
        return [tuple(classes)] if self.share else [(name,) for name in classes]

    def loss(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> ChainGameLoss:
        targets = [model.instances.tag_names.index(name) for name in classes]
        return ChainGameLoss(model, targets, engine, self.beta, self.warm)

    def decode(
        self,
        model: ChainModel,
        weights: np.ndarray,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """Solve every sentence's game exactly, whatever oracle was trained with (as the paper does)."""
        loss = self.loss(model, classes, exact_engine(engine))
        potentials = model.all_potentials(weights)
        return {
            name: Decoded(*loss.decode(number, potentials, tolerance, progress))
            for number, name in enumerate(classes)
        }
