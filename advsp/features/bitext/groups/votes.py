"""Links as an election, in which every direction of every aligner has a vote."""

from __future__ import annotations

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.support.grids import OF_SOURCE, OF_TARGET, is_best, lead, neighbour


@groups.register("votes")
def votes(evidence: Evidence) -> Columns:
    """Votes of the link, whether it has all, those of the two words before and of the two that follow;
    votes against those of the best other link of either word, and whether none has more.
    """
    if not evidence.predicted:
        return {}
    counts = evidence.votes
    return {
        "votes": counts,
        "all votes": counts == len(evidence.predicted),
        "votes before": neighbour(counts, -1, -1),
        "votes after": neighbour(counts, 1, 1),
        "vote lead of source": lead(counts, OF_SOURCE),
        "vote lead of target": lead(counts, OF_TARGET),
        "most votes of source": is_best(counts, OF_SOURCE),
        "most votes of target": is_best(counts, OF_TARGET),
    }
