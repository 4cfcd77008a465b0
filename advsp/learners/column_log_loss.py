"""The log-loss of column chains: log sum exp psi less the gold potential."""

from __future__ import annotations

import numpy as np

from advsp.engine.measures.roles import S
from advsp.engine.structures.column_chain import ColumnChain
from advsp.engine.structures.column_sums import column_sums
from advsp.support.arrays import Floats
from advsp.training.edge_model import EdgeModel
from advsp.training.objective import LossOf, LossValue


class ColumnLogLoss(LossOf[EdgeModel]):
    """Minus the log-probability of the labelling that is nearest to the gold links.

    Edges that training leaves out have no link.

    Parameters
    ----------
    model: over column chains, with possible links ignored.
    """

    def __init__(self, model: EdgeModel) -> None:
        super().__init__(model)
        self._layout = model.layout_of(ColumnChain, model.ignored())

    def evaluate(self, example: int, potentials: Floats, tolerance: float) -> LossValue:
        structure = self._layout.structure(example, potentials)
        assert isinstance(structure, ColumnChain)  # that is what the layout is of
        sums, gold = column_sums(structure), structure.nearest(self.model.gold(example))
        moments = np.zeros_like(potentials)
        moments[:, 0] = sums.labels[:, S]
        moments[1 : structure.shape[1], 1:] = sums.steps
        loss = sums.log_normaliser - float(structure.potential(gold[None, :])[0])
        return LossValue(loss, loss, moments - self._layout.moments(example, gold[None, :], np.ones(1)))
