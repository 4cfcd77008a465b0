"""What systems decide about instances, by which rule, and how it scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from advsp.learners.base import Decoded
from advsp.metrics.base import Metric
from advsp.metrics.choice import Rule, is_by_threshold
from advsp.support.arrays import Bools, Floats, Ints
from advsp.training.instances import Instances


@dataclass(frozen=True, eq=False)
class Output:
    """What a system says of instances, one class after the other."""

    instances: Instances
    decoded: Mapping[str, Decoded]


def thresholds_in_steps(step: float) -> Floats:
    """The thresholds on marginals that are tried: all multiples of ``step`` between 0 and 1.

    >>> thresholds_in_steps(0.25)
    array([0.25, 0.5 , 0.75])
    """
    number = round(1.0 / step)
    return np.arange(1, number) / number


def decide(said: Decoded, rule: Rule, threshold: float | None = None) -> Bools:
    """Decisions bool [T] under a rule; ``said`` is of the distribution that the rule goes by."""
    if rule == "mode":
        return said.mode
    if not is_by_threshold(rule):
        threshold = 0.5
    assert threshold is not None, f"the rule {rule} needs a threshold"
    decided: Bools = said.marginal > threshold
    return decided


def score(parts: Sequence[Output], rule: Rule, label: str, metric: Metric, thresholds: Floats) -> float:
    """The score of one class over all parts; by a threshold where the rule needs one, that of the best."""
    threshold = best_threshold(parts, label, metric, thresholds) if is_by_threshold(rule) else None
    return float(metric.score(_sums(parts, rule, threshold, label, metric)))


def best_threshold(parts: Sequence[Output], label: str, metric: Metric, thresholds: Floats) -> float:
    """Of ``thresholds`` on the marginal the one that scores best; of equals the one nearest to 1/2."""
    merits = [metric.merit(_sums(parts, "threshold", t, label, metric)) for t in thresholds]
    best = max(zip(merits, -np.abs(thresholds - 0.5), thresholds))
    return round(float(best[2]), 10)


def _sums(parts: Sequence[Output], rule: Rule, threshold: float | None, label: str, metric: Metric) -> Ints:
    """Counts [q] of one class, summed over all parts."""
    counts = []
    for part in parts:
        said = part.decoded[label]
        counts.append(metric.counts(decide(said, rule, threshold), part.instances, label, said.begins))
    sums: Ints = np.sum([table.sum(axis=0) for table in counts], axis=0)
    return sums
