"""One minus the alignment error rate (Eq. 2 of the paper)."""

from __future__ import annotations

import numpy as np

from advsp.engine.measures import measures
from advsp.engine.measures.ratio import RatioMeasure

#: Labels of an edge: not a link, a possible link, a sure link.
N, P, S = 0, 1, 2


@measures.register("aer")
class AlignmentAccuracy(RatioMeasure):
    """1 - AER = (|A & S| + |A & (S or P)|) / (|A| + |S|), 1 when |A| + |S| = 0.

    A sure link is possible too, so hitting it is worth 2 and hitting a P-only link 1.
    """

    scale, share = 1.0, 1.0

    def __init__(self) -> None:
        self.hits = np.array([0.0, 1.0, 2.0])
        self.counted = np.array([False, False, True])
