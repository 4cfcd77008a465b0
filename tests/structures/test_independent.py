"""Independent labels with more counts than fit into memory at once."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.measures.aer import AlignmentAccuracy
from advsp.mixture import Mixture
from advsp.structures import independent
from advsp.structures.independent import IndependentLabels


@pytest.mark.parametrize("seed", range(3))
def test_counts_taken_in_small_blocks_give_the_same_response(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    structure = IndependentLabels(rng.normal(scale=0.1, size=(30, 3)))
    predictions = (rng.random((4, 30)) < 0.3).astype(np.int8)
    costs = AlignmentAccuracy().adversary_costs(Mixture(predictions, np.full(4, 0.25)))
    whole = structure.respond(costs)
    monkeypatch.setattr(independent, "_CELLS", 100)
    blocked = structure.respond(costs)
    assert blocked.cost == whole.cost
    assert np.array_equal(blocked.labelling, whole.labelling)
