"""The adversarial loss of examples in compiled form: the games of an example, and what they amount to.

The twin of :mod:`advsp.learners.game_loss`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import typeof, types

from advsp.kernels.addresses import address, at_address, returned
from advsp.kernels.compilation import in_place, inner
from advsp.kernels.double_oracle import solve
from advsp.kernels.losses import register_loss
from advsp.kernels.scores import Coefficients, score_of
from advsp.kernels.structures.dispatch import add_statistics, table_of

#: Moments smaller than this are what rounding leaves of zero.
_NOTHING = 1e-12


class Games(NamedTuple):
    """G games of every example.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    gold: int8 [T], gold labels.
    rows: layout of the potentials; the type says which structure it is.
    counted: bool [G, L], the labels that the score of every game counts.
    score_hits, score_counted: float [G, K] and bool [G, K], of the labels that the structure plays with: the
        same L, or the two of patterns.
    coefficients: how hits and counts make a score.
    certain: whether responses are best responses.
    max_iterations: rounds after which a game is left with the gap it has.
    solve: address of the double oracle for these types, see :func:`with_solver`; 0 before.
    """

    offsets: np.ndarray
    gold: np.ndarray
    rows: NamedTuple
    counted: np.ndarray
    score_hits: np.ndarray
    score_counted: np.ndarray
    coefficients: Coefficients
    certain: bool
    max_iterations: int
    solve: int


@inner
def _game(loss, example, number, potentials):
    """One game of an example at its table of ``potentials`` float [n, w]: table, score, and no strategies."""
    n = len(potentials)
    table = table_of(loss.rows, example, potentials, loss.counted[number])
    score = score_of(loss.coefficients, loss.score_hits[number], loss.score_counted[number], n)
    return table, score, np.empty((0, n), dtype=np.int8)


def _arguments(loss):
    """Types of what :func:`solve` is called with in the games of a type."""
    table, score, nothing = returned(_game, (loss, types.int64, types.int64, types.float64[:, ::1]))
    return table, score, types.boolean, types.int64, nothing, nothing, types.float64, types.int64


_solve = at_address(solve, _arguments, "solve")


def with_solver(loss):
    """Games whose double oracle is compiled, or read from the cache, and found at its address."""
    return loss._replace(solve=address(solve, _arguments(typeof(loss))))


@in_place
def _play(loss, example, number, potentials, tolerance):
    """Solve one game of an example at its table of ``potentials`` float [n, w]."""
    table, score, nothing = _game(loss, example, number, potentials)
    n = len(potentials)
    return _solve(loss, table, score, loss.certain, n, nothing, nothing, tolerance, loss.max_iterations)


@inner
def evaluate_games(loss, example, potentials, tolerance, moments):
    """See :func:`advsp.kernels.losses.evaluate`."""
    n = len(potentials)
    gold = loss.gold[loss.offsets[example] : loss.offsets[example + 1]]
    attained, bound, unfinished = 0.0, 0.0, 0
    moments[:] = 0.0
    add_statistics(loss.rows, example, gold, 1.0, moments)
    gold_potential = 0.0
    for t in range(n):
        for c in range(moments.shape[1]):
            if moments[t, c] != 0.0:
                gold_potential += moments[t, c] * potentials[t, c]
    moments[:] = 0.0
    for number in range(len(loss.counted)):
        solved = _play(loss, example, number, potentials, tolerance)
        unfinished += not solved.finished
        for i in range(len(solved.column)):
            add_statistics(loss.rows, example, solved.actual[i], solved.column[i], moments)
        add_statistics(loss.rows, example, gold, -1.0, moments)
        attained -= gold_potential + solved.upper
        bound -= gold_potential + (solved.lower if loss.certain else -np.inf)
    for t in range(n):
        for c in range(moments.shape[1]):
            if abs(moments[t, c]) < _NOTHING:
                moments[t, c] = 0.0
    return attained, bound, unfinished


@inner
def decode_games(loss, example, number, potentials, tolerance, labels, marginals):
    """See :func:`advsp.kernels.losses.decode`: the predictor's most probable labelling.

    Probabilities are that of a one and, if there is space, those of the adversary's labels behind it.
    """
    solved = _play(loss, example, number, potentials, tolerance)
    best = solved.row.argmax()
    for t in range(len(potentials)):
        labels[t] = solved.predicted[best, t]
        total = 0.0
        for i in range(len(solved.row)):
            total += solved.row[i] * solved.predicted[i, t]
        marginals[t, 0] = total
        marginals[t, 1:] = 0.0
    if marginals.shape[1] > 1:
        for i in range(len(solved.column)):
            for t in range(len(potentials)):
                marginals[t, 1 + solved.actual[i, t]] += solved.column[i]
    return 0 if solved.finished else 1


register_loss(Games, evaluate=evaluate_games, decode=decode_games)
