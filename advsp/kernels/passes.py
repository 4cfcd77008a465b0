"""Passes over examples in compiled form: those of optimisers, full batches, and decoding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels.compilation import inner, kernel
from advsp.kernels.losses import decode, evaluate
from advsp.kernels.models import adjoint, block_ends, clear, penalise, tabulate, width
from advsp.kernels.twins import twin_of

#: Added to the root of the sum of squares, as in :mod:`advsp.training.optimisers.adagrad`.
_EPSILON = 1e-8


@twin_of("adagrad")
class AdaGradRule(NamedTuple):
    """Online AdaGrad; see :class:`advsp.training.optimisers.adagrad.AdaGrad`.

    Attributes
    ----------
    weights, squares, drift: float [size], changed in place.
    share: float, an example's part of the L2 term, see :func:`~advsp.kernels.models.penalise`; [0] if there
        is none.
    step: length of the first step of a weight.
    batch: examples per step.
    """

    weights: np.ndarray
    squares: np.ndarray
    drift: np.ndarray
    share: np.ndarray
    step: float
    batch: int


@twin_of("frank-wolfe")
class FrankWolfeRule(NamedTuple):
    """Block-coordinate Frank-Wolfe; see :class:`advsp.training.optimisers.bcfw.BlockCoordinateFrankWolfe`.

    Attributes
    ----------
    weights: float [size]; moments: float [T, w]; gains: float [N]; drift: float [size]: changed in place.
    l2: weight of the penalty, positive.
    weighted: whether the drift is kept.
    """

    weights: np.ndarray
    moments: np.ndarray
    gains: np.ndarray
    drift: np.ndarray
    l2: float
    weighted: bool


@kernel
def evaluate_batch(loss, offsets, first, last, potentials, tolerance, attained, bounds, moments):
    """Losses of the examples from ``first`` to ``last``.

    Parameters
    ----------
    offsets: int64 [N + 1], rows of the examples in the stacked ``potentials`` float [T, w].
    attained, bounds: float [N]; moments: float [T, w]; written at these examples.

    Returns
    -------
    The number of games that the simplex left unfinished.
    """
    unfinished = 0
    for example in range(first, last):
        begin, end = offsets[example], offsets[example + 1]
        attained[example], bounds[example], left = evaluate(
            loss, example, potentials[begin:end], tolerance, moments[begin:end]
        )
        unfinished += left
    return unfinished


@kernel
def decode_batch(loss, offsets, first, last, number, potentials, tolerance, labels, marginals):
    """Decide the examples from ``first`` to ``last``, in the game ``number`` where there are several.

    Parameters
    ----------
    offsets: int64 [N + 1], rows of the examples in the stacked ``potentials`` float [T, w].
    labels: int8 [T]; marginals: float [T, k]; written at the rows of these examples.

    Returns
    -------
    The number of games that the simplex left unfinished.
    """
    unfinished = 0
    for example in range(first, last):
        begin, end = offsets[example], offsets[example + 1]
        unfinished += decode(
            loss, example, number, potentials[begin:end], tolerance, labels[begin:end], marginals[begin:end]
        )
    return unfinished


@kernel
def adagrad_pass(rule, model, loss, order, gradient, updates, tolerance):
    """Online AdaGrad over examples in ``order`` int64 [k].

    Parameters
    ----------
    rule: :class:`AdaGradRule`.
    gradient: :class:`~advsp.kernels.models.Gradient`, all zero before and after.
    updates: float, number of updates before.

    Returns
    -------
    Sum of the attained values, and the number of games left unfinished.
    """
    total, unfinished = 0.0, 0
    for first in range(0, len(order), rule.batch):
        count = 0
        for example in order[first : first + rule.batch]:
            n = model.offsets[example + 1] - model.offsets[example]
            potentials, moments = np.empty((n, width(model))), np.empty((n, width(model)))
            tabulate(model, example, rule.weights, potentials)
            attained, _, left = evaluate(loss, example, potentials, tolerance, moments)
            total += attained
            unfinished += left
            if moments.any():
                count = adjoint(model, example, moments, gradient, count)
            if len(rule.share) > 0:
                count, penalty = penalise(model, example, rule.share, rule.weights, gradient, count)
                total += penalty
        _adagrad_step(rule, model, gradient, count, updates)
        clear(model, gradient, count)
        updates += 1
    return total, unfinished


@inner
def _adagrad_step(rule, model, gradient, count, updates):
    """Move the weights of the ``count`` blocks that a gradient touches."""
    weights, squares, drift = rule.weights, rule.squares, rule.drift
    for k in range(count):
        start, end = block_ends(model, gradient.touched[k])
        gradient.alive[gradient.touched[k]] = True
        for place in range(start, end):
            slope = gradient.values[place]
            if slope != 0.0:
                squares[place] += slope * slope
                change = -rule.step * slope / (np.sqrt(squares[place]) + _EPSILON)
                weights[place] += change
                drift[place] += updates * change


@kernel
def frank_wolfe_pass(rule, model, loss, order, gradient, updates, tolerance):
    """Block-coordinate Frank-Wolfe over examples in ``order`` int64 [k].

    Parameters
    ----------
    rule: :class:`FrankWolfeRule`.
    gradient: :class:`~advsp.kernels.models.Gradient`, all zero before and after.
    updates: float, number of updates before.

    Returns
    -------
    Sum of the attained values, and the number of games left unfinished.
    """
    total, unfinished = 0.0, 0
    for example in order:
        begin, end = model.offsets[example], model.offsets[example + 1]
        potentials, moments = np.empty((end - begin, width(model))), np.empty((end - begin, width(model)))
        tabulate(model, example, rule.weights, potentials)
        attained, _, left = evaluate(loss, example, potentials, tolerance, moments)
        total += attained
        unfinished += left
        gain, gap = -attained, 0.0
        for t in range(end - begin):
            for c in range(potentials.shape[1]):
                gain += moments[t, c] * potentials[t, c]
                moments[t, c] -= rule.moments[begin + t, c]
                gap += moments[t, c] * potentials[t, c]
        gap -= gain - rule.gains[example]
        updates += 1
        if gap > 0.0:
            count = adjoint(model, example, moments, gradient, 0)
            part = _frank_wolfe_step(rule, model, gradient, count, updates, gap)
            for t in range(end - begin):
                for c in range(potentials.shape[1]):
                    rule.moments[begin + t, c] += part * moments[t, c]
            rule.gains[example] += part * (gain - rule.gains[example])
            clear(model, gradient, count)
    return total, unfinished


@inner
def _frank_wolfe_step(rule, model, gradient, count, updates, gap):
    """Move the weights of the ``count`` blocks that a direction touches; the part of it that is taken.

    gap: float, of the example whose direction it is.
    """
    weights, drift = rule.weights, rule.drift
    length = 0.0
    for k in range(count):
        low, high = block_ends(model, gradient.touched[k])
        for place in range(low, high):
            length += gradient.values[place] * gradient.values[place]
    part = min(1.0, rule.l2 * gap / length) if length > 0.0 else 1.0
    for k in range(count):
        low, high = block_ends(model, gradient.touched[k])
        for place in range(low, high):
            if gradient.values[place] != 0.0:
                change = -part * gradient.values[place] / rule.l2
                weights[place] += change
                if rule.weighted:
                    drift[place] += 0.5 * updates * (updates - 1.0) * change
    return part


#: The pass of every rule.
ONLINE = {AdaGradRule: adagrad_pass, FrankWolfeRule: frank_wolfe_pass}
