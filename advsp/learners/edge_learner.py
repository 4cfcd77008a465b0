"""What all learners of word alignment have in common."""

from __future__ import annotations

from advsp.engine.structures.column_chain import ColumnChain
from advsp.learners.base import LearnerOf
from advsp.learners.column_log_loss import ColumnLogLoss
from advsp.learners.edge_losses import EdgeLogLoss
from advsp.training.edge_model import EdgeModel
from advsp.training.instances import EdgeInstances
from advsp.training.objective import LossOf


class EdgeLearner(LearnerOf[EdgeInstances, EdgeModel]):
    """A learner of the links of sentence pairs; one model, since they have one class."""

    task = "alignment"
    has_log_loss = True

    def log_loss(self, model: EdgeModel) -> LossOf[EdgeModel]:
        """Of every edge's label by itself; of column chains as they are, where P is no label."""
        if model.kind is ColumnChain and model.possible == "ignore":
            return ColumnLogLoss(model)
        return EdgeLogLoss(model)
