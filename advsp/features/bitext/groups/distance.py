"""How far apart two words stand, as shares of their sentences."""

from __future__ import annotations

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups


@groups.register("distance")
def distance(evidence: Evidence) -> Columns:
    """The distance, its square and its square root."""
    return {
        "distance": evidence.distance,
        "squared distance": evidence.distance**2,
        "root of distance": np.sqrt(evidence.distance),
    }
