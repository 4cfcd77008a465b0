"""A learner from outside the package, whole in one file: the structured perceptron (Collins, 2002)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.base import Decoded, Learner
from advsp.support.progress import Progress, no_progress
from advsp.training.chain_model import ChainModel, Start
from advsp.training.instances import ChainInstances
from advsp.training.objective import Loss, LossValue


class PerceptronLoss(Loss):
    """loss_i = max over tag sequences y of psi(y), less psi(gold)."""

    def evaluate(self, example: int, potentials: NDArray[np.float64], tolerance: float) -> LossValue:
        best = self.model.layout.structure(example, potentials).best()
        moments = self.model.layout.moments(example, best[None, :], np.ones(1))
        moments -= self.model.gold_moments(example)
        loss = float(np.vdot(moments, potentials))
        return LossValue(loss, loss, moments)


@learners.register("perceptron")
@dataclass(frozen=True)
class Perceptron(Learner):
    """All classes in one model, decided by Viterbi.

    Attributes
    ----------
    start: what stands before the first token.
    """

    start: Start = "own"

    task = "tagging"

    def model(self, instances: ChainInstances) -> ChainModel:
        return ChainModel(instances, self.start)

    def loss(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> PerceptronLoss:
        return PerceptronLoss(model)

    def decode(
        self,
        model: ChainModel,
        weights: NDArray[np.float64],
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """The marginal orders tokens by the potential of the tag alone; it is no probability."""
        potentials = model.all_potentials(weights)
        tags = np.empty(len(potentials), dtype=np.int8)
        for example in range(model.examples):
            rows = model.rows(example)
            tags[rows] = model.chain(potentials[rows]).best()
            progress(len(classes))
        numbers = {name: model.instances.tag_names.index(name) for name in classes}
        return {name: Decoded(tags == tag, expit(potentials[:, tag])) for name, tag in numbers.items()}
