"""Cohen's kappa (1960): agreement beyond that of chance."""

from __future__ import annotations

from dataclasses import dataclass

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountMeasure
from advsp.support.arrays import Floats, Ints


@measures.register("kappa")
@dataclass(frozen=True)
class Kappa(CountMeasure):
    """(accuracy - chance) / (1 - chance), chance = (|a| |y| + (n - |a|) (n - |y|)) / n^2.

    1 where chance alone makes both agree everywhere: all positions positive, or none.
    """

    lowest = -1.0

    def coefficients(self, predicted: Ints, actual: Ints, length: Ints) -> tuple[Floats, Floats]:
        chance = (predicted * actual + (length - predicted) * (length - actual)) / length**2
        beyond = 1.0 - chance
        return 2.0 / (length * beyond), ((length - predicted - actual) / length - chance) / beyond
