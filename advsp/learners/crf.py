"""The linear-chain conditional random field, the paper's baseline for named entities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advsp.engine.backends.opening import open_backend
from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.base import Decoded, LearnerOf
from advsp.learners.log_loss import ChainLogLoss
from advsp.support.arrays import Floats
from advsp.support.progress import Progress, no_progress
from advsp.training.chain_model import ChainModel, Start
from advsp.training.instances import ChainInstances


@learners.register("crf")
@dataclass(frozen=True)
class CRF(LearnerOf[ChainInstances, ChainModel]):
    """All classes in one model: Viterbi decoding, posteriors by forward-backward.

    Attributes
    ----------
    start: ``"latent"`` as in Stanford NER, or a START tag of its own.
    """

    start: Start = "latent"

    task = "tagging"

    def model(self, instances: ChainInstances) -> ChainModel:
        return ChainModel(instances, self.start)

    def loss(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> ChainLogLoss:
        return ChainLogLoss(model, open_backend(engine))

    def decode(
        self,
        model: ChainModel,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """The tag before a sentence is the background tag, which is what it is."""
        loss = ChainLogLoss(model, open_backend(engine), latent=False)
        potentials = model.all_potentials(weights)
        tags, marginals = loss.backend.decode(
            loss, 0, potentials, tolerance, lambda done, note="": progress(done * len(classes))
        )
        numbers = {name: model.instances.tag_names.index(name) for name in classes}
        return {name: Decoded(tags == tag, marginals[:, tag]) for name, tag in numbers.items()}
