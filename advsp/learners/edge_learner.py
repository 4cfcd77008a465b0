"""What all learners of word alignment have in common."""

from __future__ import annotations

from advsp.learners.base import LearnerOf
from advsp.learners.edge_losses import EdgeLogLoss
from advsp.training.edge_model import EdgeModel
from advsp.training.instances import EdgeInstances


class EdgeLearner(LearnerOf[EdgeInstances, EdgeModel]):
    """A learner of the links of sentence pairs; one model, since they have one class."""

    task = "alignment"
    has_log_loss = True

    def log_loss(self, model: EdgeModel) -> EdgeLogLoss:
        return EdgeLogLoss(model)
