"""What learners of tags that decide by the chain's own distribution have in common."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advsp.engine.backends.opening import open_backend
from advsp.engine.settings import Engine
from advsp.learners.base import Decoded, LearnerOf
from advsp.learners.beginnings import begins
from advsp.learners.log_loss import ChainLogLoss
from advsp.support.arrays import Bools, Floats, Labels
from advsp.support.progress import Progress, no_progress
from advsp.training.chain_model import ChainModel
from advsp.training.instances import ChainInstances


class ChainLearner(LearnerOf[ChainInstances, ChainModel]):
    """All classes in one model: Viterbi decoding, posteriors by forward-backward."""

    task = "tagging"

    def decode(
        self,
        model: ChainModel,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """Decide by the distribution proportional to exp psi: its best sequence, and its marginals.

        The tag before a sentence is the background tag, which is what it is.
        """
        loss = ChainLogLoss(model, open_backend(engine), latent=False)
        potentials = model.all_potentials(weights)
        tags, marginals = loss.backend.decode(
            loss, 0, potentials, tolerance, lambda done, note="": progress(done * len(classes))
        )
        return {name: _decoded(model.instances, name, tags, marginals) for name in classes}


def _decoded(instances: ChainInstances, name: str, tags: Labels, marginals: Floats) -> Decoded:
    """What the best ``tags`` int8 [T] and the ``marginals`` float [T, m] of all tags say of a class."""
    numbers = instances.tags_of(name)
    mode: Bools = np.isin(tags, numbers)
    found = begins(instances, name, marginals)
    if found is not None:
        # Where the best sequence has the class, its own tags say where entities begin.
        found = np.where(mode, np.isin(tags, instances.beginning(name)), found)
    return Decoded(mode, marginals[:, list(numbers)].sum(axis=1), found)
