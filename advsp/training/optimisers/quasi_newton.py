"""Limited-memory BFGS (Nocedal, 1980), and its orthant-wise kin for the L1 penalty (Andrew & Gao, 2007)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from advsp.support.arrays import Floats
from advsp.training.optimisers.corrections import Corrections, Precision
from advsp.training.optimisers.line_search import DECREASE, Point, search

#: Value and gradient [n] of a smooth function at a point [n].
Function = Callable[[Floats], tuple[float, Floats]]
#: Called with the value after every iteration; true ends the descent.
Watch = Callable[[float], bool]

#: A gradient whose largest entry is no larger is taken for zero.
FLAT = 1e-6
#: Corrections whose product is not larger than this, times the square of the gradient's change, are left out.
_CURVED = np.finfo(float).eps
#: Most halvings of a step of the orthant-wise method.
_HALVINGS = 30


@dataclass(frozen=True, eq=False)
class Descended:
    """Where a descent ended.

    Attributes
    ----------
    weights: float [n].
    value: of the function there, penalty included.
    flat: whether the gradient vanishes there.
    """

    weights: Floats
    value: float
    flat: bool


def descend(
    function: Function,
    weights: Floats,
    *,
    memory: int,
    iterations: int,
    watch: Watch,
    precision: Precision = "double",
) -> Descended:
    """Minimise a smooth function by L-BFGS from ``weights`` [n], corrections kept in ``precision``.

    Ends after so many iterations, where the gradient vanishes, where ``watch`` says so, or where no step
    along the gradient itself improves the value, as at a kink.
    """
    corrections = Corrections(memory, len(weights), precision)
    value, gradient = function(weights)
    products = corrections.products(gradient)
    for _ in range(iterations):
        if np.abs(gradient).max(initial=0.0) <= FLAT:
            return Descended(weights, value, True)
        improved = _improved(function, weights, value, gradient, corrections, products)
        if improved is None:
            if not len(corrections):
                return Descended(weights, value, False)
            # What is remembered misleads: begin anew from here.
            corrections.clear()
            products = corrections.products(gradient)
            continue
        moved, value, slopes = improved
        products = _remember(corrections, moved - weights, slopes - gradient, slopes, products)
        weights, gradient = moved, slopes
        if watch(value):
            break
    return Descended(weights, value, bool(np.abs(gradient).max(initial=0.0) <= FLAT))


def _improved(
    function: Function,
    weights: Floats,
    value: float,
    gradient: Floats,
    corrections: Corrections,
    products: Floats,
) -> tuple[Floats, float, Floats] | None:
    """Weights after one step, value and gradient there; None where no step improves the value."""
    direction = corrections.solve(gradient, products)
    np.negative(direction, out=direction)
    slope = float(gradient @ direction)
    if not slope < 0.0:
        return None
    asked = _Ray(function, weights, direction)
    first = 1.0 if len(corrections) else min(1.0, 1.0 / float(np.linalg.norm(direction)))
    point = search(asked, Point(0.0, value, slope), first)
    return None if point is None else (asked.weights, point.value, asked.gradient)


def _remember(
    corrections: Corrections, step: Floats, change: Floats, gradient: Floats, before: Floats
) -> Floats:
    """Products of the corrections with the gradient after a step, once the step is one of them.

    ``before`` are those with the gradient before it.  A step along which the slope hardly rises is left out.
    """
    products = corrections.products(gradient)
    if step @ change > _CURVED * (change @ change):
        row = corrections.add(step, change, products - before)
        products[:, row] = step @ gradient, change @ gradient
    return products


class _Ray:
    """A function along a direction, and where it was last asked.

    Attributes
    ----------
    weights, gradient: of the last step, float [n].
    """

    weights: Floats
    gradient: Floats

    def __init__(self, function: Function, start: Floats, direction: Floats) -> None:
        self._function, self._start, self._direction = function, start, direction

    def __call__(self, step: float) -> tuple[float, float]:
        """Value and slope at a step."""
        self.weights = self._start + step * self._direction
        value, self.gradient = self._function(self.weights)
        return value, float(self.gradient @ self._direction)


def descend_sparsely(
    function: Function,
    weights: Floats,
    *,
    penalty: float,
    memory: int,
    iterations: int,
    watch: Watch,
    precision: Precision = "double",
) -> Descended:
    """Minimise a smooth function plus ``penalty`` times the sum of all absolute weights, by OWL-QN.

    Every iteration stays in one orthant, in which the penalty is linear; a weight that would leave it becomes
    zero.  Ends as :func:`descend` does, the gradient being the least one that the kinks allow.
    """
    corrections = Corrections(memory, len(weights), precision)
    smooth, gradient = function(weights)
    value = smooth + penalty * float(np.abs(weights).sum())
    for _ in range(iterations):
        least = _least(gradient, weights, penalty)
        if np.abs(least).max(initial=0.0) <= FLAT:
            return Descended(weights, value, True)
        direction = -corrections.solve(least, corrections.products(least))
        direction[direction * least >= 0.0] = 0.0
        orthant = np.where(weights != 0.0, np.sign(weights), -np.sign(least))
        length = 1.0 if len(corrections) else 1.0 / float(np.linalg.norm(least))
        for _ in range(_HALVINGS):
            moved = weights + length * direction
            moved[moved * orthant < 0.0] = 0.0
            smooth, slopes = function(moved)
            reached = smooth + penalty * float(np.abs(moved).sum())
            if reached <= value + DECREASE * float(least @ (moved - weights)):
                break
            length *= 0.5
        else:
            if not len(corrections):
                return Descended(weights, value, False)
            corrections.clear()
            continue
        step, change = moved - weights, slopes - gradient
        weights, value, gradient = moved, reached, slopes
        if step @ change > _CURVED * (change @ change):
            corrections.add(step, change, corrections.products(change))
        if watch(value):
            break
    flat = np.abs(_least(gradient, weights, penalty)).max(initial=0.0) <= FLAT
    return Descended(weights, value, bool(flat))


def _least(gradient: Floats, weights: Floats, penalty: float) -> Floats:
    """The subgradient of the penalised function that is nearest to zero, [n] (the pseudo-gradient)."""
    at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - penalty, 0.0)
    found: Floats = np.where(weights != 0.0, gradient + penalty * np.sign(weights), at_zero)
    return found
