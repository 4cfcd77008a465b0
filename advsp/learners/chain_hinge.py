"""The structured hinge loss of tag sequences.

loss_i = max over y of cost(y, gold) + psi(y), less psi(gold), cost summed over the tokens (Taskar, Guestrin &
Koller, 2004; Tsochantaridis et al., 2005): a Viterbi search, so the loss is exact.
"""

from __future__ import annotations

import numpy as np

from advsp.engine.backends.base import Backend
from advsp.engine.backends.description import Description
from advsp.learners.log_loss import with_costs
from advsp.support.arrays import Floats, plain
from advsp.training.chain_model import ChainModel
from advsp.training.objective import LossOf, LossValue


class ChainHingeLoss(LossOf[ChainModel]):
    """Hinge loss of a chain, whose tag before the sentence is START or the background tag.

    Parameters
    ----------
    model: the linear map.
    costs: float [m, m], of a gold tag and another one, the diagonal zero.
    backend: where it is computed.
    """

    def __init__(self, model: ChainModel, costs: Floats, backend: Backend | None = None) -> None:
        super().__init__(model, backend)
        self.costs = costs

    def describe(self) -> Description:
        return Description(
            "chain-hinge",
            {
                "offsets": plain(self.offsets, int),
                "gold": plain(self.model.labels, np.int8),
                "rows": self.model.layout.describe(),
                "costs": plain(self.costs),
            },
        )

    def evaluate(self, example: int, potentials: Floats, tolerance: float) -> LossValue:
        gold = self.model.gold(example)
        costs = self.costs[gold]
        tags = self.model.chain(with_costs(potentials, costs)).best()
        moments = self.model.layout.moments(example, tags[None, :], np.ones(1))
        moments -= self.model.gold_moments(example)
        cost = float(costs[np.arange(len(gold)), tags].sum())
        loss = cost + float(np.vdot(moments, potentials))
        return LossValue(loss, loss, moments)
