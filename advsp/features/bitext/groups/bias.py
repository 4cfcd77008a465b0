"""The same for every link: how ready a model is to link at all."""

from __future__ import annotations

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.training.instances import BIAS


@groups.register("bias")
def bias(evidence: Evidence) -> Columns:
    """1."""
    return {BIAS: np.ones(evidence.shape)}
