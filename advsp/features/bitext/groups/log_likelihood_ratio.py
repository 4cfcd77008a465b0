"""How surprising it is that words stand together so often: the log-likelihood ratio.

Dunning (1993); Moore (2005) aligns words by it.  Unlike Dice it grows with the evidence: a pair seen together
once, and never apart, has a Dice coefficient of 1, but a small ratio.
"""

from __future__ import annotations

import numpy as np
from scipy.special import rel_entr

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.support.arrays import Floats, Integers
from advsp.support.grids import OF_SOURCE, OF_TARGET, is_best, lead


@groups.register("log-likelihood-ratio")
def log_likelihood_ratio(evidence: Evidence) -> Columns:
    """log(1 + G), negative for words that avoid each other, 0 for unknown ones; the same against that of the
    best other link of either word, and whether none is better.

    G is counted by sentence pairs, as a pair either has a word or has it not.
    """
    statistics = evidence.statistics
    rows, columns = evidence.source_numbers, evidence.target_numbers
    ratio = signed_ratio(
        statistics.meetings(rows, columns),
        statistics.source.sentences[rows][:, None],
        statistics.target.sentences[columns],
        statistics.pairs,
    )
    association = np.sign(ratio) * np.log1p(np.abs(ratio))
    return {
        "log-likelihood ratio": association,
        "log-likelihood ratio lead of source": lead(association, OF_SOURCE),
        "log-likelihood ratio lead of target": lead(association, OF_TARGET),
        "best log-likelihood ratio of source": is_best(association, OF_SOURCE),
        "best log-likelihood ratio of target": is_best(association, OF_TARGET),
    }


def signed_ratio(both: Integers, first: Integers, second: Integers, total: int) -> Floats:
    """G of the tables [[both, first - both], [second - both, the rest]], twice the log-likelihood ratio of
    dependence to independence; with a minus unless there are more of ``both`` than by chance.

    Parameters
    ----------
    both, first, second: int, of shapes that broadcast: how many have two properties, and either of them.
    total: how many there are; 0 * log 0 is 0.

    Returns
    -------
    float64 of the common shape
    """
    neither = total - first - second + both
    cells = (
        (both, first, second),
        (first - both, first, total - second),
        (second - both, total - first, second),
        (neither, total - first, total - second),
    )
    share = 1.0 / max(total, 1)
    ratio = 2 * sum(rel_entr(seen, share * row * column) for seen, row, column in cells)
    # Of independent counts it is 0, and may be less by rounding; the sign is that of exact integers.
    signed: Floats = np.maximum(ratio, 0.0) * np.sign(both * total - first * second)
    return signed
