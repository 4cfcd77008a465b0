"""Two adjacent words that are said for one: how often they are, and how probable that is here."""

from __future__ import annotations

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.features.bitext.link_statistics import FORWARD, REVERSE
from advsp.support.arrays import Floats
from advsp.support.grids import neighbour

_LITTLE = 0.01  # a share that any two words have, where logarithms are taken


@groups.register("bigrams")
def bigrams(evidence: Evidence) -> Columns:
    """Of either side twelve columns.

    The share of all tokens of this word and the one before that are linked to one word, and of this word and
    the one behind; times the posterior of the link beside this one, by the mean of both directions and by the
    one in which the side is said, and the greater of both; logarithms of the shares times that mean; and the
    shares that are linked to a word and the one behind it, times the mean posterior of the link before this
    one, and after it.
    """
    statistics = evidence.link_statistics
    if statistics is None:
        return {}
    mean = (evidence.weights[FORWARD] + evidence.weights[REVERSE]) / 2
    columns: Columns = {}
    sides = (
        ("source", statistics.source, evidence.source_numbers, REVERSE, False),
        ("target", statistics.target, evidence.target_numbers, FORWARD, True),
    )
    for name, side, numbers, direction, turned in sides:
        joint, monotone = (
            np.pad(of.astype(np.float64), 1) for of in side.bigrams.find(numbers, len(side.tokens))
        )
        for place, shares, chances, step in (
            ("previous", joint[:-1], monotone[:-1], -1),
            ("next", joint[1:], monotone[1:], 1),
        ):
            of, then = (_along(values, turned) for values in (shares, chances))
            beside = (0, step) if turned else (step, 0)
            by_mean, by_side = (neighbour(grid, *beside) for grid in (mean, evidence.weights[direction]))
            columns |= {
                f"{name} joint with {place}": np.broadcast_to(of, evidence.shape),
                f"{name} joint with {place} by mean": of * by_mean,
                f"{name} joint with {place} by {name}": of * by_side,
                f"{name} log joint with {place} by mean": np.log(of + _LITTLE) * by_mean,
                f"{name} monotone with {place}": then * neighbour(mean, step, step),
            }
        for by in ("mean", name):
            columns[f"{name} joint by {by}"] = np.maximum(
                columns[f"{name} joint with previous by {by}"], columns[f"{name} joint with next by {by}"]
            )
    return columns


def _along(values: Floats, columns: bool) -> Floats:
    """A value for every row, or for every column."""
    return values if columns else values[:, None]
