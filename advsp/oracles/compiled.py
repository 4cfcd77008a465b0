"""Exact best responses in compiled kernels, pruned as in numpy (``advsp[fast]``)."""

from __future__ import annotations

import numpy as np

from advsp import fused, kernels
from advsp.game import Game
from advsp.mixture import Mixture
from advsp.oracles import oracles
from advsp.oracles.base import Oracle


class Kernels(Oracle):
    """Responses of the kernels, where there are any for a game's structure and measure; else the game's own.

    Those of matchings are scipy's, compiled already.
    """

    install = kernels.INSTALL

    @classmethod
    def missing(cls) -> str | None:
        return None if kernels.available() else "the package 'numba' is not installed"

    def __init__(self) -> None:
        self._last: tuple[Game | None, tuple | None] = (None, None)

    def predictor(self, game: Game, mixture: Mixture) -> tuple[np.ndarray, float]:
        tables = self._tables(game)
        if tables is None:
            return game.predictor_response(mixture)
        from advsp.kernels import responses

        score, strategies = fused.ratio(game.measure), fused.strategies(mixture)
        if self.exact:
            labelling, expected = responses.predictor(score, *strategies)
        else:
            labelling, expected = responses.approximate_predictor(tables[0], score, *strategies)
        return labelling, float(
            expected - mixture.probabilities @ game.adversary.potential(mixture.labellings)
        )

    def adversary(self, game: Game, mixture: Mixture) -> tuple[np.ndarray, float]:
        tables = self._tables(game)
        if tables is None:
            return game.adversary_response(mixture)
        from advsp.kernels import responses

        return responses.adversary(*tables, *fused.strategies(mixture))

    def _tables(self, game: Game) -> tuple | None:
        """What stands for the game in kernels; made once while the same game is asked for, round by round."""
        last, tables = self._last
        if game is not last:
            tables = fused.tables(game, self.exact)
            self._last = game, tables
        return tables


@oracles.register("compiled")
class Compiled(Kernels):
    """Best responses that skip what provably cannot win, in compiled code."""
