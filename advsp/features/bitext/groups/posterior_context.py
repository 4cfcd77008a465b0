"""How probable the aligners that know the whole text find a link and those around it."""

from __future__ import annotations

import numpy as np

from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.features.bitext.link_statistics import FORWARD, REVERSE
from advsp.support.arrays import Floats
from advsp.support.grids import OF_SOURCE, OF_TARGET, lead
from advsp.training.link_context import far, near

_LITTLE = 1e-3  # a probability that any link has, where logarithms are taken


@groups.register("posterior-context")
def posterior_context(evidence: Evidence) -> Columns:
    """Fifty columns.

    The mean C over the aligners of the product of both posteriors, and the mean M of their mean; their
    logarithms; what stands around a link by C (:func:`~advsp.training.link_context.near` and
    :func:`~advsp.training.link_context.far`) and by M (near); and the logarithm of M against that of the
    best other link of either word.
    """
    if not evidence.whole:
        return {}
    agreed: Floats = np.mean([forward * reverse for forward, reverse in evidence.whole.values()], axis=0)
    mean: Floats = (evidence.weights[FORWARD] + evidence.weights[REVERSE]) / 2
    log_mean = np.log(mean + _LITTLE)
    columns: Columns = {
        "agreement": agreed,
        "mean posterior": mean,
        "log agreement": np.log(agreed + _LITTLE),
        "log mean posterior": log_mean,
        "log mean posterior lead of source": lead(log_mean, OF_SOURCE),
        "log mean posterior lead of target": lead(log_mean, OF_TARGET),
    }
    columns |= {f"agreement {place}": column for place, column in (near(agreed) | far(agreed)).items()}
    columns |= {f"mean posterior {place}": column for place, column in near(mean).items()}
    return columns
