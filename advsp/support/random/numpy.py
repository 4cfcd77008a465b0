"""The generator of numpy (PCG64)."""

from __future__ import annotations

import numpy as np

from advsp.support.arrays import Floats
from advsp.support.random import generators
from advsp.support.random.base import Generator


@generators.register("numpy")
class Numpy(Generator):
    """``numpy.random.Generator(PCG64(seed)).random``."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)

    def skip(self, draws: int) -> None:
        self._bits.advance(draws)

    def uniform(self, draws: int) -> Floats:
        return np.random.Generator(self._bits).random(draws)
