"""All weights zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advsp.learners.base import Learner
from advsp.learners.initial import initials
from advsp.learners.initial.base import Initial
from advsp.support.arrays import Floats
from advsp.training.objective import FullBatch


@initials.register("zeros")
@dataclass(frozen=True)
class Zeros(Initial):
    """All potentials alike at first, which makes the hardest games there are."""

    def weights(
        self, learner: Learner, objective: FullBatch, seed: int, classes: Sequence[str] = ()
    ) -> Floats:
        return np.zeros(objective.size)
