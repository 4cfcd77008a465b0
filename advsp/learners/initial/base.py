"""Where training starts from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from advsp.learners.base import Learner
from advsp.support.arrays import Floats
from advsp.training.objective import FullBatch


class Initial(ABC):
    """Initial weights; subclasses are dataclasses of their options.

    Attributes
    ----------
    whole: whether all examples must be in one place, which those of shards are not.
    """

    whole: ClassVar[bool] = False

    def check(self, learner: Learner) -> None:
        """Refuse, before anything is read, a learner that cannot start so.

        Raises
        ------
        InputError: saying why.
        """

    @abstractmethod
    def weights(
        self, learner: Learner, objective: FullBatch, seed: int, classes: Sequence[str] = ()
    ) -> Floats:
        """Weights [size] to start from.

        Parameters
        ----------
        learner: what is trained.
        objective: the training objective; its ``tolerance`` is that of the first pass.
        seed: of the run.
        classes: those that are learnt together.
        """
