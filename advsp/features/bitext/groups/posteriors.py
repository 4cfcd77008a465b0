"""How probable aligners find a link that can tell it; what is left when a decision is not yet taken."""

from __future__ import annotations

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups

#: Below these a probability is as good as none, and its logarithm stays finite.
_JOINT, _SINGLE = 1e-4, 1e-3


@groups.register("posteriors")
def posteriors(evidence: Evidence) -> Columns:
    """Logarithms of the posteriors of both directions, and of their product."""
    columns: Columns = {}
    for name, (forward, reverse) in evidence.posteriors.items():
        columns |= {
            f"{name} log product": np.log(forward * reverse + _JOINT),
            f"{name} log forward": np.log(forward + _SINGLE),
            f"{name} log reverse": np.log(reverse + _SINGLE),
        }
    return columns
