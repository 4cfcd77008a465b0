"""The compact form is the inverse Hessian that BFGS updates lead to."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.training.optimisers.corrections import _STRIP, Corrections


def inverse_hessian(pairs: list[tuple[np.ndarray, np.ndarray]], size: int) -> np.ndarray:
    """One BFGS update after the other, oldest first, from the identity scaled by the newest (N&W, 6.17)."""
    step, change = pairs[-1]
    inverse = step @ change / (change @ change) * np.eye(size)
    for step, change in pairs:
        rho = 1.0 / (step @ change)
        left = np.eye(size) - rho * np.outer(step, change)
        inverse = left @ inverse @ left.T + rho * np.outer(step, step)
    return inverse


@pytest.mark.parametrize("memory", [1, 2, 3, 7])
def test_corrections_give_the_matrix_of_the_updates(memory):
    rng, size, kept = np.random.default_rng(memory), 6, []
    corrections = Corrections(memory, size)
    curvature = np.diag(rng.uniform(0.5, 4.0, size))
    for number in range(9):
        step = rng.normal(size=size)
        change = curvature @ step + 0.1 * rng.normal(size=size)
        if step @ change <= 0:
            continue
        corrections.add(step, change, corrections.products(change))
        kept = [*kept, (step, change)][-memory:]
        assert len(corrections) == len(kept)
        vector = rng.normal(size=size)
        found = corrections.solve(vector, corrections.products(vector))
        np.testing.assert_allclose(found, inverse_hessian(kept, size) @ vector, rtol=1e-8, atol=1e-10)
        # What the newest correction saw holds for the matrix: the secant equation.
        np.testing.assert_allclose(corrections.solve(change, corrections.products(change)), step, atol=1e-8)


@pytest.mark.parametrize("size", [3, _STRIP, _STRIP + 1, 2 * _STRIP + 7])
def test_single_precision_is_double_precision_of_rounded_numbers(size):
    """Numbers that single precision has are kept whole, strip by strip: only the order of sums differs."""
    rng = np.random.default_rng(size)
    both = Corrections(3, size), Corrections(3, size, "single")
    for _ in range(5):
        step = rng.normal(size=size).astype(np.float32).astype(float)
        for corrections in both:
            corrections.add(step, 2.0 * step, corrections.products(2.0 * step))
    vector = rng.normal(size=size)
    for corrections in both:
        assert corrections.solve(vector, corrections.products(vector)).dtype == np.float64
    one, other = (corrections.products(vector) for corrections in both)
    np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-9)
    one, other = (
        corrections.solve(vector, products) for corrections, products in zip(both, (one, other), strict=True)
    )
    np.testing.assert_allclose(other, one, rtol=1e-6, atol=1e-9)


def test_single_precision_rounds_what_is_kept():
    corrections, step = Corrections(1, 2, "single"), np.array([1.0 / 3.0, 1.0])
    corrections.add(step, step, corrections.products(step))
    assert corrections.products(np.array([1.0, 0.0]))[0, 0] == float(np.float32(1.0 / 3.0)) != 1.0 / 3.0


def test_products_are_kept_row_by_row():
    corrections, rng = Corrections(2, 4), np.random.default_rng(0)
    vector, rows = rng.normal(size=4), {}
    for step in rng.normal(size=(5, 4)):
        row = corrections.add(step, 2 * step, corrections.products(2 * step))
        rows[row] = step
        found = corrections.products(vector)
        for place, one in rows.items():
            assert found[:, place] == pytest.approx([one @ vector, 2 * one @ vector])


def test_without_corrections_the_matrix_is_the_identity():
    corrections, vector = Corrections(3, 2), np.array([1.0, -2.0])
    for _ in range(2):
        found = corrections.solve(vector, corrections.products(vector))
        assert np.array_equal(found, vector) and found is not vector
        corrections.add(vector, vector, corrections.products(vector))
        corrections.clear()
