"""A conditional random field of links: column chains, with the features and steps of the games over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import Gt

from advsp.engine.backends.opening import open_backend
from advsp.engine.measures.roles import S
from advsp.engine.settings import Engine
from advsp.engine.structures.column_chain import ColumnChain
from advsp.engine.structures.column_sums import column_sums
from advsp.learners import learners
from advsp.learners.base import Decoded
from advsp.learners.column_log_loss import ColumnLogLoss
from advsp.learners.edge_learner import EdgeLearner
from advsp.support.arrays import Floats
from advsp.support.progress import Progress, no_progress
from advsp.training.edge_model import EdgeModel, LengthScale
from advsp.training.instances import EdgeInstances


@learners.register("crf-links")
@dataclass(frozen=True)
class CRFLinks(EdgeLearner):
    """Every target word has no link, one, or two to words side by side; possible links are left out.

    Attributes
    ----------
    scale: whether a pair's features are divided by its length.
    bias: value of the bias feature, 1 if not given; at 10 L2 hardly shrinks the bias, at 100 not at all.
    """

    scale: LengthScale = "none"
    bias: Annotated[float, Gt(0)] | None = None

    def model(self, instances: EdgeInstances) -> EdgeModel:
        return EdgeModel(instances, "ignore", scale=self.scale, bias=self.bias, kind=ColumnChain)

    def loss(self, model: EdgeModel, classes: Sequence[str], engine: Engine) -> ColumnLogLoss:
        return ColumnLogLoss(model, open_backend(engine))

    def decode(
        self,
        model: EdgeModel,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """The most probable labelling; the marginal of an edge is the probability of its link."""
        potentials = model.all_potentials(weights)
        mode, marginal = np.zeros(len(potentials), dtype=bool), np.zeros(len(potentials))
        for example in range(model.examples):
            rows = model.rows(example)
            structure = model.layout.structure(example, potentials[rows])
            assert isinstance(structure, ColumnChain)  # that is what the model is over
            mode[rows] = structure.best() == S
            marginal[rows] = column_sums(structure).labels[:, S]
            progress(1)
        return {name: Decoded(mode, marginal) for name in classes}
