"""The linear-chain conditional random field, the paper's baseline for named entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from annotated_types import Ge

from advsp.engine.backends.opening import open_backend
from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.chain_learner import ChainLearner
from advsp.learners.log_loss import ChainLogLoss
from advsp.learners.tag_costs import missed_and_false
from advsp.support.errors import InputError
from advsp.training.chain_model import ChainModel, Start
from advsp.training.instances import ChainInstances


@learners.register("crf")
@dataclass(frozen=True)
class CRF(ChainLearner):
    """All classes in one model: Viterbi decoding, posteriors by forward-backward.

    Attributes
    ----------
    start: ``"latent"`` as in Stanford NER, or a START tag of its own.
    margin: softmax-margin: what a wrong token costs in training, see
        :func:`~advsp.learners.tag_costs.missed_and_false`; none by default.
    false_negative, false_positive: what a missed and a false token cost, each ``margin`` where not given.
    """

    start: Start = "latent"
    margin: Annotated[float, Ge(0)] | None = None
    false_negative: Annotated[float, Ge(0)] | None = None
    false_positive: Annotated[float, Ge(0)] | None = None

    def __post_init__(self) -> None:
        for key in ("false_negative", "false_positive"):
            if self.margin is None and getattr(self, key) is not None:
                raise InputError("needs a margin", key=key, hint="for example margin: 1")

    def model(self, instances: ChainInstances) -> ChainModel:
        return ChainModel(instances, self.start)

    def loss(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> ChainLogLoss:
        costs = None
        if self.margin is not None:
            missed = self.margin if self.false_negative is None else self.false_negative
            false = self.margin if self.false_positive is None else self.false_positive
            costs = missed_and_false(model.instances, classes, missed, false)
        return ChainLogLoss(model, open_backend(engine), costs=costs)
