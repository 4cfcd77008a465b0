"""The paper's approximate responses over a linear chain in compiled code (``advsp[fast]``)."""

from __future__ import annotations

from advsp.engine.game import Game
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import oracles
from advsp.engine.oracles.approximate_numpy import chain_target
from advsp.engine.oracles.compiled import Kernels
from advsp.support.arrays import Labels


@oracles.register("approximate-compiled")
class ApproximateCompiled(Kernels):
    """The candidates of :class:`~advsp.engine.oracles.approximate_numpy.ApproximateNumpy`, compiled."""

    exact = False

    def predictor(self, game: Game, mixture: Mixture) -> tuple[Labels, float]:
        chain_target(game)
        return super().predictor(game, mixture)

    def adversary(self, game: Game, mixture: Mixture) -> tuple[Labels, float]:
        chain_target(game)
        return super().adversary(game, mixture)
