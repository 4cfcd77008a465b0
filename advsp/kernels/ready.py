"""Have everything compiled, or loaded from the cache, before it is needed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels import passes, responses, simplex
from advsp.kernels.approximate import ApproximateTable
from advsp.kernels.chain import ChainTable
from advsp.kernels.compilation import Compilation
from advsp.kernels.double_oracle import solve
from advsp.kernels.independent import LabelTable
from advsp.kernels.log_loss import ChainLog
from advsp.kernels.losses import ApproximateChainGames, ChainGames, EdgeGames
from advsp.kernels.models import ChainMap, EdgeMap, Gradient, SparseRows
from advsp.kernels.rows import ChainRows
from advsp.kernels.scores import Ratio


def _labellings(*shape: int) -> np.ndarray:
    return np.zeros(shape, dtype=np.int8)


_CERTAIN, _NOTHING = np.ones(1), _labellings(0, 2)
_RATIO = Ratio(np.array([0.0, 1.0]), np.array([False, True]), 2.0, 1.0, 1.0)
_CHAIN = ChainTable(np.zeros((2, 2)), np.zeros((1, 2, 2)), 1)
_APPROXIMATE = ApproximateTable(_CHAIN)
_LABELS = LabelTable(np.zeros((2, 2)), _RATIO.counted)


def _simplex() -> None:
    tableau = simplex.room(1, 1)
    simplex.restart(*tableau, 1, 1, np.ones((1, 1)))
    tableau = simplex.grown(*tableau, 2, 2)
    simplex.extend(*tableau, 1, 1, np.ones((2, 2)))
    simplex.solve(*tableau, 2, 2, np.ones((2, 2)), np.empty(2), np.empty(2))
    simplex.maximise(np.ones(1), np.ones((1, 1)), np.ones(1))


def _adversary(table: NamedTuple) -> None:
    responses.adversary(responses.structure_of(table), _RATIO, _labellings(1, 2), _CERTAIN)


_OFFSETS, _GOLD = np.array([0, 1]), _labellings(1)
_FEATURES = SparseRows(np.array([0, 1]), np.zeros(1, dtype=np.int32), np.ones(1))
_FEATURE = np.ones((1, 1))


def _chain_map() -> ChainMap:
    """Two tags, one feature of either kind, START a tag of its own: 2 + 6 weights, rows of 8 potentials."""
    blocks = np.array([0, 2]), np.array([0, 1])
    return ChainMap(_OFFSETS, _FEATURES, _FEATURES, 2, 6, 2, True, 1, *blocks)


def _train(model: ChainMap | EdgeMap, loss: NamedTuple, size: int, width: int) -> None:
    """Every pass over one example of one position."""
    order, table = np.zeros(1, dtype=int), np.zeros((1, width))
    weights, squares, drift = np.zeros(size), np.zeros(size), np.zeros(size)
    gradient = Gradient(
        np.zeros(size), np.empty(2, dtype=int), np.zeros(2, dtype=bool), np.ones(2, dtype=bool)
    )
    passes.adagrad_pass(model, loss, order, weights, squares, drift, gradient, np.empty(0), 0.0, 0.1, 1, 0.1)
    passes.bcfw_pass(model, loss, order, weights, table, np.zeros(1), drift, gradient, 1.0, 0.0, False, 0.1)
    passes.evaluate_batch(loss, _OFFSETS, 0, 1, table, 0.1, np.empty(1), np.empty(1), np.empty_like(table))


def _decode(loss: NamedTuple, width: int) -> None:
    mode, marginal = np.empty(1, dtype=bool), np.empty(1)
    passes.decode_batch(loss, _OFFSETS, 0, 1, 0, np.zeros((1, width)), 0.1, mode, marginal)


_ROWS, _TARGETS = ChainRows(2, True, 0), np.zeros(1, dtype=int)
_GAMES = ChainGames(_OFFSETS, _GOLD, _ROWS, _TARGETS, _RATIO, 1)
_LINKS = EdgeGames(
    _OFFSETS,
    _GOLD,
    np.zeros(1, dtype=bool),
    1,
    Ratio(np.array([0.0, 1.0, 2.0]), np.array([False, False, True]), 1.0, 1.0, 1.0),
    1,
)
_HITS = np.array([[1.0, 0.0]])
_APPROXIMATE_GAMES = ApproximateChainGames(_OFFSETS, _GOLD, _ROWS, _TARGETS, _HITS, _HITS > 0.0, _RATIO, 1)
_LOG = ChainLog(_OFFSETS, _GOLD, _ROWS, False)


#: One call of everything the interpreter calls, by name; the smallest arguments of the types that occur.
CALLS = {
    "simplex": _simplex,
    "chains": lambda: solve(_CHAIN, _RATIO, 2, _NOTHING, _NOTHING, 0.0, 1),
    "labels": lambda: solve(_LABELS, _RATIO, 2, _NOTHING, _NOTHING, 0.0, 1),
    "approximate chains": lambda: solve(_APPROXIMATE, _RATIO, 2, _NOTHING, _NOTHING, 0.0, 1),
    "predictor": lambda: responses.predictor(_RATIO, _labellings(1, 2), _CERTAIN),
    "approximate predictor": lambda: responses.approximate_predictor(
        responses.structure_of(_APPROXIMATE), _RATIO, _labellings(1, 2), _CERTAIN
    ),
    "adversary of chains": lambda: _adversary(_CHAIN),
    "adversary of labels": lambda: _adversary(_LABELS),
    "approximate adversary": lambda: _adversary(_APPROXIMATE),
    "training of chains": lambda: _train(_chain_map(), _GAMES, 8, 8),
    "approximate training of chains": lambda: _train(_chain_map(), _APPROXIMATE_GAMES, 8, 8),
    "training of random fields": lambda: _train(_chain_map(), _LOG, 8, 8),
    "training of links": lambda: _train(EdgeMap(_OFFSETS, _FEATURE, _FEATURE[:, :0].copy(), 1), _LINKS, 1, 1),
    "prediction of chains": lambda: _decode(_GAMES, 8),
    "prediction of links": lambda: _decode(_LINKS, 1),
    "tags": lambda: passes.tag_batch(_LOG, 0, 1, np.zeros((1, 8)), _labellings(1), np.empty((1, 2))),
}


def make_ready(*names: str) -> float:
    """Compile what is not in the cache and load the rest: all of :data:`CALLS`, or those named.

    Returns
    -------
    Seconds spent compiling; 0 if everything came from the cache.
    """
    with Compilation() as compilation:
        for name in names or CALLS:
            CALLS[name]()
    return compilation.seconds
