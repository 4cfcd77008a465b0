"""Scores of counts: precision, recall and F-beta, one class at a time or over several.

A *table* of counts is an int64 array [S, 3]; row ``s`` holds the true positives, false positives and
false negatives (tp, fp, fn) of sentence ``s``.  The sum of tables is a table, hence a corpus score is
the score of the summed rows, and a micro-average is the score of the summed classes.

Every score takes ``(tp, fp, fn)``, so that ``f_score(*table.sum(axis=0))`` scores a corpus and
``lambda sums: f_score(*sums.T)`` is a statistic for :mod:`advsp.metrics.bootstrap`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from advsp.metrics.base import Metric
from advsp.support.arrays import Floats, Ints, Numbers


def f_score(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, beta: float = 1.0) -> Floats:
    """F-beta: (1 + β²) tp / ((1 + β²) tp + β² fn + fp); recall weighs β times as much as precision.

    Where nothing is predicted and nothing is to be found the score is 0, as conlleval prints it.
    (Inside a game the empty labelling of an empty sentence is worth 1; this is a score of a corpus.)

    Parameters
    ----------
    tp, fp, fn: counts >= 0, of any shapes that broadcast.
    beta: finite, >= 0.

    Returns
    -------
    float64 of the broadcast shape, between 0 and 1, never NaN; a number if all counts are numbers.

    Raises
    ------
    ValueError: ``beta`` is negative or not finite.

    Source: van Rijsbergen, *Information Retrieval*, 2nd edition, 1979, chapter 7.
    """
    if not (math.isfinite(beta) and beta >= 0):
        raise ValueError(f"beta must be finite and not negative, not {beta}")
    hits = (1 + beta**2) * np.asarray(tp, dtype=np.float64)
    total = hits + beta**2 * np.asarray(fn) + np.asarray(fp)
    scores: Floats = np.divide(hits, total, out=np.zeros_like(total), where=total > 0)[()]
    return scores


def precision(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike) -> Floats:
    """Share of the predicted that is right: tp / (tp + fp), which is F-0; 0 where nothing is predicted.

    Shapes as in :func:`f_score`.
    """
    return f_score(tp, fp, fn, beta=0.0)


def recall(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike) -> Floats:
    """Share of the gold that is found: tp / (tp + fn); 0 where nothing is to be found.

    Shapes as in :func:`f_score`.
    """
    # Seen from the gold side the misses are the false alarms, so recall is precision with the sides changed.
    return precision(tp, fn, fp)


def micro_average(tables: Mapping[str, Ints]) -> Ints:
    """Table of several classes taken together: the sum of their tables.

    Parameters
    ----------
    tables: class -> int64 [S, 3].

    Returns
    -------
    int64 [S, 3]; score it as the table of one class.

    Raises
    ------
    ValueError: there is no class, or the tables differ in shape.
    """
    table: Ints = np.stack(list(tables.values())).sum(axis=0)
    return table


class FScore(Metric):
    """F1 of (tp, fp, fn), whatever is counted."""

    columns = ("tp", "fp", "fn")

    def score(self, sums: Numbers) -> Floats:
        return f_score(*np.moveaxis(sums, -1, 0))

    def precision(self, sums: Numbers) -> Floats:
        return precision(*np.moveaxis(sums, -1, 0))

    def recall(self, sums: Numbers) -> Floats:
        return recall(*np.moveaxis(sums, -1, 0))
