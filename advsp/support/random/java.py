"""The generator of Java's standard library, by its public specification."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from advsp.support.arrays import Floats
from advsp.support.random import generators
from advsp.support.random.base import Generator

# x -> a x + c modulo 2^48.
_FACTOR, _ADDEND, _BITS = 0x5DEECE66D, 0xB, 48
_MASK = (1 << _BITS) - 1
#: States computed at a time, two a number: what fits into a cache.
_BLOCK = 1 << 15


@generators.register("java")
class Java(Generator):
    """``nextDouble`` of ``java.util.Random``.

    A linear congruential generator of 48 bits; a number takes the upper 26 bits of one state and the upper 27
    of the next.  n steps at once are again a linear map, so that a block of states is one multiplication
    and one addition a state, and skipping is repeated squaring.

    Source: the documentation of ``java.util.Random`` (Java SE), which fixes the algorithm.
    """

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ _FACTOR) & _MASK
        self._factors, self._addends = _maps(_BLOCK)

    def skip(self, draws: int) -> None:
        factor, addend = _power(2 * draws)
        self._state = (factor * self._state + addend) & _MASK

    def uniform(self, draws: int) -> Floats:
        numbers = np.empty(draws)
        for first in range(0, draws, _BLOCK // 2):
            part = numbers[first : first + _BLOCK // 2]
            size = 2 * len(part)
            # Products wrap around at 2^64, which 2^48 divides.
            states = self._factors[:size] * np.uint64(self._state) + self._addends[:size]
            states &= np.uint64(_MASK)
            upper, lower = states[::2] >> np.uint64(_BITS - 26), states[1::2] >> np.uint64(_BITS - 27)
            part[:] = (upper << np.uint64(27)) + lower
            self._state = int(states[-1])
        numbers *= 2.0**-53
        return numbers


def _power(steps: int) -> tuple[int, int]:
    """Factor and addend of so many steps at once."""
    factor, addend, a, c = 1, 0, _FACTOR, _ADDEND
    while steps:
        if steps & 1:
            factor, addend = factor * a & _MASK, (addend * a + c) & _MASK
        a, c = a * a & _MASK, (a + 1) * c & _MASK
        steps >>= 1
    return factor, addend


def _maps(size: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Factors and addends, uint64 [size], of 1, 2, ..., ``size`` steps; ``size`` is a power of two."""
    factors, addends = np.array([_FACTOR], dtype=np.uint64), np.array([_ADDEND], dtype=np.uint64)
    while len(factors) < size:
        # What is known so far, after as many steps as are known.
        further = factors * factors[-1], factors * addends[-1] + addends
        factors, addends = np.append(factors, further[0]), np.append(addends, further[1])
    return factors, addends
