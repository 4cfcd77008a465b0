"""How far a score could move on other sentences: the nonparametric bootstrap, for any score of summed counts.

Sentences are drawn with replacement, as many as there are, and the score is computed anew; the spread
of many such scores stands for the spread over corpora (Efron and Tibshirani, *An Introduction to the
Bootstrap*, 1993).  A score that depends on sums of per-sentence counts needs no second look at the
sentences: the number of times each is drawn is a multinomial weight, and weights times counts are the sums.

Where a system was trained with several seeds, its score is the mean over the runs, all on the same
resample.  The interval then speaks of other sentences, not of other seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from advsp.support.arrays import Floats, Integers, Ints

Runs = Integers | Sequence[Integers]
"""Counts of one run, int [S, q], or of several runs on the same sentences, [R, S, q] or a sequence."""

Statistic = Callable[[Ints], Floats]
"""Score of summed counts, row by row: int64 [B, q] -> float [B]."""

# Weights held in memory at a time; results do not depend on it.
_WEIGHTS_AT_ONCE = 4_000_000
# Most weights that are kept for the next score of the same corpus.
_KEPT_CELLS = 20_000_000


class Interval(NamedTuple):
    """A score and the ends of its confidence interval."""

    value: float
    low: float
    high: float


class PairedTest(NamedTuple):
    """A difference of two scores, the ends of its confidence interval, and its two-sided p-value."""

    difference: float
    low: float
    high: float
    p_value: float


class Resampled(NamedTuple):
    """A score of a corpus, and what it is on every resample, float [B]."""

    value: float
    scores: Floats

    def interval(self, level: float = 0.95) -> Interval:
        """See :func:`interval`."""
        low, high = _percentiles(self.scores, level)
        return Interval(self.value, low, high)

    def against(self, other: Resampled, level: float = 0.95) -> PairedTest:
        """See :func:`paired_test`; both are of the same resamples."""
        difference, differences = self.value - other.value, self.scores - other.scores
        low, high = _percentiles(differences, level)
        # Counts make ties common; a tie counts as extreme, and rounding must not break it.
        extreme = np.abs(differences - difference) >= abs(difference) * (1 - 1e-9)
        return PairedTest(difference, low, high, float((1 + extreme.sum()) / (len(differences) + 1)))


def interval(
    counts: Runs, statistic: Statistic, *, samples: int = 2000, seed: int, level: float = 0.95
) -> Interval:
    """Percentile interval of a score (Efron and Tibshirani 1993, chapter 13).

    Parameters
    ----------
    counts: int [S, q], or R runs of it.
    statistic: [B, q] -> [B], finite on every sum of S rows.
    samples: number of resamples B.
    seed: of the resamples; the same seed and S give the same resamples.
    level: confidence, between 0 and 1.

    Raises
    ------
    ValueError: counts that are not whole numbers, are empty or differ in shape between the runs; a
        statistic of another shape or not finite; ``samples`` or ``level`` out of range.
    """
    return resampled(counts, statistic, samples=samples, seed=seed).interval(level)


def paired_test(
    counts_a: Runs,
    counts_b: Runs,
    statistic: Statistic,
    *,
    samples: int = 2000,
    seed: int,
    level: float = 0.95,
) -> PairedTest:
    """Whether systems a and b differ on the same sentences: both are scored on the same resamples.

    Pairing as in Koehn, *Statistical Significance Tests for Machine Translation Evaluation*, EMNLP 2004.
    The p-value is two-sided.  With d the observed difference a − b and d* that of a resample, the
    distribution of d* − d stands for the differences seen if there were none (Efron and Tibshirani
    1993, chapter 16), and

        p = (1 + number of resamples with |d* − d| >= |d|) / (B + 1),

    the observed corpus being counted as one more resample, so that p is never 0 (Davison and Hinkley,
    *Bootstrap Methods and their Application*, 1997, chapter 4).  Exchanging a and b changes signs and nothing
    else; without a difference p is 1.

    Parameters
    ----------
    counts_a, counts_b: int [S, q] each, row by row of the same sentences, or runs of it; the numbers of
        runs may differ.
    statistic, samples, seed, level: as in :func:`interval`.

    Raises
    ------
    ValueError: as in :func:`interval`, or a and b differ in S or q.
    """
    runs_a, runs_b = _stack(counts_a), _stack(counts_b)
    if runs_a.shape[1:] != runs_b.shape[1:]:
        raise ValueError(f"a pair must have one shape, not {runs_a.shape[1:]} and {runs_b.shape[1:]}")
    first, second = (resampled(runs, statistic, samples=samples, seed=seed) for runs in (runs_a, runs_b))
    return first.against(second, level)


def resampled(counts: Runs, statistic: Statistic, *, samples: int = 2000, seed: int) -> Resampled:
    """A score of the corpus itself and of its resamples; parameters and errors as in :func:`interval`.

    Of systems on the same sentences, by the same seed, the resamples are the same.
    """
    runs = _stack(counts)
    return Resampled(_observed(statistic, runs), _score(statistic, _resampled_sums(runs, samples, seed)))


def _stack(counts: Runs) -> Ints:
    """Runs as int64 [R, S, q]."""
    if isinstance(counts, np.ndarray) and counts.ndim == 2:
        counts = [counts]
    runs = np.stack([np.asarray(run) for run in counts])
    if runs.ndim != 3 or runs.shape[1] == 0:
        raise ValueError(f"counts must be [S, q] with S > 0, or runs of it, not {runs.shape}")
    # Whole numbers add up to the same sum in any order, hence for any number of weights at once.
    if not np.issubdtype(runs.dtype, np.integer):
        raise ValueError(f"counts must be whole numbers, not {runs.dtype}")
    return runs.astype(np.int64)


def _resampled_sums(runs: Ints, samples: int, seed: int) -> Ints:
    """Sums of counts in every resample: int64 [R, B, q] from [R, S, q]."""
    if samples < 1:
        raise ValueError(f"samples must be at least 1, not {samples}")
    number, units, columns = runs.shape
    # Whole numbers of this size are exact as floating-point numbers, and products of those are fast.
    flat = np.moveaxis(runs, 1, 0).reshape(units, number * columns).astype(np.float64)
    draws = _kept_draws if samples * units <= _KEPT_CELLS else _draws
    sums = np.concatenate([part @ flat for part in draws(units, samples, seed)])
    return np.moveaxis(sums.astype(np.int64).reshape(samples, number, columns), 1, 0)


def _draws(units: int, samples: int, seed: int) -> Iterator[Floats]:
    """How often each unit is in every resample: float [some, S], B rows in all."""
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    evenly = np.full(units, 1 / units)
    rows = max(1, _WEIGHTS_AT_ONCE // units)
    for first in range(0, samples, rows):
        drawn = generator.multinomial(units, evenly, size=min(rows, samples - first))
        yield drawn.astype(np.float64)


@lru_cache(maxsize=1)
def _kept_draws(units: int, samples: int, seed: int) -> list[Floats]:
    """The same, kept for the next score of the same corpus: all of them are resampled alike."""
    return list(_draws(units, samples, seed))


def _score(statistic: Statistic, sums: Ints) -> Floats:
    """Mean of the statistic over the runs: [B] from [R, B, q]."""
    runs, samples, columns = sums.shape
    rows = sums.reshape(runs * samples, columns)
    values = np.asarray(statistic(rows), dtype=np.float64)
    if values.shape != (len(rows),):
        raise ValueError(f"the statistic must turn [B, q] into [B], not {rows.shape} into {values.shape}")
    if not np.isfinite(values).all():
        raise ValueError("the statistic must be finite on every resample")
    scores: Floats = values.reshape(runs, samples).mean(axis=0)
    return scores


def _observed(statistic: Statistic, runs: Ints) -> float:
    """Score of the corpus itself."""
    return float(_score(statistic, runs.sum(axis=1, keepdims=True))[0])


def _percentiles(values: Floats, level: float) -> tuple[float, float]:
    """Ends of the middle part of ``values`` that holds the share ``level`` of them."""
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
