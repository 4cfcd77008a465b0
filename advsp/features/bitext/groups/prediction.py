"""What aligners predict: the link itself, links next to it, and how many links its words have."""

from __future__ import annotations

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.support.arrays import Bools, Ints
from advsp.support.grids import OF_SOURCE, OF_TARGET, neighbour


@groups.register("predictions")
def predictions(evidence: Evidence) -> Columns:
    """Whether each direction predicts the link, and whether both directions of an aligner do."""
    columns: Columns = {f"{name} predicts": links for name, links in evidence.predicted.items()}
    for aligner in evidence.aligners:
        if len(aligner.directions) > 1:
            columns[f"{aligner.name} predicts both ways"] = evidence.agreed[aligner.name]
    return columns


@groups.register("neighbouring-links")
def neighbouring_links(evidence: Evidence) -> Columns:
    """Of the links that an aligner predicts in both directions: whether it links the two words before
    and the two that follow, whether it links both, and how many it has among the eight around this one.
    """
    columns: Columns = {}
    for name, links in evidence.agreed.items():
        before, after = neighbour(links, -1, -1), neighbour(links, 1, 1)
        columns |= {
            f"{name} before": before,
            f"{name} after": after,
            f"{name} before & after": before & after,
            f"{name} around": _around(links),
        }
    return columns


@groups.register("degrees")
def degrees(evidence: Evidence) -> Columns:
    """How many links each direction gives to either word."""
    columns: Columns = {}
    for name, links in evidence.predicted.items():
        for side, axis in (("source", OF_SOURCE), ("target", OF_TARGET)):
            degree = links.sum(axis=axis, keepdims=True)
            columns[f"{name} degree of {side}"] = np.broadcast_to(degree, evidence.shape)
    return columns


def _around(links: Bools) -> Ints:
    """Number of links in the eight cells around every cell, int64 [n, m]."""
    counts = links.astype(np.int64)
    steps = (-1, 0, 1)
    return sum(neighbour(counts, rows, columns) for rows in steps for columns in steps) - counts
