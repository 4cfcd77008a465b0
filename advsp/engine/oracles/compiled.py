"""Exact best responses in compiled kernels, pruned as in numpy (``advsp[fast]``)."""

from __future__ import annotations

import numpy as np

from advsp.engine.backends import door, twins
from advsp.engine.backends.twins import NoTwin, PlayedGame
from advsp.engine.game import Game
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import oracles
from advsp.engine.oracles.base import Oracle
from advsp.support.arrays import Floats, Labels, plain


class Kernels(Oracle):
    """Responses of the kernels, where there are any for a game's structure and score; else the game's own.

    Those of matchings are scipy's, compiled already.
    """

    install = door.INSTALL
    backend = "compiled"

    @classmethod
    def missing(cls) -> str | None:
        return door.missing()

    def __init__(self) -> None:
        self._last: tuple[Game | None, PlayedGame | None] = (None, None)

    def predictor(self, game: Game, mixture: Mixture) -> tuple[Labels, float]:
        played = self._played(game)
        if played is None:
            return game.predictor_response(mixture)
        responses, strategies = door.module("responses"), _strategies(mixture)
        if self.exact:
            score = twins.score_over_labels(game)
            labelling, expected = responses.predictor(score, *strategies)
        else:
            labelling, expected = responses.approximate_predictor(*played, *strategies)
        potential = mixture.probabilities @ game.adversary.potential(mixture.labellings)
        return labelling, float(expected - potential)

    def adversary(self, game: Game, mixture: Mixture) -> tuple[Labels, float]:
        played = self._played(game)
        if played is None:
            return game.adversary_response(mixture)
        response: tuple[Labels, float] = door.module("responses").adversary(*played, *_strategies(mixture))
        return response

    def _played(self, game: Game) -> PlayedGame | None:
        """The game's structure and score in kernels, made once while the same game is asked for."""
        last, played = self._last
        if game is not last:
            try:
                table, score = twins.played(game, self.exact)
                played = PlayedGame(door.module("responses").structure_of(table, score.span), score)
            except NoTwin:
                played = None
            self._last = game, played
        return played


def _strategies(mixture: Mixture) -> tuple[Labels, Floats]:
    """Labellings int8 [s, n] and probabilities float [s] of a mixture."""
    return plain(mixture.labellings, np.int8), plain(mixture.probabilities)


@oracles.register("compiled")
class Compiled(Kernels):
    """Best responses that skip what provably cannot win, in compiled code."""
