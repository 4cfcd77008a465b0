"""What a whole text tells about links: how often two words are linked, and how many links a word has."""

from __future__ import annotations

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.features.bitext.link_statistics import FORWARD, REVERSE
from advsp.support.arrays import Floats
from advsp.support.grids import OF_SOURCE, OF_TARGET, lead, neighbour

_DISCOUNT = 0.1  # of the links of two words
_LITTLE = 0.02  # links that any two words have, where logarithms are taken
_SHARE = 1e-3  # of the links of a word that goes to any other, where logarithms are taken
_NEVER = 0.05  # links below which two words count as not linked
#: By what the rates of links around a link are called, and where these stand.
_AROUND = {
    "after": (1, 1),
    "before": (-1, -1),
    "next target": (0, 1),
    "previous target": (0, -1),
    "next source": (1, 0),
    "previous source": (-1, 0),
}


@groups.register("link-statistics")
def link_statistics(evidence: Evidence) -> Columns:
    """Of either direction 27 columns.

    With c the links of the two words in the text and n how often they meet, the link itself left out of both,
    and e and f how often either word stands: the rate max(c - 0.1, 0) / (n + 1) and the logarithm of
    (c + 0.02) / (n + 1); c / (e + 1), c / (f + 1) and their logarithms; Dice, 2 c / (e + f); log(1 + c) and
    log(1 + n); whether c is below 0.05; the rate and both logarithms against those of the best other link of
    either word; the rates of six links around; the share of either word's tokens that has no link, and that
    has more than one; and the sum of both shares of none.
    """
    statistics = evidence.link_statistics
    if statistics is None:
        return {}
    rows, columns = evidence.source_numbers, evidence.target_numbers
    source, target = statistics.source, statistics.target
    often, said = source.tokens[rows][:, None].astype(np.float64), target.tokens[columns].astype(np.float64)
    found: Columns = {}
    for direction, name in ((FORWARD, "forward"), (REVERSE, "reverse")):
        linked, together = evidence.linked_elsewhere(direction)
        rate: Floats = np.maximum(linked - _DISCOUNT, 0) / (together + 1)
        of_source, of_target = linked / (often + 1), linked / (said + 1)
        log_source, log_target = np.log(of_source + _SHARE), np.log(of_target + _SHARE)
        none = source.share(source.none, direction, rows), target.share(target.none, direction, columns)
        more = source.share(source.more, direction, rows), target.share(target.more, direction, columns)
        one: Columns = {
            "rate": rate,
            "log rate": np.log((linked + _LITTLE) / (together + 1)),
            "share of source": of_source,
            "share of target": of_target,
            "dice": 2 * linked / np.maximum(often + said, 1),
            "log share of source": log_source,
            "log share of target": log_target,
            "log links": np.log1p(linked),
            "log meetings": np.log1p(together),
            "never": linked < _NEVER,
        }
        for what, grid in (
            ("rate", rate),
            ("log share of source", log_source),
            ("log share of target", log_target),
        ):
            one[f"{what} lead of source"] = lead(grid, OF_SOURCE)
            one[f"{what} lead of target"] = lead(grid, OF_TARGET)
        one |= {f"rate {place}": neighbour(rate, *step) for place, step in _AROUND.items()}
        one |= {
            "none of source": _rows(none[0], evidence),
            "none of target": _columns(none[1], evidence),
            "more of source": _rows(more[0], evidence),
            "more of target": _columns(more[1], evidence),
            "none of both": none[0][:, None] + none[1],
        }
        found |= {f"{name} {what}": column for what, column in one.items()}
    return found


def _rows(values: Floats, evidence: Evidence) -> Floats:
    return np.broadcast_to(values[:, None], evidence.shape)


def _columns(values: Floats, evidence: Evidence) -> Floats:
    return np.broadcast_to(values, evidence.shape)
