"""Linear programs, and the certificate every solution of one must pass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array

from advsp.support.arrays import Floats
from advsp.support.equality import equal_by_value


class UncertifiedSolution(ArithmeticError):
    """A solver returned something that is not a solution, whatever status it reported."""


@equal_by_value
@dataclass(frozen=True)
class LinearProgram:
    """Maximise gains @ x subject to matrix @ x <= limits and x >= 0.

    Attributes
    ----------
    gains: float [n], n at least 1.
    matrix: float [m, n], dense or sparse; kept by columns.
    limits: float [m], m at least 1.

    Raises
    ------
    ValueError: sizes that do not agree; a number that is not finite.
    """

    gains: Floats
    matrix: csc_array
    limits: Floats

    def __post_init__(self) -> None:
        gains, limits = np.asarray(self.gains, dtype=float), np.asarray(self.limits, dtype=float)
        matrix = csc_array(self.matrix, dtype=float)
        sizes = gains.shape == matrix.shape[1:] and limits.shape == matrix.shape[:1]
        if not sizes or 0 in matrix.shape:
            raise ValueError(
                f"gains {gains.shape}, matrix {matrix.shape} and limits {limits.shape} make no linear program"
            )
        if not all(np.isfinite(numbers).all() for numbers in (gains, matrix.data, limits)):
            raise ValueError("the numbers of a linear program must be finite")
        for name, value in (("gains", gains), ("matrix", matrix), ("limits", limits)):
            object.__setattr__(self, name, value)


@equal_by_value
@dataclass(frozen=True)
class ProgramSolution:
    """Certified optimum of a linear program.

    Attributes
    ----------
    point: float [n], what is to be done.
    prices: float [m], what one more unit of every limit is worth: the solution of the dual program.
    value: gains @ point.
    gap: limits @ prices - gains @ point; as good as every limit is kept and every price covers its gains,
        no point is worth more than ``value + gap``.
    """

    point: Floats
    prices: Floats
    value: float
    gap: float


def certify_program(
    program: LinearProgram, point: Floats, prices: Floats, tolerance: float
) -> ProgramSolution:
    """Check that a point and prices are optimal in ``program`` and in its dual, to ``tolerance``.

    The point must be non-negative and keep the limits; the prices must be non-negative and cover the
    gains, ``prices @ matrix >= gains``; the gap between what they are worth must close.  Where limits,
    gains or value exceed 1 the tolerance is relative to them.  Rounding below zero is cleaned up.

    Raises
    ------
    UncertifiedSolution: naming the condition that fails and by how much.
    """
    limit_tolerance = tolerance * max(1.0, float(np.abs(program.limits).max()))
    gain_tolerance = tolerance * max(1.0, float(np.abs(program.gains).max()))
    point = cleaned("point", point, program.gains.size, limit_tolerance)
    prices = cleaned("prices", prices, program.limits.size, gain_tolerance)
    excess = float((program.matrix @ point - program.limits).max())
    if not excess <= limit_tolerance:
        raise UncertifiedSolution(f"a limit is exceeded by {excess:.3g}")
    uncovered = float((program.gains - program.matrix.T @ prices).max())
    if not uncovered <= gain_tolerance:
        raise UncertifiedSolution(f"the prices fall short of a gain by {uncovered:.3g}")
    value = float(program.gains @ point)
    gap = float(program.limits @ prices) - value
    allowed = tolerance * max(1.0, float(np.abs(program.gains) @ point))
    if not gap <= allowed:
        raise UncertifiedSolution(f"the gap is {gap:.3g}, allowed {allowed:.3g}")
    return ProgramSolution(point, prices, value, gap)


def cleaned(name: str, numbers: Floats, size: int, rounding: float) -> Floats:
    """The numbers, float [size]; those that ``rounding`` may have put below zero are zero.

    Raises
    ------
    UncertifiedSolution: numbers of another shape, not finite, or further below zero.
    """
    if np.shape(numbers) != (size,):
        raise UncertifiedSolution(f"{name} of shape {np.shape(numbers)}, expected ({size},)")
    if not np.all(np.isfinite(numbers)):
        raise UncertifiedSolution(f"{name} with a number that is not finite")
    if numbers.min() < -rounding:
        raise UncertifiedSolution(f"{name} with a number of {numbers.min():.3g}")
    return np.maximum(numbers, 0.0)
