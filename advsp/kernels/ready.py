"""Have everything compiled, or loaded from the cache, before it is needed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from advsp.kernels import passes, responses, simplex
from advsp.kernels.chain_hinge import ChainHinge
from advsp.kernels.compilation import Compilation
from advsp.kernels.corpus_game import CorpusGame
from advsp.kernels.double_oracle import solve
from advsp.kernels.games import Games, with_solver
from advsp.kernels.log_loss import ChainLog
from advsp.kernels.models import ChainMap, EdgeMap, SparseRows, workspace
from advsp.kernels.scores import ONE_COUNTED, ONE_HITS, Coefficients, Score
from advsp.kernels.staying_hmm import staying_hmm
from advsp.kernels.structures.approximate import ApproximateRows, ApproximateTable
from advsp.kernels.structures.chain import ChainRows, ChainTable
from advsp.kernels.structures.independent import LabelTable, LinkRows


def _labellings(*shape: int) -> np.ndarray:
    return np.zeros(shape, dtype=np.int8)


_CERTAIN, _NOTHING = np.ones(1), _labellings(0, 2)
_F1 = Coefficients(True, 2.0, 1.0, 1.0, np.empty(0, dtype=int), np.empty(0), 0.0, 1.0)
_SCORE = Score(ONE_HITS, ONE_COUNTED, np.empty(0), 0, True, 2.0, 1.0, 1.0, 0.0, 1.0)
_CHAIN = ChainTable(np.zeros((2, 2)), np.zeros((1, 2, 2)), ONE_COUNTED)
_APPROXIMATE = ApproximateTable(_CHAIN)
_LABELS = LabelTable(np.zeros((2, 2)), ONE_COUNTED)


def _simplex() -> None:
    tableau = simplex.workspace(1, 1)
    simplex.restart(*tableau, 1, 1, np.ones((1, 1)))
    tableau = simplex.grown(*tableau, 2, 2)
    simplex.extend(*tableau, 1, 1, np.ones((2, 2)))
    simplex.solve(*tableau, 2, 2, np.ones((2, 2)), np.empty(2), np.empty(2))
    simplex.maximise(np.ones(1), np.ones((1, 1)), np.ones(1))


def _solve(table: NamedTuple) -> None:
    solve(table, _SCORE, True, 2, _NOTHING, _NOTHING, 0.0, 1)


def _adversary(table: NamedTuple) -> None:
    responses.adversary(responses.structure_of(table, 1.0), _SCORE, _labellings(1, 2), _CERTAIN)


_OFFSETS, _GOLD = np.array([0, 1]), _labellings(1)
_FEATURES = SparseRows(np.array([0, 1]), np.zeros(1, dtype=np.int32), np.ones(1))
_FEATURE = np.ones((1, 1))


def _chain_map() -> ChainMap:
    """Two tags, one feature of either kind, START a tag of its own: 2 + 6 weights, rows of 8 potentials."""
    blocks = np.array([0, 2]), np.array([0, 1], dtype=np.int32)
    return ChainMap(_OFFSETS, _FEATURES, _FEATURES, 2, 6, 6, np.empty(0, dtype=int), 2, True, 1, *blocks)


def _adagrad(model: ChainMap | EdgeMap, loss: NamedTuple, size: int) -> None:
    """A pass over one example of one position."""
    weights, squares, drift = np.zeros(size), np.zeros(size), np.zeros(size)
    rule = passes.AdaGradRule(weights, squares, drift, np.empty(0), 0.1, 1)
    passes.adagrad_pass(rule, model, loss, np.zeros(1, dtype=int), workspace(model, weights), 0.0, 0.1)


def _frank_wolfe(model: ChainMap | EdgeMap, loss: NamedTuple, size: int, width: int) -> None:
    """A pass over one example of one position."""
    weights, mean = np.zeros(size), np.zeros(size)
    rule = passes.FrankWolfeRule(weights, np.zeros((1, width)), np.zeros(1), mean, 1.0, False)
    passes.frank_wolfe_pass(rule, model, loss, np.zeros(1, dtype=int), workspace(model, weights), 0.0, 0.1)


def _evaluate(loss: NamedTuple, width: int) -> None:
    """The loss of one example of one position."""
    table = np.zeros((1, width))
    passes.evaluate_batch(loss, _OFFSETS, 0, 1, table, 0.1, np.empty(1), np.empty(1), np.empty_like(table))


def _decode(loss: NamedTuple, width: int, labels: int) -> None:
    decided = _labellings(1), np.empty((1, labels))
    passes.decode_batch(loss, _OFFSETS, 0, 1, 0, np.zeros((1, width)), 0.1, *decided)


_ROWS = ChainRows(2, True, 0)
_COUNTED, _HITS = np.array([[True, False]]), np.array([[1.0, 0.0]])
_GAMES = Games(_OFFSETS, _GOLD, _ROWS, _COUNTED, ONE_HITS[None], ONE_COUNTED[None], _F1, True, 1, 0)
_LINK_ROWS = LinkRows(_OFFSETS, 1, np.ones((1, 2), dtype=int), np.zeros(1, dtype=bool))
_SURE = np.array([[False, False, True]])
_LINKS = Games(_OFFSETS, _GOLD, _LINK_ROWS, _SURE, np.array([[0.0, 1.0, 2.0]]), _SURE, _F1, True, 1, 0)
_APPROXIMATE_GAMES = Games(
    _OFFSETS, _GOLD, ApproximateRows(_ROWS), _COUNTED, _HITS, _COUNTED, _F1, False, 1, 0
)
_LOG = ChainLog(_OFFSETS, _GOLD, _ROWS, False, np.zeros((2, 2)))
_HINGE = ChainHinge(_OFFSETS, _GOLD, _ROWS, np.zeros((2, 2)))
_NUMBERS, _ONE = np.array([0, -1]), np.ones(1)
_MOST, _SLIGHT = np.ones(4, dtype=int), np.zeros(3)
_CORPUS = CorpusGame(
    _OFFSETS,
    _GOLD,
    _ROWS,
    False,
    _NUMBERS,
    _ONE,
    _ONE,
    1.0,
    np.zeros((1, 1)),
    np.zeros((1, 1)),
    _MOST,
    _SLIGHT,
)
_GRID = np.ones((1, 1), np.float32)
_EDGE_MAP = EdgeMap(_OFFSETS, _FEATURE, _FEATURE[:, :0].copy(), np.zeros(1), 1, 0)


#: One call of everything the interpreter calls, by name; the smallest arguments of the types that occur.
#: What others are made of stands first, then what takes longest: so that of several processes none compiles
#: what another one does, and all end at about the same time.
CALLS = {
    "adversary of chains": lambda: _adversary(_CHAIN),
    "simplex": _simplex,
    "predictor": lambda: responses.predictor(_SCORE, _labellings(1, 2), _CERTAIN),
    "adversary of labels": lambda: _adversary(_LABELS),
    "approximate adversary": lambda: _adversary(_APPROXIMATE),
    "approximate predictor": lambda: responses.approximate_predictor(
        responses.structure_of(_APPROXIMATE, 1.0), _SCORE, _labellings(1, 2), _CERTAIN
    ),
    "AdaGrad of chains": lambda: _adagrad(_chain_map(), with_solver(_GAMES), 8),
    "AdaGrad of links": lambda: _adagrad(_EDGE_MAP, with_solver(_LINKS), 1),
    "Frank-Wolfe of chains": lambda: _frank_wolfe(_chain_map(), with_solver(_GAMES), 8, 8),
    "Frank-Wolfe of links": lambda: _frank_wolfe(_EDGE_MAP, with_solver(_LINKS), 1, 1),
    "losses of chains": lambda: _evaluate(with_solver(_GAMES), 8),
    "losses of links": lambda: _evaluate(with_solver(_LINKS), 1),
    "prediction of chains": lambda: _decode(with_solver(_GAMES), 8, 1),
    "prediction of links": lambda: _decode(with_solver(_LINKS), 1, 1),
    "AdaGrad of approximate chains": lambda: _adagrad(_chain_map(), with_solver(_APPROXIMATE_GAMES), 8),
    "Frank-Wolfe of approximate chains": lambda: _frank_wolfe(
        _chain_map(), with_solver(_APPROXIMATE_GAMES), 8, 8
    ),
    "losses of approximate chains": lambda: _evaluate(with_solver(_APPROXIMATE_GAMES), 8),
    "AdaGrad of random fields": lambda: _adagrad(_chain_map(), _LOG, 8),
    "Frank-Wolfe of random fields": lambda: _frank_wolfe(_chain_map(), _LOG, 8, 8),
    "losses of random fields": lambda: _evaluate(_LOG, 8),
    "AdaGrad of corpus games": lambda: _adagrad(_chain_map(), _CORPUS, 8),
    "losses of corpus games": lambda: _evaluate(_CORPUS, 8),
    "AdaGrad of hinges": lambda: _adagrad(_chain_map(), _HINGE, 8),
    "Frank-Wolfe of hinges": lambda: _frank_wolfe(_chain_map(), _HINGE, 8, 8),
    "losses of hinges": lambda: _evaluate(_HINGE, 8),
    "prediction of random fields": lambda: _decode(_LOG, 8, 2),
    "positions of words": lambda: staying_hmm(_GRID[None], _GRID, 0.1, _GRID, _GRID[0], _GRID, _GRID),
    "chains": lambda: _solve(_CHAIN),
    "labels": lambda: _solve(_LABELS),
    "approximate chains": lambda: _solve(_APPROXIMATE),
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
