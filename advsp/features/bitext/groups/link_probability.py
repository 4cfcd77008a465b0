"""How probable an aligner finds a link of two words, from all that it links."""

from __future__ import annotations

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups

_ADDED = 1.0  # sentence pairs without a link, added to those counted
_DISCOUNT = 0.5  # of a link; half of the evidence, if there is but one


@groups.register("link-probability")
def link_probability(evidence: Evidence) -> Columns:
    """Of the sentence pairs that contain both words the share in which an aligner links them: smoothed,
    and with a discount on the links (Cherry and Lin 2006); words never seen together have 0.
    """
    columns: Columns = {}
    for aligner in evidence.aligners:
        linked, together = evidence.linked(aligner.name)
        columns |= {
            f"{aligner.name} smoothed probability": linked / (together + _ADDED),
            f"{aligner.name} discounted probability": np.maximum(linked - _DISCOUNT, 0)
            / np.maximum(together, 1),
        }
    return columns
