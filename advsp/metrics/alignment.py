"""Counts and scores of word alignment: predicted links A against sure links S and possible links P.

P holds every link that may be there, the sure ones too.  A *table* of counts is an int64 array [S, 4];
its row for a sentence pair holds |A & S|, |A & P|, |A| and |S|.  The score of a corpus is that of the summed
rows.

Every score takes these four, so that ``alignment_error_rate(*table.sum(axis=0))`` scores a corpus and
``lambda sums: alignment_error_rate(*sums.T)`` is a statistic for :mod:`advsp.metrics.bootstrap`.

Source: Och and Ney, "A Systematic Comparison of Various Statistical Alignment Models", *Computational
Linguistics* 29(1), 2003, section 6.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from advsp.engine.measures.roles import N, P, S
from advsp.metrics.segments import sum_segments


def alignment_counts(links: np.ndarray, labels: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Counts per sentence pair.

    Parameters
    ----------
    links: bool [T], whether a link is predicted at each of the T edges (pairs of words) of the corpus.
    labels: int [T], the gold labels: 0 no link, 1 a possible link, 2 a sure link, as in
        :mod:`advsp.engine.measures.aer`.
    offsets: int [S + 1]; pair ``s`` owns the edges ``offsets[s]:offsets[s + 1]``, perhaps none.

    Returns
    -------
    int64 [S, 4], columns |A & S|, |A & P|, |A|, |S|.

    Raises
    ------
    ValueError: links that are not boolean, labels that are none, different numbers of them, or offsets
        that do not rise from 0 to T.
    """
    links, labels = np.asarray(links), np.asarray(labels)
    if links.dtype != bool:
        raise ValueError(f"links must be boolean, not {links.dtype}")
    if not np.issubdtype(labels.dtype, np.integer) or not np.isin(labels, (N, P, S)).all():
        raise ValueError(f"labels must be the whole numbers {N}, {P} and {S}")
    if links.ndim != 1 or links.shape != labels.shape:
        raise ValueError(
            f"links and labels must have one length, not the shapes {links.shape} and {labels.shape}"
        )
    sure = labels == S
    return sum_segments(np.stack([links & sure, links & (labels != N), links, sure], axis=1), offsets)


def alignment_error_rate(
    sure_hits: ArrayLike, hits: ArrayLike, predicted: ArrayLike, sure: ArrayLike
) -> np.ndarray:
    """AER: 1 - (|A & S| + |A & P|) / (|A| + |S|); 0 where nothing is predicted and nothing is sure.

    Parameters
    ----------
    sure_hits, hits, predicted, sure: |A & S|, |A & P|, |A| and |S|, of any shapes that broadcast.

    Returns
    -------
    float64 of the broadcast shape, between 0 and 1, never NaN.
    """
    sure_hits, hits, predicted, sure = np.broadcast_arrays(sure_hits, hits, predicted, sure)
    return 1.0 - _share(sure_hits + hits, predicted + sure)


def alignment_precision(
    sure_hits: ArrayLike, hits: ArrayLike, predicted: ArrayLike, sure: ArrayLike
) -> np.ndarray:
    """Share of the predicted links that are possible: |A & P| / |A|.

    Where nothing is predicted it is 1, since none of it is wrong: 1 - AER stays the mean of precision and
    recall weighted by |A| and |S|.  Shapes as in :func:`alignment_error_rate`.
    """
    _, hits, predicted, _ = np.broadcast_arrays(sure_hits, hits, predicted, sure)
    return _share(hits, predicted)


def alignment_recall(
    sure_hits: ArrayLike, hits: ArrayLike, predicted: ArrayLike, sure: ArrayLike
) -> np.ndarray:
    """Share of the sure links that are predicted: |A & S| / |S|; 1 where nothing is sure.

    Shapes as in :func:`alignment_error_rate`.
    """
    sure_hits, _, _, sure = np.broadcast_arrays(sure_hits, hits, predicted, sure)
    return _share(sure_hits, sure)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole, 1 where there is nothing to have a part of."""
    return np.divide(part, whole, out=np.ones(np.shape(whole)), where=whole > 0)[()]
