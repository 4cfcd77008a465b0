"""What an oracle answers: a labelling for either player against the opponent's mixture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from advsp.engine.game import Game
from advsp.engine.mixture import Mixture
from advsp.support.arrays import Labels


class Oracle(ABC):
    """Finds (best) responses in a game.

    Attributes
    ----------
    exact: whether the responses are best responses, so that their values certify a gap.
    install: how a user installs what it needs.
    backend: where games are played and losses computed that are played with it.
    """

    exact: ClassVar[bool] = True
    install: ClassVar[str] = ""
    backend: ClassVar[str] = "numpy"

    @classmethod
    def missing(cls) -> str | None:
        """None if the oracle can run here, else one clause saying what is missing."""
        return None

    @abstractmethod
    def predictor(self, game: Game, mixture: Mixture) -> tuple[Labels, float]:
        """A predictor labelling int8 [n] and its expected payoff against the adversary's mixture."""

    @abstractmethod
    def adversary(self, game: Game, mixture: Mixture) -> tuple[Labels, float]:
        """An adversary labelling int8 [n] and its expected payoff against the predictor's mixture."""
