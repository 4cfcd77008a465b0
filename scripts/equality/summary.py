"""Differences of all systems from the best rival, from saved scores alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from advsp.experiments.config import ExperimentConfig
from advsp.metrics.scores import PairedRow, Scores
from equality.blocks import differences
from equality.runs import best_rival, row_of


@dataclass(frozen=True)
class Difference:
    """How far a system is from the best rival, and the ends of a 95 % interval.

    Attributes
    ----------
    kind: what was compared, in words.
    p: two-sided p-value of a paired test; None where there is none.
    """

    system: str
    kind: str
    value: float
    low: float
    high: float
    p: float | None = None


def paired(
    scores: Scores, config: ExperimentConfig, split: str, metric: str, label: str, other: str | None = None
) -> list[Difference]:
    """Paired tests of every system against another one, the best rival by default, on one split."""
    rival = other or best_rival(dict(scores.selection))
    names = {row_of(config, name): name for name in config.systems}
    found = []
    for row in scores.tests:
        if (row.split, row.metric, row.label) != (split, metric, label) or not set(row.systems) <= set(names):
            continue
        turned = _turned(row) if names[row.systems[0]] == rival else row
        if names[turned.systems[1]] == rival:
            found.append(
                Difference(names[turned.systems[0]], split, turned.difference, turned.low, turned.high, row.p)
            )
    order = list(config.systems)
    return sorted(found, key=lambda difference: order.index(difference.system))


def _turned(row: PairedRow) -> PairedRow:
    """The same test with the systems exchanged."""
    first, second = row.systems
    return PairedRow(
        row.split, row.label, row.metric, (second, first), -row.difference, -row.high, -row.low, row.p
    )


def over_samples(found: Mapping[str, Any], kind: str) -> list[Difference]:
    """Mean differences over other training samples, with 1.96 standard errors to either side."""
    return [
        Difference(system, kind, value, value - 1.96 * error, value + 1.96 * error)
        for system, (value, error) in differences(found).items()
    ]
