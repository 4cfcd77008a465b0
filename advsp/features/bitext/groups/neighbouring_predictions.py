"""What aligners predict for one of the two words and a neighbour of the other, or for both neighbours."""

from __future__ import annotations

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.support.grids import neighbour

#: Beside a link, by the words that are not its own: a word with several links has them side by side.
_BESIDE = {
    "next target": (0, 1),
    "previous target": (0, -1),
    "next source": (1, 0),
    "previous source": (-1, 0),
}
#: Across from a link: two words that change places.
_ACROSS = {
    "next source & previous target": (1, -1),
    "previous source & next target": (-1, 1),
}


@groups.register("neighbouring-predictions")
def neighbouring_predictions(evidence: Evidence) -> Columns:
    """Whether an aligner predicts the four links beside this one, in all its directions; the votes of those,
    and of the two across.  Before and after, in both sentences, is what :mod:`.prediction` and
    :mod:`.votes` look at.
    """
    if not evidence.predicted:
        return {}
    columns: Columns = {
        f"{name} {place}": neighbour(links, *step)
        for name, links in evidence.agreed.items()
        for place, step in _BESIDE.items()
    }
    for place, step in (_BESIDE | _ACROSS).items():
        columns[f"votes {place}"] = neighbour(evidence.votes, *step)
    return columns
