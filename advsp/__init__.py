"""Adversarial structured prediction for multivariate measures.

The names below are loaded on first use, so that importing the package stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from advsp.support.versions import VERSION as __version__

if TYPE_CHECKING:
    from advsp.engine.double_oracle import Equilibrium
    from advsp.engine.game import AerGame, ChainF1Game, Game, MatchingGame
    from advsp.engine.mixture import Mixture
    from advsp.engine.solving import solve_game, solve_games
    from advsp.estimators.aligners import AdversarialAligner
    from advsp.estimators.loading import load
    from advsp.estimators.taggers import AdversarialTagger, CrfTagger
    from advsp.experiments.recipe import train
    from advsp.learners.trained_model import TrainedModel

_HOMES = {
    "AdversarialAligner": "advsp.estimators.aligners",
    "AdversarialTagger": "advsp.estimators.taggers",
    "CrfTagger": "advsp.estimators.taggers",
    "load": "advsp.estimators.loading",
    "AerGame": "advsp.engine.game",
    "ChainF1Game": "advsp.engine.game",
    "Game": "advsp.engine.game",
    "MatchingGame": "advsp.engine.game",
    "Equilibrium": "advsp.engine.double_oracle",
    "solve_game": "advsp.engine.solving",
    "solve_games": "advsp.engine.solving",
    "Mixture": "advsp.engine.mixture",
    "TrainedModel": "advsp.learners.trained_model",
    "train": "advsp.experiments.recipe",
}

__all__ = [
    "__version__",
    "AdversarialAligner",
    "AdversarialTagger",
    "AerGame",
    "ChainF1Game",
    "CrfTagger",
    "Equilibrium",
    "Game",
    "MatchingGame",
    "Mixture",
    "TrainedModel",
    "load",
    "solve_game",
    "solve_games",
    "train",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'advsp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
