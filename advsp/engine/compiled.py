"""From games to kernels and back: which games the compiled double oracle plays, and playing one.

A game goes there if its score is a ratio of hits to counts and its structures are independent labels for the
predictor, and for the adversary independent labels or a chain with one tag in the score.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from advsp import kernels
from advsp.engine.game import Game
from advsp.engine.measures.ratio import RatioMeasure
from advsp.engine.structures.chain import LinearChain
from advsp.engine.structures.independent import IndependentLabels
from advsp.support.arrays import plain

if TYPE_CHECKING:
    from advsp.engine.mixture import Mixture
    from advsp.kernels.double_oracle import Solved
    from advsp.kernels.scores import Ratio


@cache
def _compiled() -> SimpleNamespace | None:
    """What is used of the kernels, imported on first use; None if they are not available."""
    if not kernels.available():
        return None
    from advsp.kernels.approximate import ApproximateTable
    from advsp.kernels.chain import ChainTable
    from advsp.kernels.double_oracle import solve
    from advsp.kernels.independent import LabelTable
    from advsp.kernels.scores import ONE_COUNTED, ONE_HITS, Ratio

    return SimpleNamespace(
        ApproximateTable=ApproximateTable,
        ChainTable=ChainTable,
        LabelTable=LabelTable,
        Ratio=Ratio,
        one=(ONE_HITS, ONE_COUNTED),
        solve=solve,
    )


def playable(game: Game) -> bool:
    """Whether there are kernels for the game."""
    measure, predictor, adversary = game.measure, game.predictor, game.adversary
    if not isinstance(measure, RatioMeasure) or not isinstance(predictor, IndependentLabels):
        return False
    if predictor.potentials.any():
        return False
    if isinstance(adversary, LinearChain):
        return measure.single
    return isinstance(adversary, IndependentLabels)


def tables(game: Game, exact: bool = True) -> tuple[tuple, Ratio] | None:
    """The tables of potentials and of the score that stand for a game in kernels; None if there are none.

    Parameters
    ----------
    exact: False for approximate responses, which exist over chains only.
    """
    compiled = _compiled()
    if compiled is None or not playable(game):
        return None
    adversary, measure = game.adversary, game.measure
    if isinstance(adversary, LinearChain):
        target = int(measure.counted.argmax())
        chain = compiled.ChainTable(plain(adversary.unary), plain(adversary.pairwise), target)
        return (
            (chain, pattern_ratio(measure)) if exact else (compiled.ApproximateTable(chain), ratio(measure))
        )
    if not exact:
        return None
    labels = compiled.LabelTable(plain(adversary.potentials), plain(measure.counted, bool))
    return labels, ratio(measure)


def strategies(mixture: Mixture) -> tuple[np.ndarray, np.ndarray]:
    """Labellings int8 [s, n] and probabilities float [s] of a mixture."""
    return plain(mixture.labellings, np.int8), plain(mixture.probabilities)


def ratio(measure: RatioMeasure) -> Ratio:
    """The score of a measure over its own labels."""
    return _ratio(plain(measure.hits), plain(measure.counted, bool), measure)


def pattern_ratio(measure: RatioMeasure) -> Ratio:
    """The score of a measure over patterns: 1 for the one label that takes part in it, 0 for the others."""
    return _ratio(*_compiled().one, measure)


def _ratio(hits: np.ndarray, counted: np.ndarray, measure: RatioMeasure) -> Ratio:
    return _compiled().Ratio(hits, counted, float(measure.scale), float(measure.share), float(measure.empty))


def solve(
    game: Game,
    exact: bool,
    tolerance: float,
    max_iterations: int,
    warm: tuple[np.ndarray, np.ndarray] | None = None,
) -> Solved | None:
    """Play the double oracle in one compiled call; None where there are no kernels or the simplex gave up."""
    played = tables(game, exact)
    if played is None:
        return None
    length = game.predictor.length
    if warm is None:
        rows = columns = np.empty((0, length), dtype=np.int8)
    else:
        rows, columns = (plain(labellings, np.int8) for labellings in warm)
    solved = _compiled().solve(*played, length, rows, columns, tolerance, max_iterations)
    return None if solved.rounds[2] else solved
