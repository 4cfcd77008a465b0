"""Random weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advsp.learners.base import Learner
from advsp.learners.initial import initials
from advsp.learners.initial.base import Initial
from advsp.support.arrays import Floats
from advsp.training.objective import FullBatch


@initials.register("uniform")
@dataclass(frozen=True)
class Uniform(Initial):
    """Independent draws from [0, 1), decided by the run's seed."""

    def weights(
        self, learner: Learner, objective: FullBatch, seed: int, classes: Sequence[str] = ()
    ) -> Floats:
        return np.random.default_rng([seed, 0]).random(objective.size)
