"""The log-loss of column chains: log sum exp psi less the gold potential."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from advsp.engine.backends.base import Backend
from advsp.engine.backends.description import Description
from advsp.engine.backends.opening import open_backend
from advsp.engine.measures.roles import S
from advsp.engine.settings import Engine
from advsp.engine.structures.column_chain import ColumnChain
from advsp.engine.structures.column_sums import column_sums
from advsp.support.arrays import Floats, Labels, plain
from advsp.training.edge_model import EdgeModel
from advsp.training.objective import LossOf, LossValue


class ColumnLogLoss(LossOf[EdgeModel]):
    """Minus the log-probability of the labelling that is nearest to the gold links.

    Edges that training leaves out have no link.

    Parameters
    ----------
    model: over column chains, with possible links ignored.
    backend: where it is computed, the best there is if not given.
    """

    def __init__(self, model: EdgeModel, backend: Backend | None = None) -> None:
        super().__init__(model, backend or open_backend(Engine()))
        self._layout = model.layout_of(ColumnChain, model.ignored())

    def describe(self) -> Description | None:
        rows = self._layout.describe()
        return rows and Description(
            "column-log",
            {
                "offsets": plain(self.offsets, int),
                "gold": plain(self.gold_labels(), np.int8),
                "rows": rows,
            },
        )

    def gold_labels(self) -> Labels:
        return self._gold

    @cached_property
    def _gold(self) -> Labels:
        """The column chains nearest to the gold links of all pairs, int8 [T]."""
        nearest = np.empty_like(self.model.labels)
        for example in range(self.model.examples):
            rows = self.model.rows(example)
            structure = self._layout.structure(example, np.zeros((rows.stop - rows.start, self.model.width)))
            nearest[rows] = structure.nearest(self.model.gold(example))
        return nearest

    def evaluate(self, example: int, potentials: Floats, tolerance: float) -> LossValue:
        structure = self._layout.structure(example, potentials)
        assert isinstance(structure, ColumnChain)  # that is what the layout is of
        sums, gold = column_sums(structure), self._gold[self.model.rows(example)]
        moments = np.zeros_like(potentials)
        moments[:, 0] = sums.labels[:, S]
        moments[1 : structure.shape[1], 1:] = sums.steps
        loss = sums.log_normaliser - float(structure.potential(gold[None, :])[0])
        return LossValue(loss, loss, moments - self._layout.moments(example, gold[None, :], np.ones(1)))
