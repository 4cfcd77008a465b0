"""Exact best responses in compiled kernels, pruned as in numpy (``advsp[fast]``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from advsp import kernels
from advsp.engine import compiled as fused
from advsp.engine.game import Game
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import oracles
from advsp.engine.oracles.base import Oracle

if TYPE_CHECKING:
    from advsp.kernels.scores import Ratio


class Kernels(Oracle):
    """Responses of the kernels, where there are any for a game's structure and measure; else the game's own.

    Those of matchings are scipy's, compiled already.
    """

    install = kernels.INSTALL

    @classmethod
    def missing(cls) -> str | None:
        return None if kernels.available() else "the package 'numba' is not installed"

    def __init__(self) -> None:
        self._last: tuple[Game | None, tuple] = (None, (None, None))

    def predictor(self, game: Game, mixture: Mixture) -> tuple[np.ndarray, float]:
        structure, score = self._compiled(game)
        if structure is None:
            return game.predictor_response(mixture)
        from advsp.kernels import responses

        strategies = fused.strategies(mixture)
        if self.exact:
            labelling, expected = responses.predictor(fused.ratio(game.measure), *strategies)
        else:
            labelling, expected = responses.approximate_predictor(structure, score, *strategies)
        return labelling, float(
            expected - mixture.probabilities @ game.adversary.potential(mixture.labellings)
        )

    def adversary(self, game: Game, mixture: Mixture) -> tuple[np.ndarray, float]:
        structure, score = self._compiled(game)
        if structure is None:
            return game.adversary_response(mixture)
        from advsp.kernels import responses

        return responses.adversary(structure, score, *fused.strategies(mixture))

    def _compiled(self, game: Game) -> tuple[NamedTuple | None, Ratio | None]:
        """The game's structure and score in kernels, made once while the same game is asked for; or Nones."""
        last, compiled = self._last
        if game is not last:
            compiled = (None, None)
            tables = fused.tables(game, self.exact)
            if tables is not None:
                from advsp.kernels import responses

                compiled = responses.structure_of(tables[0]), tables[1]
            self._last = game, compiled
        return compiled


@oracles.register("compiled")
class Compiled(Kernels):
    """Best responses that skip what provably cannot win, in compiled code."""
