"""Precision of one class, of a predictor that must name some positives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from annotated_types import Ge

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountMeasure
from advsp.support.arrays import Floats, Ints


@measures.register("precision")
@dataclass(frozen=True)
class Precision(CountMeasure):
    """|a & y| / |a|, where the predictor places at least ``least`` ones.

    Without that bound, which keeps its recall up, it would name next to nothing.

    Attributes
    ----------
    least: fewest ones it may place; all positions where there are not so many.
    """

    least: Annotated[int, Ge(1)] = 1

    def coefficients(self, predicted: Ints, actual: Ints, length: Ints) -> tuple[Floats, Floats]:
        return 1.0 / predicted, np.zeros(())

    def permitted(self, length: int) -> tuple[int, int]:
        return min(self.least, length), length

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(2)]
