"""Growth exponents and intervals of proportions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest, t


@dataclass(frozen=True)
class Growth:
    """A power law fitted by least squares in log-log.

    Attributes
    ----------
    exponent: slope.
    low, high: its 95 % interval; infinite where two points leave nothing to estimate it from.
    first, last: range of sizes that were used.
    points: how many there were.
    """

    exponent: float
    low: float
    high: float
    first: float
    last: float
    points: int


def growth(sizes: Sequence[float], seconds: Sequence[float]) -> Growth | None:
    """Exponent of ``seconds`` as a power of ``sizes``, both positive; None for fewer than two sizes.

    Raises
    ------
    ValueError: unequal lengths, or a number that has no logarithm.
    """
    if len(sizes) != len(seconds):
        raise ValueError(f"{len(sizes)} sizes, {len(seconds)} times")
    if any(not value > 0 for value in (*sizes, *seconds)):
        raise ValueError("sizes and times must be positive")
    if len(set(sizes)) < 2:
        return None
    x, y = np.log(sizes), np.log(seconds)
    centred = x - x.mean()
    slope = float(centred @ y / (centred @ centred))
    freedom = len(x) - 2
    if freedom == 0:
        margin = math.inf
    else:
        residuals = y - y.mean() - slope * centred
        error = math.sqrt(float(residuals @ residuals) / freedom / float(centred @ centred))
        margin = float(t.ppf(0.975, freedom)) * error
    return Growth(slope, slope - margin, slope + margin, min(sizes), max(sizes), len(x))


def share_interval(hits: int, trials: int, level: float = 0.99) -> tuple[float, float]:
    """Wilson interval of a proportion.

    Raises
    ------
    ValueError: no trials, or more hits than trials.
    """
    if not 0 <= hits <= trials or trials == 0:
        raise ValueError(f"{hits} hits in {trials} trials")
    found = binomtest(hits, trials).proportion_ci(confidence_level=level, method="wilson")
    return float(found.low), float(found.high)
