"""From games to kernels and back: which games the compiled double oracle plays, and playing one.

A game goes there if its score is a ratio of hits to counts and its structures are independent labels for the
predictor, and for the adversary independent labels or a chain with one tag in the score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from advsp import kernels
from advsp.arrays import plain
from advsp.game import Game
from advsp.measures.ratio import RatioMeasure
from advsp.structures.chain import LinearChain
from advsp.structures.independent import IndependentLabels

if TYPE_CHECKING:
    from advsp.kernels.double_oracle import Solved
    from advsp.kernels.scores import Ratio
    from advsp.mixture import Mixture


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
    if not kernels.available() or not playable(game):
        return None
    from advsp.kernels.approximate import ApproximateTable
    from advsp.kernels.chain import ChainTable
    from advsp.kernels.independent import LabelTable

    adversary, measure = game.adversary, game.measure
    if isinstance(adversary, LinearChain):
        chain = ChainTable(
            plain(adversary.unary),
            plain(adversary.pairwise),
            int(measure.counted.argmax()),
        )
        return (chain, pattern_ratio(measure)) if exact else (ApproximateTable(chain), ratio(measure))
    if not exact:
        return None
    return LabelTable(plain(adversary.potentials), plain(measure.counted, bool)), ratio(measure)


def strategies(mixture: Mixture) -> tuple[np.ndarray, np.ndarray]:
    """Labellings int8 [s, n] and probabilities float [s] of a mixture."""
    return plain(mixture.labellings, np.int8), plain(mixture.probabilities)


def ratio(measure: RatioMeasure) -> Ratio:
    """The score of a measure over its own labels."""
    from advsp.kernels.scores import Ratio

    return Ratio(
        plain(measure.hits),
        plain(measure.counted, bool),
        float(measure.scale),
        float(measure.share),
        float(measure.empty),
    )


def pattern_ratio(measure: RatioMeasure) -> Ratio:
    """The score of a measure over patterns: 1 for the one label that takes part in it, 0 for the others."""
    from advsp.kernels.scores import ONE_COUNTED, ONE_HITS, Ratio

    return Ratio(ONE_HITS, ONE_COUNTED, float(measure.scale), float(measure.share), float(measure.empty))


def solve(
    game: Game,
    exact: bool,
    tolerance: float,
    max_iterations: int,
    warm: tuple[np.ndarray, np.ndarray] | None = None,
) -> Solved | None:
    """Play the double oracle in one compiled call; None where there are no kernels or the simplex gave up."""
    compiled = tables(game, exact)
    if compiled is None:
        return None
    from advsp.kernels.double_oracle import solve as double_oracle

    length = game.predictor.length
    nothing = np.empty((0, length), dtype=np.int8)
    rows, columns = (nothing, nothing) if warm is None else warm
    solved = double_oracle(
        *compiled,
        length,
        plain(rows, np.int8),
        plain(columns, np.int8),
        tolerance,
        max_iterations,
    )
    return None if solved.rounds[2] else solved
