"""Where training starts from."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from advsp.learners.base import Learner
from advsp.training.objective import FullBatch


class Initial(ABC):
    """Initial weights; subclasses are dataclasses of their options."""

    def check(self, learner: Learner) -> None:
        """Refuse, before anything is read, a learner that cannot start so.

        Raises
        ------
        InputError: saying why.
        """

    @abstractmethod
    def weights(self, learner: Learner, objective: FullBatch, seed: int) -> np.ndarray:
        """Weights [size] to start from.

        Parameters
        ----------
        learner: what is trained.
        objective: the training objective; its ``tolerance`` is that of the first pass.
        seed: of the run.
        """
