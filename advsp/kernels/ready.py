"""Have everything compiled, or loaded from the cache, before it is needed."""

from __future__ import annotations

import numpy as np

from advsp.kernels import responses, simplex
from advsp.kernels.approximate import ApproximateTable
from advsp.kernels.chain import ChainTable
from advsp.kernels.compilation import Compilation
from advsp.kernels.double_oracle import solve
from advsp.kernels.independent import LabelTable
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


#: One call of everything the interpreter calls, by name; the smallest arguments of the types that occur.
CALLS = {
    "simplex": _simplex,
    "chains": lambda: solve(_CHAIN, _RATIO, 2, _NOTHING, _NOTHING, 0.0, 1),
    "labels": lambda: solve(_LABELS, _RATIO, 2, _NOTHING, _NOTHING, 0.0, 1),
    "approximate chains": lambda: solve(_APPROXIMATE, _RATIO, 2, _NOTHING, _NOTHING, 0.0, 1),
    "predictor": lambda: responses.predictor(_RATIO, _labellings(1, 2), _CERTAIN),
    "approximate predictor": lambda: responses.approximate_predictor(
        _APPROXIMATE, _RATIO, _labellings(1, 2), _CERTAIN
    ),
    "adversary of chains": lambda: responses.adversary(_CHAIN, _RATIO, _labellings(1, 2), _CERTAIN),
    "adversary of labels": lambda: responses.adversary(_LABELS, _RATIO, _labellings(1, 2), _CERTAIN),
    "approximate adversary": lambda: responses.adversary(_APPROXIMATE, _RATIO, _labellings(1, 2), _CERTAIN),
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
