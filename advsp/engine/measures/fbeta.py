"""F-beta of one class (Eq. 1 of the paper for beta = 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Self

from annotated_types import Gt

from advsp.engine.measures import measures
from advsp.engine.measures.ratio import RatioMeasure


@measures.register("fbeta")
@dataclass(frozen=True)
class FBeta(RatioMeasure):
    """F_beta = (1 + beta^2) |a & y| / (|a| + beta^2 |y|), 1 when both are empty.

    Attributes
    ----------
    beta: weight of recall against precision.
    """

    beta: Annotated[float, Gt(0)] = 1.0

    def __post_init__(self) -> None:
        if not self.beta > 0:
            raise ValueError(f"beta must be positive, not {self.beta}")

    @property
    def scale(self) -> float:
        return 1.0 + float(self.beta) ** 2

    @property
    def share(self) -> float:
        return float(self.beta) ** 2

    @classmethod
    def examples(cls) -> list[Self]:
        return [cls(), cls(2.0), cls(0.5)]
