"""Recall of one class, of a predictor that may name so many positives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np
from annotated_types import Ge

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountMeasure
from advsp.support.arrays import Floats, Ints


@measures.register("recall")
@dataclass(frozen=True)
class Recall(CountMeasure):
    """|a & y| / |y|, 1 when y is empty, where the predictor places at most ``most`` ones.

    Without that bound, which keeps its precision up, it would name everything.

    Attributes
    ----------
    most: largest number of ones it may place.
    """

    most: Annotated[int, Ge(0)]

    def coefficients(self, predicted: Ints, actual: Ints, length: Ints) -> tuple[Floats, Floats]:
        return 1.0 / actual, np.zeros(())

    def permitted(self, length: int) -> tuple[int, int]:
        return 0, min(self.most, length)

    @classmethod
    def of_corpora(cls) -> Self:
        return cls(most=0)

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(1), cls(2)]
