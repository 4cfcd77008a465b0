"""Deciding by the chain's own distribution, whatever a learner decides by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advsp.engine.backends.opening import open_backend
from advsp.engine.settings import Engine
from advsp.learners.base import Learner
from advsp.learners.chain_learner import ChainLearner
from advsp.learners.log_loss import ChainLogLoss
from advsp.training.chain_model import ChainModel
from advsp.training.instances import ChainInstances


@dataclass(frozen=True)
class ByChain(ChainLearner):
    """Has the potentials of another learner of tags, and decides by the distribution proportional to exp psi.

    Of class models psi is the sum of theirs: potentials are linear, so that the sum of the weights has it.

    Attributes
    ----------
    learner: the other one.
    """

    learner: Learner

    def model(self, instances: ChainInstances) -> ChainModel:
        model: ChainModel = self.learner.model(instances)
        return model

    def loss(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> ChainLogLoss:
        """The log-loss of that distribution: how hard an example is for it."""
        return ChainLogLoss(model, open_backend(engine), latent=False)


def by_chain(learner: Learner) -> Learner:
    """The learner, if it decides so itself, or one that has its potentials."""
    return learner if isinstance(learner, ChainLearner) else ByChain(learner)
