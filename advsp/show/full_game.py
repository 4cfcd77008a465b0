"""A tiny game in full: the matrix of all payoffs, and its equilibrium found in two ways.

Rows are the predictor's labellings and columns the adversary's; Table 1 of the paper has them the other way
round.  The toolkit's double oracle sees few of them; beside it stands the linear program over the whole
matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from advsp.engine.double_oracle import Equilibrium
from advsp.engine.game import Game
from advsp.engine.lp import open_session
from advsp.engine.lp.base import MatrixSolution
from advsp.engine.solving import solve_game
from advsp.engine.structures.base import Structure
from advsp.show.game_file import AerFile, GameFile
from advsp.support.arrays import Floats, Labels
from advsp.support.equality import equal_by_value
from advsp.support.errors import InputError

#: Most payoffs that are written out.
CELLS = 5000


@equal_by_value
@dataclass(frozen=True)
class FullMatrix:
    """All payoffs of a game.

    Attributes
    ----------
    predictions: int8 [r, n], every labelling of the predictor.
    actuals: int8 [c, n], every labelling of the adversary.
    potentials: float [c], psi of every labelling of the adversary.
    payoffs: float [r, c], score less potential.
    solution: the equilibrium of the whole matrix.
    """

    predictions: Labels
    actuals: Labels
    potentials: Floats
    payoffs: Floats
    solution: MatrixSolution


@equal_by_value
@dataclass(frozen=True)
class ShownGame:
    """What there is to see of one game.

    Attributes
    ----------
    description: what the file or example says.
    equilibrium: found by the double oracle.
    matrix: None where it is too large to be written out.
    """

    description: GameFile
    equilibrium: Equilibrium
    matrix: FullMatrix | None


def write_out(description: GameFile, file: Path | None = None) -> ShownGame:
    """Solve a game and write it out.

    A game that is too large comes without its matrix if it has one pair of labellings to look at.

    Parameters
    ----------
    file: named where the game cannot be shown.

    Raises
    ------
    InputError: more than :data:`CELLS` payoffs, or no labelling that is not forbidden.
    """
    rows, columns = description.sizes()
    small = rows * columns <= CELLS
    has_pair = isinstance(description, AerFile) and description.pair is not None
    if not small and not has_pair:
        raise InputError(
            f"the whole matrix has {size_text(rows * columns)} payoffs ({size_text(rows)} predictions x "
            f"{size_text(columns)} {description.actuals}), at most {CELLS} are shown",
            file=file,
            hint=description.largest(CELLS),
        )
    game = description.build()
    matrix = None
    if small:
        matrix = full_matrix(game)
        if matrix is None:
            problem = f"no {description.actuals} are left, all are forbidden by potentials of -.inf"
            raise InputError(problem, file=file)
    # Responses by numpy: the double oracle is not compiled for a game of this size.
    equilibrium = solve_game(game, oracle="numpy", tolerance=1e-9)
    return ShownGame(description, equilibrium, matrix)


def full_matrix(game: Game) -> FullMatrix | None:
    """All payoffs of ``game``, whose size is the caller's care; None if every labelling is forbidden."""
    predictions, actuals = _labellings(game.predictor), _labellings(game.adversary)
    if not len(actuals):
        return None
    payoffs = game.payoffs(predictions, actuals)
    solution = open_session().solve(payoffs)
    return FullMatrix(predictions, actuals, game.adversary.potential(actuals), payoffs, solution)


def _labellings(structure: Structure) -> Labels:
    """Every labelling that a structure allows, int8 [s, n], the last position changing fastest."""
    every = np.array(list(product(range(structure.labels), repeat=structure.length)), dtype=np.int8)
    allowed: Labels = every[structure.allows(every)]
    return allowed


def size_text(number: int) -> str:
    """A number that may be astronomical."""
    return f"{number:,}" if number < 10**9 else f"{float(number):.1e}" if number < 10**300 else "over 1e+300"
