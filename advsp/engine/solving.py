"""Solving games: one, or many that have nothing to do with each other."""

from __future__ import annotations

from collections.abc import Sequence

from advsp.engine.backends.first_games import open_for
from advsp.engine.double_oracle import MAX_ITERATIONS, Equilibrium
from advsp.engine.game import Game
from advsp.engine.settings import Engine
from advsp.support.arrays import Labels
from advsp.support.threads import over_chunks, use_threads


def solve_game(
    game: Game,
    lp: str = "auto",
    oracle: str = "auto",
    tolerance: float = 1e-6,
    *,
    max_iterations: int = MAX_ITERATIONS,
    warm: tuple[Labels, Labels] | None = None,
    trace: bool = False,
) -> Equilibrium:
    """Solve a game by double oracle.

    While no kernels are compiled on this machine, small games are played without them
    (:mod:`advsp.engine.backends.first_games`): compiling takes longer.  When it begins, a warning is logged.

    Parameters
    ----------
    game: what to play, e.g. :class:`~advsp.engine.game.ChainF1Game`.
    lp: registered LP solver, or ``"auto"``: the fastest installed.
    oracle: registered oracle, or ``"auto"``: the fastest exact one installed.
    tolerance: stop once the gap is at most this; 0 asks for as much as the LP solver can give.
    max_iterations: give up after so many rounds; the gap then says how far it got.
    warm: strategies to begin with, see :func:`~advsp.engine.double_oracle.double_oracle`.
    trace: keep every round in the result.

    Raises
    ------
    InputError: unknown or missing LP solver or oracle.

    Examples
    --------
    >>> import numpy as np
    >>> from advsp import ChainF1Game
    >>> game = ChainF1Game(unary=np.zeros((3, 2)), pairwise=np.zeros((2, 2)), target=1)
    >>> solved = solve_game(game, lp="linprog", oracle="numpy")
    >>> round(solved.value, 4), solved.gap < 1e-6, solved.certified
    (0.3333, True, True)
    """
    if max_iterations < 1:
        raise ValueError(f"max_iterations must be at least 1, not {max_iterations}")
    return open_for(game, Engine(lp, oracle, max_iterations)).solve(game, tolerance, warm, trace)


def solve_games(
    games: Sequence[Game],
    lp: str = "auto",
    oracle: str = "auto",
    tolerance: float = 1e-6,
    *,
    max_iterations: int = MAX_ITERATIONS,
    threads: int = 1,
) -> list[Equilibrium]:
    """Solve games that have nothing to do with each other, in their order; the same for any ``threads``.

    Kernels let several games be played at a time; elsewhere threads only take turns.  Other parameters and
    errors are those of :func:`solve_game`.

    Examples
    --------
    >>> import numpy as np
    >>> from advsp import AerGame
    >>> games = [AerGame(sure=np.full(n, 0.5), possible=np.zeros(n)) for n in (1, 2)]
    >>> [round(solved.value, 4) for solved in solve_games(games, lp="linprog", oracle="numpy")]
    [0.25, 0.0]
    """

    def part(first: int, last: int) -> list[Equilibrium]:
        return [
            solve_game(game, lp, oracle, tolerance, max_iterations=max_iterations)
            for game in games[first:last]
        ]

    with use_threads(threads):
        return [solved for some in over_chunks(part, len(games), lambda done: None) for solved in some]
