"""What a generator of random numbers offers."""

from __future__ import annotations

from abc import ABC, abstractmethod

from advsp.support.arrays import Floats


class Generator(ABC):
    """A stream of numbers that its name and seed decide, on every machine alike.

    Parameters
    ----------
    seed: not negative.
    """

    @abstractmethod
    def __init__(self, seed: int) -> None: ...

    @abstractmethod
    def skip(self, draws: int) -> None:
        """Leave out the next ``draws`` numbers, in time that grows with their logarithm."""

    @abstractmethod
    def uniform(self, draws: int) -> Floats:
        """The next ``draws`` numbers, float64 [draws], each in [0, 1)."""
