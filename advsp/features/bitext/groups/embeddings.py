"""How alike a language model finds two words."""

from __future__ import annotations

from advsp.features.bitext.embeddings import cosines
from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.support.grids import OF_SOURCE, OF_TARGET, is_best, lead, neighbour


@groups.register("embeddings")
def embeddings(evidence: Evidence) -> Columns:
    """The cosine of the two words; against that of the best other link of either word, and whether none is
    better; and the cosines of the two words before and of the two that follow.
    """
    alike = cosines(evidence.source, evidence.target)
    return {
        "cosine": alike,
        "cosine lead of source": lead(alike, OF_SOURCE),
        "cosine lead of target": lead(alike, OF_TARGET),
        "best cosine of source": is_best(alike, OF_SOURCE),
        "best cosine of target": is_best(alike, OF_TARGET),
        "cosine before": neighbour(alike, -1, -1),
        "cosine after": neighbour(alike, 1, 1),
    }
