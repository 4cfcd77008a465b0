"""Deciding by the chain's own distribution, whatever a learner decides by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advsp.engine.settings import Engine
from advsp.learners.base import Learner
from advsp.learners.chain_learner import ChainLearner
from advsp.training.chain_model import ChainModel
from advsp.training.instances import ChainInstances
from advsp.training.objective import Loss


@dataclass(frozen=True)
class ByChain(ChainLearner):
    """Learns as another learner of tags does, and decides by the distribution proportional to exp psi.

    Of class models psi is the sum of theirs: potentials are linear, so that the sum of the weights has it.

    Attributes
    ----------
    learner: the other one.
    """

    learner: Learner

    def model(self, instances: ChainInstances) -> ChainModel:
        model: ChainModel = self.learner.model(instances)
        return model

    def loss(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> Loss:
        return self.learner.loss(model, classes, engine)


def by_chain(learner: Learner) -> Learner:
    """The learner, if it decides so itself, or one that learns as it does."""
    return learner if isinstance(learner, ChainLearner) else ByChain(learner)
