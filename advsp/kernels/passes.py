"""Passes over examples in compiled form: the twins of the optimisers' passes and of full batches."""

from __future__ import annotations

import numpy as np

from advsp.kernels.approximate import viterbi
from advsp.kernels.compilation import kernel
from advsp.kernels.double_oracle import solve
from advsp.kernels.log_loss import forward_backward
from advsp.kernels.losses import chain_table, evaluate, game
from advsp.kernels.models import block_ends, clear, penalise, pull_back, tabulate, width

#: Added to the root of the sum of squares, as in :mod:`advsp.training.optimisers.adagrad`.
_EPSILON = 1e-8


@kernel
def evaluate_batch(loss, offsets, first, last, potentials, tolerance, attained, bounds, moments):
    """Losses of the examples from ``first`` to ``last``.

    Parameters
    ----------
    offsets: int64 [N + 1], rows of the examples in the stacked ``potentials`` [T, w].
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
def decode_batch(loss, offsets, first, last, number, potentials, tolerance, mode, marginal):
    """Equilibria of one game of each of the examples from ``first`` to ``last``.

    Writes, at the rows of these examples, whether the predictor's most probable labelling has a one
    (``mode``, bool [T]) and how probable a one is (``marginal``, float [T]).

    Returns
    -------
    The number of games that the simplex left unfinished.
    """
    unfinished = 0
    for example in range(first, last):
        begin, end = offsets[example], offsets[example + 1]
        nothing = np.empty((0, end - begin), dtype=np.int8)
        table, ratio = game(loss, example, number, potentials[begin:end])
        found = solve(table, ratio, end - begin, nothing, nothing, tolerance, loss.most)
        unfinished += found.rounds[2]
        best = found.row.argmax()
        for t in range(end - begin):
            mode[begin + t] = found.predicted[best, t] == 1
            total = 0.0
            for i in range(len(found.row)):
                total += found.row[i] * found.predicted[i, t]
            marginal[begin + t] = total
    return unfinished


@kernel
def tag_batch(loss, first, last, potentials, tags, marginals):
    """Viterbi tags, int8 [T], and probabilities of every tag, float [T, m], of sentences under a log-loss.

    Written at the rows of the sentences from ``first`` to ``last``; ``potentials`` are [T, w].
    """
    for sentence in range(first, last):
        begin, end = loss.offsets[sentence], loss.offsets[sentence + 1]
        moments = np.empty((end - begin, potentials.shape[1]))
        forward_backward(loss, potentials[begin:end], moments)
        marginals[begin:end] = moments[:, : loss.rows.tags]
        chain = chain_table(loss.rows, 0, potentials[begin:end])
        viterbi(chain, chain.unary, tags[begin:end])


@kernel
def adagrad_pass(
    model, loss, order, weights, squares, drift, gradient, share, updates, step, batch, tolerance
):
    """Online AdaGrad over examples in ``order``; see :class:`advsp.training.optimisers.adagrad.AdaGrad`.

    Parameters
    ----------
    weights, squares, drift: float [size], changed in place.
    gradient: room, all zero before and after.
    share: an example's part of the L2 term, see :func:`~advsp.kernels.models.penalise`; [0] if there is none.
    updates: number of updates before.

    Returns
    -------
    Sum of the attained values, and the number of games left unfinished.
    """
    total, unfinished = 0.0, 0
    for first in range(0, len(order), batch):
        count = 0
        for example in order[first : first + batch]:
            n = model.offsets[example + 1] - model.offsets[example]
            potentials, moments = np.empty((n, width(model))), np.empty((n, width(model)))
            tabulate(model, example, weights, potentials)
            attained, _, left = evaluate(loss, example, potentials, tolerance, moments)
            total += attained
            unfinished += left
            if moments.any():
                count = pull_back(model, example, moments, gradient, count)
            if len(share) > 0:
                count, penalty = penalise(model, example, share, weights, gradient, count)
                total += penalty
        for k in range(count):
            start, end = block_ends(model, gradient.touched[k])
            gradient.alive[gradient.touched[k]] = True
            for place in range(start, end):
                slope = gradient.values[place]
                if slope != 0.0:
                    squares[place] += slope * slope
                    change = -step * slope / (np.sqrt(squares[place]) + _EPSILON)
                    weights[place] += change
                    drift[place] += updates * change
        clear(model, gradient, count)
        updates += 1
    return total, unfinished


@kernel
def bcfw_pass(model, loss, order, weights, kept, gains, drift, gradient, l2, updates, weighted, tolerance):
    """Block-coordinate Frank-Wolfe over examples in ``order``.

    See :class:`advsp.training.optimisers.bcfw.BlockCoordinateFrankWolfe`.

    Parameters
    ----------
    weights: float [size]; kept: float [T, w]; gains: float [N]; drift: float [size]: changed in place.
    gradient: room, all zero before and after.
    updates: number of updates before.
    weighted: whether the drift is kept.

    Returns
    -------
    Sum of the attained values, and the number of games left unfinished.
    """
    total, unfinished = 0.0, 0
    for example in order:
        begin, end = model.offsets[example], model.offsets[example + 1]
        potentials, moments = np.empty((end - begin, width(model))), np.empty((end - begin, width(model)))
        tabulate(model, example, weights, potentials)
        attained, _, left = evaluate(loss, example, potentials, tolerance, moments)
        total += attained
        unfinished += left
        gain, gap = -attained, 0.0
        for t in range(end - begin):
            for c in range(potentials.shape[1]):
                gain += moments[t, c] * potentials[t, c]
                moments[t, c] -= kept[begin + t, c]
                gap += moments[t, c] * potentials[t, c]
        gap -= gain - gains[example]
        updates += 1
        if gap > 0.0:
            count = pull_back(model, example, moments, gradient, 0)
            length = 0.0
            for k in range(count):
                low, high = block_ends(model, gradient.touched[k])
                for place in range(low, high):
                    length += gradient.values[place] * gradient.values[place]
            part = min(1.0, l2 * gap / length) if length > 0.0 else 1.0
            for t in range(end - begin):
                for c in range(potentials.shape[1]):
                    kept[begin + t, c] += part * moments[t, c]
            gains[example] += part * (gain - gains[example])
            for k in range(count):
                low, high = block_ends(model, gradient.touched[k])
                for place in range(low, high):
                    if gradient.values[place] != 0.0:
                        change = -part * gradient.values[place] / l2
                        weights[place] += change
                        if weighted:
                            drift[place] += 0.5 * updates * (updates - 1.0) * change
            clear(model, gradient, count)
    return total, unfinished
