"""The most frequent words of the text by name: articles and prepositions have links of their own kind."""

from __future__ import annotations

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.features.bitext.link_statistics import FORWARD, REVERSE


@groups.register("identities")
def identities(evidence: Evidence) -> Columns:
    """For each of the forty most frequent words of either side, whether it is the word, and that times the
    mean posterior of the link.
    """
    statistics = evidence.link_statistics
    if statistics is None:
        return {}
    mean = (evidence.weights[FORWARD] + evidence.weights[REVERSE]) / 2
    spelled = (
        evidence.statistics.source.spell(evidence.source),
        evidence.statistics.target.spell(evidence.target),
    )
    columns: Columns = {}
    for name, axis, words, frequent in zip(
        ("source", "target"), (1, 0), spelled, statistics.frequent, strict=True
    ):
        here = np.array(words, dtype=object)
        for word in frequent:
            is_it = np.broadcast_to(np.expand_dims(here == word, axis), evidence.shape)
            columns[f"{name} is {word}"] = is_it
            columns[f"{name} is {word} by mean"] = is_it * mean
    return columns
