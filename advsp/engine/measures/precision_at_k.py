"""Precision at k: the share of hits among exactly k positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from annotated_types import Ge

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountMeasure
from advsp.support.arrays import Floats, Ints


@measures.register("precision-at-k")
@dataclass(frozen=True)
class PrecisionAtK(CountMeasure):
    """|a & y| / |a|, where the predictor places exactly ``k`` ones.

    Attributes
    ----------
    k: number of ones; all positions where there are not so many.
    """

    k: Annotated[int, Ge(1)] = 1

    def coefficients(self, predicted: Ints, actual: Ints, length: Ints) -> tuple[Floats, Floats]:
        return 1.0 / predicted, np.zeros(())

    def permitted(self, length: int) -> tuple[int, int]:
        return min(self.k, length), min(self.k, length)

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(2)]
