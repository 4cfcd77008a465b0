"""The line search of Moré & Thuente (1994): a step with sufficient decrease and a small enough slope."""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, isfinite, sqrt
from typing import NamedTuple

#: Decrease asked for, as a part of what the first slope promises, and what the slope must fall to.
DECREASE, CURVATURE = 1e-3, 0.9
#: Relative length of an interval that is not divided further, and the most evaluations.
_NARROW, _MOST = 0.1, 20
#: How far beyond the best point so far a trial may lie, as a multiple of the distance; and how much an
#: interval must shrink in two trials, otherwise it is halved.
_NEAR, _FAR, _SHRINK = 1.1, 4.0, 0.66


class Point(NamedTuple):
    """A step, the function there and its slope."""

    step: float
    value: float
    slope: float


def search(function: Callable[[float], tuple[float, float]], start: Point, step: float) -> Point | None:
    """A step that decreases the function enough and flattens its slope (strong Wolfe conditions).

    Parameters
    ----------
    function: value and slope at a step.
    start: at step 0; its slope must be negative.
    step: the first trial, positive.

    Returns
    -------
    The point at the last step that ``function`` was asked for.  Where what holds such a step is narrower than
    a tenth of it, the best point found will do.  None if no step was found, as happens at kinks and where the
    values are no better than their rounding.
    """
    test = DECREASE * start.slope
    best = other = start
    bracketed, auxiliary = False, True
    width, before = float("inf"), float("inf")
    least, most = 0.0, step * (1.0 + _FAR)
    for _ in range(_MOST):
        value, slope = function(step)
        if not (isfinite(value) and isfinite(slope)):
            # Beyond what can be computed: the function is taken to be steep there.
            step = best.step + 0.1 * (step - best.step)
            continue
        found = Point(step, value, slope)
        enough = value <= start.value + step * test
        if enough and abs(slope) <= -CURVATURE * start.slope:
            return found
        if bracketed and (most - least <= _NARROW * most or not least < step < most):
            # Nothing more is to be gained; what was gained is taken.
            if found.value > best.value:
                found = Point(best.step, *function(best.step)) if best.step > 0.0 else start
            return found if found.value < start.value else None
        if auxiliary and enough and slope >= min(DECREASE, CURVATURE) * start.slope:
            auxiliary = False
        if auxiliary and value <= best.value and not enough:
            # Until a step decreases enough, the function less the line of that decrease is minimised.
            below, beside, at = (_lowered(point, test) for point in (best, other, found))
            best, other, step, bracketed = _narrowed(below, beside, at, bracketed, least, most)
            best, other = _lowered(best, -test), _lowered(other, -test)
        else:
            best, other, step, bracketed = _narrowed(best, other, found, bracketed, least, most)
        if bracketed:
            if abs(other.step - best.step) >= _SHRINK * before:
                step = best.step + 0.5 * (other.step - best.step)
            before, width = width, abs(other.step - best.step)
            least, most = sorted((best.step, other.step))
        else:
            least, most = step + _NEAR * (step - best.step), step + _FAR * (step - best.step)
    return None


def _lowered(point: Point, slope: float) -> Point:
    """The function less a line through the start."""
    return Point(point.step, point.value - point.step * slope, point.slope - slope)


def _narrowed(
    best: Point, other: Point, found: Point, bracketed: bool, least: float, most: float
) -> tuple[Point, Point, float, bool]:
    """The interval that holds a minimiser after one more point, and the next trial (section 4 of the paper).

    Returns
    -------
    The end with the lowest value, the other end, the next step, and whether they hold a minimiser.
    """
    opposite = found.slope * copysign(1.0, best.slope)
    if found.value > best.value:
        # 1. Higher: the minimum lies between.
        cubic, quadratic = _cubic(best, found), _quadratic(best, found)
        near = abs(cubic - best.step) < abs(quadratic - best.step)
        step, bracketed, tamed = cubic if near else cubic + 0.5 * (quadratic - cubic), True, False
    elif opposite < 0.0:
        # 2. Lower, the slopes of opposite sign: the minimum lies between.
        cubic, secant = _cubic(best, found), _secant(best, found)
        step = cubic if abs(cubic - found.step) > abs(secant - found.step) else secant
        bracketed, tamed = True, False
    elif abs(found.slope) < abs(best.slope):
        # 3. Lower, the slope of the same sign and smaller: beyond, if the cubic goes there.
        cubic, secant = _cubic_beyond(best, found, least, most), _secant(best, found)
        nearer = abs(cubic - found.step) < abs(secant - found.step)
        step = (cubic if nearer else secant) if bracketed else (secant if nearer else cubic)
        tamed = True
    elif bracketed:
        # 4. Lower, the slope no smaller: by the other end, if there is one.
        step, tamed = _cubic(other, found), False
    else:
        step, tamed = (most if found.step > best.step else least), False
    if found.value > best.value:
        other = found
    else:
        if opposite < 0.0:
            other = best
        best = found
    if tamed and bracketed:
        limit = best.step + _SHRINK * (other.step - best.step)
        step = min(limit, step) if other.step > best.step else max(limit, step)
    elif not bracketed:
        step = min(most, max(least, step))
    return best, other, step, bracketed


def _cubic(a: Point, b: Point) -> float:
    """The minimiser of the cubic through two points and their slopes."""
    theta = 3.0 * (a.value - b.value) / (b.step - a.step) + a.slope + b.slope
    scale = max(abs(theta), abs(a.slope), abs(b.slope))
    root = scale * sqrt(max(0.0, (theta / scale) ** 2 - (a.slope / scale) * (b.slope / scale)))
    root = root if b.step > a.step else -root
    below = (root - a.slope) + root + b.slope
    if below == 0.0:
        return 0.5 * (a.step + b.step)
    return a.step + ((root - a.slope) + theta) / below * (b.step - a.step)


def _cubic_beyond(a: Point, b: Point, least: float, most: float) -> float:
    """The same beyond ``b``; the limit on that side if the cubic falls on or its minimum lies before."""
    theta = 3.0 * (a.value - b.value) / (b.step - a.step) + a.slope + b.slope
    scale = max(abs(theta), abs(a.slope), abs(b.slope))
    inside = (theta / scale) ** 2 - (a.slope / scale) * (b.slope / scale)
    root = scale * sqrt(max(0.0, inside))
    root = -root if b.step > a.step else root
    below = (root + (a.slope - b.slope)) + root
    ratio = ((root - b.slope) + theta) / below if below != 0.0 else 0.0
    if ratio < 0.0 and root != 0.0:
        return b.step + ratio * (a.step - b.step)
    return most if b.step > a.step else least


def _quadratic(a: Point, b: Point) -> float:
    """The minimiser of the parabola through two points and the slope of the first."""
    return a.step + 0.5 * a.slope / ((a.value - b.value) / (b.step - a.step) + a.slope) * (b.step - a.step)


def _secant(a: Point, b: Point) -> float:
    """Where the slope would be zero, as the slopes of two points have it."""
    return b.step + b.slope / (b.slope - a.slope) * (a.step - b.step)
