"""The log-loss of column chains in kernels is the one in numpy, and holds where numbers are large."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_pairs

from advsp.engine.backends.opening import open_backend

pytest.importorskip("numba")

from advsp.engine.settings import Engine
from advsp.engine.structures import column_sums
from advsp.engine.structures.column_chain import ColumnChain
from advsp.kernels import column_log
from advsp.learners.column_log_loss import ColumnLogLoss
from advsp.training.edge_model import EdgeModel


@pytest.mark.parametrize("shapes", [((2, 3), (1, 1), (3, 1)), ((7, 6), (1, 4), (5, 2))])
@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0, 400.0, 1e5])
def test_value_and_moments_are_those_of_numpy(scale, shapes):
    model = EdgeModel(toy_pairs(seed=2, shapes=shapes), "ignore", kind=ColumnChain)
    loss = ColumnLogLoss(model)
    weights = scale * np.random.default_rng(0).normal(size=model.size)
    potentials = model.all_potentials(weights)
    compiled, plain = (open_backend(Engine(oracle=oracle)) for oracle in ("compiled", "numpy"))
    assert compiled.left_to_numpy(loss) is None
    values = [backend.evaluate(loss, potentials, 0.0) for backend in (compiled, plain)]
    assert np.isfinite(values[0][0])
    assert values[0][0] == pytest.approx(values[1][0], rel=1e-11, abs=1e-9)
    assert values[0][2] == pytest.approx(values[1][2], abs=1e-9)


def test_one_floor_holds_on_both_sides():
    assert column_log._LEAST == column_sums.LEAST
