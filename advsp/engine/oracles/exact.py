"""Exact best responses in numpy, with exact pruning and without."""

from __future__ import annotations

from advsp.engine.game import Game
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import oracles
from advsp.engine.oracles.base import Oracle
from advsp.support.arrays import Labels


class _Exact(Oracle):
    prune: bool

    def predictor(self, game: Game, mixture: Mixture) -> tuple[Labels, float]:
        return game.predictor_response(mixture, self.prune)

    def adversary(self, game: Game, mixture: Mixture) -> tuple[Labels, float]:
        return game.adversary_response(mixture, self.prune)


@oracles.register("numpy")
class Numpy(_Exact):
    """Best responses that skip what provably cannot win."""

    prune = True


@oracles.register("reference")
class Reference(_Exact):
    """Best responses as the algorithms are written, nothing skipped: what the others are tested against."""

    prune = False
