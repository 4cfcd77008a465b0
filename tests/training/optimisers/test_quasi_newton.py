"""Descents end at the minimum, or say that they do not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from advsp.training.optimisers import quasi_newton
from advsp.training.optimisers.quasi_newton import FLAT, descend, descend_sparsely

SIZE = 12


def regression(seed: int, l2: float = 0.1):
    """A logistic regression, its value and gradient."""
    rng = np.random.default_rng(seed)
    inputs, labels = rng.normal(size=(40, SIZE)), rng.choice([-1.0, 1.0], size=40)

    def function(weights):
        margins = labels * (inputs @ weights)
        value = np.logaddexp(0.0, -margins).sum() + 0.5 * l2 * weights @ weights
        return float(value), -inputs.T @ (labels / (1.0 + np.exp(margins))) + l2 * weights

    return function


def never(value: float) -> bool:
    return False


SETTINGS = {"memory": 5, "iterations": 500, "watch": never}


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("memory", [1, 3, 20])
@pytest.mark.parametrize("seed", range(4))
def test_descent_ends_where_the_gradient_vanishes(seed, memory, precision):
    function, start = regression(seed), np.random.default_rng(seed).normal(size=SIZE)
    found = descend(function, start, **SETTINGS | {"memory": memory, "precision": precision})
    value, gradient = function(found.weights)
    assert found.flat and found.value == value and np.abs(gradient).max() <= FLAT
    theirs = minimize(function, start, jac=True, method="L-BFGS-B", options={"ftol": 0.0, "gtol": 1e-7})
    assert found.value == pytest.approx(theirs.fun, rel=1e-10)


def test_valley_of_rosenbrock_is_followed_to_its_end():
    def rosenbrock(x):
        value = 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2
        return float(value), np.array(
            [-400 * x[0] * (x[1] - x[0] ** 2) - 2 * (1 - x[0]), 200 * (x[1] - x[0] ** 2)]
        )

    found = descend(rosenbrock, np.array([-1.2, 1.0]), **SETTINGS)
    assert found.flat and found.weights == pytest.approx([1.0, 1.0], abs=1e-6)


def test_values_fall_and_the_descent_ends_when_it_is_told_to():
    values = []

    def third(value):
        values.append(value)
        return len(values) == 3

    found = descend(regression(0), np.zeros(SIZE), **SETTINGS | {"watch": third})
    assert values == sorted(values, reverse=True) and len(values) == 3
    assert (found.value, found.flat) == (values[-1], False)
    cut = descend(regression(0), np.zeros(SIZE), **SETTINGS | {"iterations": 3})
    assert cut.weights.tobytes() == found.weights.tobytes()


def test_start_at_the_minimum_stays_there():
    found = descend(lambda x: (float(x @ x), 2 * x), np.zeros(3), **SETTINGS)
    assert found.flat and not found.weights.any()


def test_kink_is_no_minimum_and_ends_the_descent():
    """The largest of |x| and 2 |y| at points where the kinks cross: no step improves the value."""

    def kink(x):
        larger = abs(x[0]) >= abs(2 * x[1])
        gradient = [np.sign(x[0]) or 1.0, 0.0] if larger else [0.0, 2 * np.sign(x[1])]
        return float(max(abs(x[0]), abs(2 * x[1]))), np.array(gradient)

    found = descend(kink, np.zeros(2), **SETTINGS)
    assert not found.flat and found.value == 0.0


def test_corrections_that_mislead_are_forgotten(monkeypatch):
    """The first search after a correction is made to fail: the descent begins anew and ends all the same."""
    original, calls = quasi_newton.search, []

    def fails_the_third_time(*arguments):
        calls.append(arguments)
        return None if len(calls) == 3 else original(*arguments)

    monkeypatch.setattr(quasi_newton, "search", fails_the_third_time)
    found = descend(regression(1), np.zeros(SIZE), **SETTINGS)
    assert found.flat and len(calls) > 3


@pytest.mark.parametrize("penalty", [0.5, 4.0, 1e3])
@pytest.mark.parametrize("seed", range(4))
def test_sparse_descent_ends_at_the_minimum_of_the_penalised_function(seed, penalty):
    function, start = regression(seed), np.random.default_rng(seed).normal(size=SIZE)
    found = descend_sparsely(function, start, penalty=penalty, **SETTINGS)

    def in_parts(parts):
        positive, negative = parts.reshape(2, -1)
        value, gradient = function(positive - negative)
        return value + penalty * parts.sum(), np.concatenate([gradient, -gradient]) + penalty

    theirs = minimize(
        in_parts,
        np.concatenate([np.maximum(start, 0), np.maximum(-start, 0)]),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * (2 * SIZE),
        options={"ftol": 0.0, "gtol": 1e-8, "maxiter": 5000},
    )
    assert found.flat
    assert found.value == pytest.approx(theirs.fun, rel=1e-9)
    positive, negative = theirs.x.reshape(2, -1)
    assert np.array_equal(found.weights == 0.0, np.abs(positive - negative) < 1e-5)
    assert (penalty < 1e3) == found.weights.any()


def test_sparse_descent_from_zero_and_a_penalty_of_nothing_is_a_descent():
    function = regression(3)
    sparse = descend_sparsely(function, np.zeros(SIZE), penalty=0.0, **SETTINGS)
    assert sparse.flat and sparse.value == pytest.approx(descend(function, np.zeros(SIZE), **SETTINGS).value)
