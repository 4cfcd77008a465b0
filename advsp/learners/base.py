"""The contract of a learner: which classes it learns together, its loss, and how it decodes.

All learners share one linear model and one training loop; a learner adds a loss and a decoder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advsp.learners.game_loss import Engine
from advsp.training.chain_model import ChainModel, Start
from advsp.training.objective import Loss, Tick, no_tick


@dataclass(frozen=True)
class Decoded:
    """What a learner says about one class, token by token.

    Attributes
    ----------
    mode: bool [T], the learner's own decision.
    marginal: float [T], probability of the class.
    """

    mode: np.ndarray
    marginal: np.ndarray


class Learner(ABC):
    """A way to learn and to decode; subclasses are dataclasses of their options.

    Attributes
    ----------
    start: what stands before the first token, see :class:`~advsp.training.chain_model.ChainModel`.
    """

    start: Start

    @abstractmethod
    def groups(self, classes: Sequence[str]) -> list[tuple[str, ...]]:
        """The classes that are learnt together, one model a group."""

    @abstractmethod
    def loss(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> Loss:
        """The training loss of one group of classes."""

    @abstractmethod
    def decode(
        self,
        model: ChainModel,
        weights: np.ndarray,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        tick: Tick = no_tick,
    ) -> dict[str, Decoded]:
        """Decide all tokens of ``model``'s instances for every class of a group."""
