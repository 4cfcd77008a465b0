"""Adversarial prediction of a measure of every class: the method of the paper, for F1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Gt

from advsp.engine.measures import measures
from advsp.engine.measures.base import Measure
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.base import Decoded, LearnerOf
from advsp.learners.beginnings import begins
from advsp.learners.game_loss import GameLoss, chain_game_loss
from advsp.support.arrays import Floats
from advsp.support.errors import InputError
from advsp.support.markers import FromRegistry
from advsp.support.progress import Progress, no_progress
from advsp.training.chain_model import ChainModel, Start
from advsp.training.instances import ChainInstances


@learners.register("adversarial")
@dataclass(frozen=True)
class Adversarial(LearnerOf[ChainInstances, ChainModel]):
    """One game per sentence and class.

    Attributes
    ----------
    beta: weight of recall against precision in the F-score, which is the measure where none is given.
    share: one model for all classes, their gradients added, instead of one model a class.
    warm: keep the strategies of a game from pass to pass.
    start: what stands before the first token.
    bias: whether every tag has a weight of its own beside those of the node features.
    measure: what is played, any registered measure of a target.
    """

    beta: Annotated[float, Gt(0)] = 1.0
    share: bool = False
    warm: bool = True
    start: Start = "own"
    bias: bool = False
    measure: Annotated[Measure, FromRegistry(measures)] | None = None

    task = "tagging"

    def __post_init__(self) -> None:
        if self.measure is None:
            return
        if self.beta != 1.0:
            raise InputError("beta is short for the measure fbeta, and there is another", key="beta")
        if self.measure.links_only:
            raise InputError("measures links, and these are tags", key="measure.name")

    def model(self, instances: ChainInstances) -> ChainModel:
        return ChainModel(instances, self.start, self.bias)

    def groups(self, classes: Sequence[str]) -> list[tuple[str, ...]]:
        return [tuple(classes)] if self.share else [(name,) for name in classes]

    def loss(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> GameLoss:
        targets = [model.instances.tags_of(name) for name in classes]
        return chain_game_loss(model, targets, engine, self.measure or FBeta(self.beta), self.warm)

    def games(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> GameLoss:
        return self.loss(model, classes, engine)

    def decode(
        self,
        model: ChainModel,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """Solve every sentence's game exactly, whatever oracle was trained with (as the paper does)."""
        loss = self.games(model, classes, engine.exact())
        potentials = model.all_potentials(weights)
        said = {}
        for number, name in enumerate(classes):
            mode, marginal, tags = loss.decode(number, potentials, tolerance, progress)
            said[name] = Decoded(mode, marginal, begins(model.instances, name, tags))
        return said
