"""The structured support vector machine over tag sequences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advsp.engine.backends.opening import open_backend
from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.chain_hinge import ChainHingeLoss
from advsp.learners.chain_learner import ChainLearner
from advsp.learners.tag_costs import hamming
from advsp.training.chain_model import ChainModel
from advsp.training.instances import ChainInstances


@learners.register("ssvm-tags")
@dataclass(frozen=True)
class TagSVM(ChainLearner):
    """Margin rescaling with the Hamming loss, every wrong token costs 1; START is a tag of its own.

    Its potentials are no logarithms of probabilities, but their marginals order tokens all the same, and
    thresholds on them are chosen like all others.
    """

    def model(self, instances: ChainInstances) -> ChainModel:
        return ChainModel(instances)

    def loss(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> ChainHingeLoss:
        return ChainHingeLoss(model, hamming(model.instances), open_backend(engine))
