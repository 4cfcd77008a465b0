"""F-beta of one class (Eq. 1 of the paper for beta = 1)."""

from __future__ import annotations

import numpy as np

from advsp.engine.measures import measures
from advsp.engine.measures.ratio import RatioMeasure


@measures.register("fbeta")
class FBeta(RatioMeasure):
    """F_beta = (1 + beta^2) |a & y| / (|a| + beta^2 |y|) of ``target``, 1 when both are empty.

    Parameters
    ----------
    labels: number of labels of the adversary's structure.
    target: the label that counts as positive.
    beta: weight of recall against precision, positive.
    """

    def __init__(self, labels: int, target: int, beta: float = 1.0) -> None:
        if not 0 <= target < labels:
            raise ValueError(f"target {target} is not one of {labels} labels")
        if not beta > 0:
            raise ValueError(f"beta must be positive, not {beta}")
        self.beta = float(beta)
        self.scale, self.share = 1.0 + self.beta**2, self.beta**2
        self.hits = np.zeros(labels)
        self.hits[target] = 1.0
        self.counted = self.hits > 0
