"""The corpus-F game in kernels is the one in numpy, step by step."""

from __future__ import annotations

import copy
import re

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.engine.backends.opening import open_backend
from advsp.engine.settings import Engine
from advsp.learners import corpus_game
from advsp.learners.corpus_game import CorpusGameLoss
from advsp.learners.tag_costs import class_numbers
from advsp.training.chain_model import ChainModel

LENGTHS = (3, 1, 4, 2, 9)


def loss_and_potentials(start: str, scale: float, weight: float) -> tuple[CorpusGameLoss, np.ndarray]:
    model = ChainModel(toy_instances(2, LENGTHS), start)
    numbers = class_numbers(model.instances, ("PER", "LOC"))
    loss = CorpusGameLoss(model, numbers, weight * np.array([1.0, 2.0]), np.array([0.8, 0.6]), 1.3)
    return loss, model.all_potentials(scale * np.random.default_rng(0).normal(size=model.size))


@pytest.mark.parametrize("start", ["own", "latent"])
@pytest.mark.parametrize("scale", [0.0, 0.3, 3.0, 400.0])
@pytest.mark.parametrize("weight", [0.0, 0.3, 10.0])
def test_values_moments_and_marginals_are_those_of_numpy(start, scale, weight):
    results = []
    for oracle in ("compiled", "numpy"):
        loss, potentials = loss_and_potentials(start, scale, weight)
        attained, bound, moments = open_backend(Engine(oracle=oracle)).evaluate(loss, potentials, 1e-6)
        assert bound - attained <= 1e-6 * loss.model.examples
        results.append((attained, bound, moments, loss.played, loss.met))
    for mine, other in zip(*results, strict=True):
        assert mine == pytest.approx(other, rel=1e-9, abs=1e-8)


@pytest.mark.parametrize("name", ["COVERED", "ROUNDS", "SWEEPS", "HALVINGS"])
def test_limits_are_those_of_numpy(name, monkeypatch):
    monkeypatch.setattr(corpus_game, name, 2)
    results = []
    for oracle in ("compiled", "numpy"):
        loss, potentials = loss_and_potentials("own", 1.0, 6.0)
        _, _, moments = open_backend(Engine(oracle=oracle)).evaluate(loss, potentials, 1e-4)
        results.append((moments, loss.played))
    assert results[0][0] == pytest.approx(results[1][0], abs=1e-8)
    assert results[0][1] == pytest.approx(results[1][1], abs=1e-8)


def test_what_is_not_finished_is_told(caplog, monkeypatch):
    monkeypatch.setattr(corpus_game, "ROUNDS", 1)
    loss, potentials = loss_and_potentials("own", 1.0, 10.0)
    open_backend(Engine(oracle="compiled")).evaluate(loss, potentials, 1e-9)
    assert re.search(r"\b[2-9] sentences ended with a wider gap than asked for", caplog.text)


def test_a_copy_remembers_by_itself():
    loss, potentials = loss_and_potentials("own", 1.0, 5.0)
    backend = open_backend(Engine(oracle="compiled"))
    backend.evaluate(loss, potentials, 1e-6)
    other, kept = copy.copy(loss), loss.state()
    backend.evaluate(other, -potentials, 1e-6)
    assert all(np.array_equal(array, kept[name]) for name, array in loss.state().items())
    assert not np.array_equal(other.played, loss.played)
    other.restore(kept)
    found = [backend.evaluate(one, potentials, 1e-6) for one in (loss, other)]
    assert found[0][:2] == found[1][:2] and np.array_equal(found[0][2], found[1][2])
