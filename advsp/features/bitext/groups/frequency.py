"""How frequent words are in unlabelled text, and the most frequent ones by name."""

from __future__ import annotations

from itertools import product

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups


@groups.register("rank")
def rank(evidence: Evidence) -> Columns:
    """How far apart the logarithms of the words' frequency ranks are; unknown words rank last."""
    source = np.log(evidence.statistics.source.ranks[evidence.source_numbers])
    target = np.log(evidence.statistics.target.ranks[evidence.target_numbers])
    return {"log rank difference": np.abs(source[:, None] - target)}


@groups.register("common-words")
def common_words(evidence: Evidence) -> Columns:
    """Whether the words are two given ones: for each of the most frequent words of both sides."""
    source, target = evidence.statistics.source, evidence.statistics.target
    left = np.array(source.spell(evidence.source), dtype=object)
    right = np.array(target.spell(evidence.target), dtype=object)
    return {
        f"{first} / {second}": np.logical_and.outer(left == first, right == second)
        for first, second in product(source.common, target.common)
    }
