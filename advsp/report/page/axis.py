"""Where values are drawn, and the round numbers that stand beside an axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

#: About so many numbers stand beside an axis.
_TICKS = 5


@dataclass(frozen=True)
class Axis:
    """Maps values from ``low`` to ``high`` to places from ``begin`` to ``end``.

    >>> axis = Axis.around([3.1, 6.9], 0.0, 100.0)
    >>> axis.ticks()
    [3.0, 4.0, 5.0, 6.0, 7.0]
    >>> axis.place(5.0)
    50.0
    """

    low: float
    high: float
    begin: float
    end: float

    @classmethod
    def around(cls, values: Iterable[float], begin: float, end: float) -> Axis:
        """An axis from a round number below all finite values to one above them."""
        finite = [value for value in values if math.isfinite(value)] or [0.0]
        step = _step(max(finite) - min(finite))
        low, high = math.floor(min(finite) / step) * step, math.ceil(max(finite) / step) * step
        return cls(low, high if high > low else low + step, begin, end)

    def place(self, value: float) -> float:
        """Where a value is drawn."""
        return self.begin + (value - self.low) / (self.high - self.low) * (self.end - self.begin)

    def ticks(self) -> list[float]:
        """Round numbers from one end to the other."""
        step = _step(self.high - self.low)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [round(number * step, 10) for number in range(first, last + 1)]


def _step(spread: float) -> float:
    """1, 2 or 5 times a power of ten: about a fifth of the spread."""
    # What is closer together than any number that is drawn is one.
    if spread <= 1e-9:
        return 1.0
    power = 10.0 ** math.floor(math.log10(spread / _TICKS))
    return min((1.0, 2.0, 5.0, 10.0), key=lambda factor: abs(spread / (factor * power) - _TICKS)) * power
