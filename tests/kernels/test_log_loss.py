"""The log-loss in kernels is the one in numpy, and holds where numbers are large."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.engine.backends.opening import open_backend

pytest.importorskip("numba")

from advsp.engine.settings import Engine
from advsp.learners.log_loss import ChainLogLoss, forward_backward
from advsp.training.chain_model import ChainModel

starts = pytest.mark.parametrize("start", ["own", "latent"])


@starts
@pytest.mark.parametrize("scale", [0.0, 1.0, 30.0, 400.0, 1e5])
def test_value_and_moments_are_those_of_numpy(start, scale):
    model = ChainModel(toy_instances(2, lengths=(3, 1, 4, 2, 9)), start)
    potentials = model.all_potentials(scale * np.random.default_rng(0).normal(size=model.size))
    loss = ChainLogLoss(model)
    values = [
        open_backend(Engine(oracle=oracle)).evaluate(loss, potentials, 0.0)
        for oracle in ("compiled", "numpy")
    ]
    assert values[0][0] == pytest.approx(values[1][0], rel=1e-11, abs=1e-9)
    assert values[0][2] == pytest.approx(values[1][2], abs=1e-9)


@starts
def test_tags_and_marginals_are_those_of_numpy(start):
    model = ChainModel(toy_instances(4, lengths=(3, 1, 4, 2, 9)), start)
    potentials = model.all_potentials(np.random.default_rng(1).normal(size=model.size))
    loss = ChainLogLoss(model, latent=False)
    tags, marginals = open_backend(Engine(oracle="compiled")).decode(loss, 0, potentials, 0.0)
    _, moments = forward_backward(model, potentials, model.offsets, latent=False)
    assert marginals == pytest.approx(moments[:, : model.tags], abs=1e-12)
    expected = [model.chain(potentials[model.rows(i)]).best() for i in range(model.examples)]
    assert np.array_equal(tags, np.concatenate(expected))
