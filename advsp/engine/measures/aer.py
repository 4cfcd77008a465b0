"""One minus the alignment error rate (Eq. 2 of the paper)."""

from __future__ import annotations

from dataclasses import dataclass

from advsp.engine.measures import measures
from advsp.engine.measures.counts import CountScore
from advsp.engine.measures.ratio import RatioMeasure
from advsp.engine.measures.roles import Roles


@measures.register("aer")
@dataclass(frozen=True)
class AlignmentAccuracy(RatioMeasure):
    """1 - AER = (|A & S| + |A & (S or P)|) / (|A| + |S|), 1 when |A| + |S| = 0.

    A sure link is possible too, so hitting it is worth 2 and hitting a P-only link 1.
    """

    links_only = True

    def on_links(self) -> CountScore:
        return self.on(Roles.of_links(possible=1.0, sure=2.0))
