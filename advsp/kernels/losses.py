"""Losses of examples in compiled form: value, certified bound and moments from a table of potentials.

The twins of :mod:`advsp.learners.game_loss`, :mod:`advsp.learners.edge_losses` and
:mod:`advsp.learners.log_loss`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba.extending import overload

from advsp.kernels.approximate import ApproximateTable
from advsp.kernels.chain import ChainTable
from advsp.kernels.compilation import is_tuple, kernel
from advsp.kernels.double_oracle import solve
from advsp.kernels.independent import LabelTable
from advsp.kernels.log_loss import ChainLog, chain_log_loss
from advsp.kernels.rows import ChainRows, first_cells
from advsp.kernels.scores import Ratio

#: Moments smaller than this are what rounding leaves of zero.
_NOTHING = 1e-12


class ChainGames(NamedTuple):
    """The games of a sentence, one for each of several tags, played with best responses.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    gold: int8 [T], gold tags.
    rows: layout of the potentials.
    targets: int64 [G].
    ratio: the score over patterns.
    most: rounds after which a game is left with the gap it has.
    """

    offsets: np.ndarray
    gold: np.ndarray
    rows: ChainRows
    targets: np.ndarray
    ratio: Ratio
    most: int


class ApproximateChainGames(NamedTuple):
    """The same played with approximate responses, the score of every target over tags.

    Attributes
    ----------
    hits: float [G, m]; counted: bool [G, m]; they stand in for those of ``ratio``.
    """

    offsets: np.ndarray
    gold: np.ndarray
    rows: ChainRows
    targets: np.ndarray
    hits: np.ndarray
    counted: np.ndarray
    ratio: Ratio
    most: int


class EdgeGames(NamedTuple):
    """The game of a sentence pair over independent links.

    Attributes
    ----------
    offsets: int64 [N + 1], rows of the examples.
    gold: int8 [T], gold labels 0=N 1=P 2=S.
    ignored: bool [T], edges on which the adversary must play N.
    width: 1 where P is no label, else 2.
    ratio: the score.
    most: rounds after which a game is left with the gap it has.
    """

    offsets: np.ndarray
    gold: np.ndarray
    ignored: np.ndarray
    width: int
    ratio: Ratio
    most: int


def games(loss):
    """Number of games of an example."""


@overload(games)
def _games(loss):
    if is_tuple(loss, EdgeGames):
        return lambda loss: 1
    return lambda loss: len(loss.targets)


def game(loss, example, number, potentials):
    """Table of potentials and score of one game."""


@overload(game)
def _game(loss, example, number, potentials):
    if is_tuple(loss, ChainGames):

        def chain(loss, example, number, potentials):
            return chain_table(loss.rows, loss.targets[number], potentials), loss.ratio

        return chain
    if is_tuple(loss, ApproximateChainGames):

        def approximate(loss, example, number, potentials):
            score = loss.ratio
            score = Ratio(loss.hits[number], loss.counted[number], score.scale, score.share, score.empty)
            return ApproximateTable(chain_table(loss.rows, loss.targets[number], potentials)), score

        return approximate

    def edges(loss, example, number, potentials):
        full = np.zeros((len(potentials), 3))
        first = loss.offsets[example]
        for t in range(len(potentials)):
            ignored = loss.ignored[first + t]
            full[t, 1] = -np.inf if ignored or loss.width == 1 else potentials[t, 1]
            full[t, 2] = -np.inf if ignored else potentials[t, 0]
        return LabelTable(full, loss.ratio.counted), loss.ratio

    return edges


@kernel
def chain_table(rows, target, potentials):
    """The chain that a table of potentials [n, w] stands for."""
    n, m = len(potentials), rows.tags
    begin, entry = first_cells(rows)
    unary, pairwise = np.empty((n, m)), np.empty((n - 1, m, m))
    for t in range(n):
        for c in range(m):
            unary[t, c] = potentials[t, c]
        if t > 0:
            for b in range(m):
                for c in range(m):
                    pairwise[t - 1, b, c] = potentials[t, begin + b * m + c]
    for c in range(m):
        unary[0, c] += potentials[0, entry + c]
    return ChainTable(unary, pairwise, target)


def add_statistics(loss, labelling, mass, moments):
    """Add ``mass`` times the statistics of a labelling [n] to ``moments`` [n, w]."""


@overload(add_statistics)
def _add_statistics(loss, labelling, mass, moments):
    if is_tuple(loss, EdgeGames):

        def edges(loss, labelling, mass, moments):
            for t in range(len(labelling)):
                if labelling[t] == 2:
                    moments[t, 0] += mass
                elif labelling[t] == 1 and loss.width == 2:
                    moments[t, 1] += mass

        return edges
    return lambda loss, labelling, mass, moments: _add_tags(loss.rows, labelling, mass, moments)


@kernel
def _add_tags(rows, labelling, mass, moments):
    m = rows.tags
    begin, entry = first_cells(rows)
    for t in range(len(labelling)):
        tag = labelling[t]
        moments[t, tag] += mass
        place = entry + tag if t == 0 else begin + labelling[t - 1] * m + tag
        moments[t, place] += mass


def evaluate(loss, example, potentials, tolerance, moments):
    """Write the moments [n, w] of an example less the gold ones.

    Returns
    -------
    Attained value, certified bound, and the number of games the simplex left unfinished.
    """


@overload(evaluate)
def _evaluate(loss, example, potentials, tolerance, moments):
    if is_tuple(loss, ChainLog):

        def log_loss(loss, example, potentials, tolerance, moments):
            value = chain_log_loss(loss, example, potentials, moments)
            return value, value, 0

        return log_loss
    certain = not is_tuple(loss, ApproximateChainGames)

    def game_loss(loss, example, potentials, tolerance, moments):
        n = len(potentials)
        gold = loss.gold[loss.offsets[example] : loss.offsets[example + 1]]
        nothing = np.empty((0, n), dtype=np.int8)
        attained, bound, unfinished = 0.0, 0.0, 0
        moments[:] = 0.0
        add_statistics(loss, gold, 1.0, moments)
        gold_potential = 0.0
        for t in range(n):
            for c in range(moments.shape[1]):
                if moments[t, c] != 0.0:
                    gold_potential += moments[t, c] * potentials[t, c]
        moments[:] = 0.0
        for number in range(games(loss)):
            table, ratio = game(loss, example, number, potentials)
            solved = solve(table, ratio, n, nothing, nothing, tolerance, loss.most)
            unfinished += solved.rounds[2]
            for i in range(len(solved.column)):
                add_statistics(loss, solved.actual[i], solved.column[i], moments)
            add_statistics(loss, gold, -1.0, moments)
            attained -= gold_potential + solved.bounds[2]
            bound -= gold_potential + (solved.bounds[1] if certain else -np.inf)
        for t in range(n):
            for c in range(moments.shape[1]):
                if abs(moments[t, c]) < _NOTHING:
                    moments[t, c] = 0.0
        return attained, bound, unfinished

    return game_loss
