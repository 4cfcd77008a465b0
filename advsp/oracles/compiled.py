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

    def predictor(self, game: Game, mixture: Mixture) -> tuple[np.ndarray, float]:
        tables = fused.tables(game, self.exact)
        if tables is None:
            return game.predictor_response(mixture)
        from advsp.kernels import responses

        score, strategies = fused.ratio(game.measure), fused.strategies(mixture)
        if self.exact:
            labelling = responses.predictor(score, *strategies)
        else:
            labelling = responses.approximate_predictor(tables[0], score, *strategies)
        return labelling, float(
            game.payoffs(labelling[None, :], mixture.labellings)[0] @ mixture.probabilities
        )

    def adversary(self, game: Game, mixture: Mixture) -> tuple[np.ndarray, float]:
        tables = fused.tables(game, self.exact)
        if tables is None:
            return game.adversary_response(mixture)
        from advsp.kernels import responses

        labelling = responses.adversary(*tables, *fused.strategies(mixture))
        return labelling, float(
            mixture.probabilities @ game.payoffs(mixture.labellings, labelling[None, :])[:, 0]
        )


@oracles.register("compiled")
class Compiled(Kernels):
    """Best responses that skip what provably cannot win, in compiled code."""
