"""The linear maps in kernels are those of the models."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from training.toy import toy_instances, toy_pairs

pytest.importorskip("numba")

from advsp.engine.backends import twins
from advsp.engine.structures.column_chain import ColumnChain
from advsp.kernels.models import adjoint, clear, penalise, tabulate, workspace
from advsp.training.chain_model import ChainModel
from advsp.training.edge_model import EdgeModel
from advsp.training.linear import LinearModel


def observed(seed: int, start: str) -> ChainModel:
    """Weights for some transitions alone, those into the first tag among them."""
    data = toy_instances(seed)
    return ChainModel(replace(data, transitions=data.observed()[:-2]), start)


MODELS = {
    "own start, some transitions": lambda seed: observed(seed, "own"),
    "latent start, some transitions": lambda seed: observed(seed, "latent"),
    "own start": lambda seed: ChainModel(toy_instances(seed), "own"),
    "latent start": lambda seed: ChainModel(toy_instances(seed), "latent"),
    "links": lambda seed: EdgeModel(toy_pairs(seed), "label"),
    "links, P ignored": lambda seed: EdgeModel(toy_pairs(seed), "ignore"),
    "links, bias of P": lambda seed: EdgeModel(toy_pairs(seed), "label", "bias", "length"),
    "links, steps": lambda seed: EdgeModel(toy_pairs(seed), "label", scale="length", kind=ColumnChain),
    "links, P ignored, steps": lambda seed: EdgeModel(toy_pairs(seed), "ignore", kind=ColumnChain),
}


def twin(model: LinearModel):
    """The map as kernels take it."""
    return twins.twin(model, "model")


models = pytest.mark.parametrize("name", MODELS)


def moments_of(model: LinearModel, rng: np.random.Generator) -> np.ndarray:
    """Moments of a mixture less those of another, example by example, many of them zero."""
    potentials = model.all_potentials(rng.normal(size=model.size))
    # Cells that no labelling uses are zero in tables of potentials, and must be in moments.
    return np.where(potentials != 0.0, rng.normal(size=potentials.shape), 0.0) * (
        rng.random(potentials.shape) < 0.5
    )


@models
@pytest.mark.parametrize("seed", range(3))
def test_potentials_are_those_of_the_model(name, seed):
    model = MODELS[name](seed)
    weights = np.random.default_rng(seed).normal(size=model.size)
    expected = model.all_potentials(weights)
    for example in range(model.examples):
        rows = model.rows(example)
        table = np.full((rows.stop - rows.start, model.width), np.nan)
        tabulate_one(model, example, weights, table)
        assert table == pytest.approx(expected[rows], abs=1e-12)


@models
@pytest.mark.parametrize("seed", range(3))
def test_gradients_are_those_of_the_model_and_leave_the_workspace_clear(name, seed):
    model, rng = MODELS[name](seed), np.random.default_rng(seed)
    moments, gradient, count = moments_of(model, rng), workspace(twin(model), np.zeros(model.size)), 0
    for example in range(model.examples):
        count = adjoint_one(model, example, moments[model.rows(example)], gradient, count)
    assert gradient.values == pytest.approx(model.adjoint_all(moments), abs=1e-12)
    touched = gradient.touched[:count]
    assert len(set(touched.tolist())) == count == gradient.marks.sum()
    clear_one(model, gradient, count)
    assert not gradient.values.any() and not gradient.marks.any()


@models
def test_penalties_of_the_examples_add_up_to_the_whole_one(name):
    model = MODELS[name](1)
    weights = np.random.default_rng(1).normal(size=model.size) * (model.frequencies() > 0)
    share = model.by_block(0.8 / np.maximum(model.frequencies(), 1))
    gradient = workspace(twin(model), weights)
    count, total = 0, 0.0
    for example in range(model.examples):
        count, part = penalise_one(model, example, share, weights, gradient, count)
        total += part
    assert total == pytest.approx(0.4 * weights @ weights, rel=1e-12)
    assert gradient.values == pytest.approx(0.8 * weights, abs=1e-12)


@pytest.mark.parametrize("start", ["own", "latent"])
def test_frequencies_count_the_examples_whose_support_holds_a_weight(start):
    model = ChainModel(toy_instances(3, lengths=(3, 1, 4, 2, 6, 5)), start)
    assert np.array_equal(model.frequencies(), LinearModel.frequencies(model))


# Kernels that are chosen by type can be called from kernels only.


def tabulate_one(model, example, weights, table):
    CALLS["tabulate"](twin(model), example, weights, table)


def adjoint_one(model, example, moments, gradient, count):
    return CALLS["adjoint"](twin(model), example, np.ascontiguousarray(moments), gradient, count)


def clear_one(model, gradient, count):
    CALLS["clear"](twin(model), gradient, count)


def penalise_one(model, example, share, weights, gradient, count):
    return CALLS["penalise"](twin(model), example, share, weights, gradient, count)


def _calls() -> dict:
    import numba

    return {
        "tabulate": numba.njit(lambda model, i, weights, table: tabulate(model, i, weights, table)),
        "adjoint": numba.njit(lambda model, i, moments, gradient, k: adjoint(model, i, moments, gradient, k)),
        "clear": numba.njit(lambda model, gradient, k: clear(model, gradient, k)),
        "penalise": numba.njit(
            lambda model, i, share, weights, gradient, k: penalise(model, i, share, weights, gradient, k)
        ),
    }


CALLS = _calls()
