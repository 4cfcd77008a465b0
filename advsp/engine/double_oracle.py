"""Double oracle: grow, solve, respond, until the certified gap closes.

McMahan, Gordon & Blum (2003), as section 3.2 of the paper applies it: the game restricted to the
strategies found so far is solved as a linear program; each player's best response to the other's
mixture joins the strategies.  The two best-response values bracket the value of the whole game, and
the loop stops when the bracket is narrow enough, never because a value repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from advsp.engine import compiled as fused
from advsp.engine.game import Game
from advsp.engine.lp import open_session, solvers
from advsp.engine.lp.base import CertifiedSession
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle
from advsp.engine.oracles.base import Oracle
from advsp.engine.oracles.compiled import Kernels
from advsp.support.equality import equal_by_value
from advsp.support.threads import over_chunks, use_threads

if TYPE_CHECKING:
    from advsp.kernels.double_oracle import Solved

#: Rounds after which a game is given up; its certified gap says how far it got.
MAX_ITERATIONS = 10_000


@equal_by_value
@dataclass(frozen=True)
class Round:
    """One round of the loop.

    Attributes
    ----------
    iteration: 1 for the first round.
    value: value of the game restricted to the strategies known in this round.
    lower, upper: best-response values against this round's mixtures.
    best_lower, best_upper: the tightest so far; they bracket the value of the game.  (Approximate
        responses bound nothing beyond their own round: there they are this round's.)
    predictor, adversary: the mixtures that attain ``best_lower`` and ``best_upper``.
    strategies: number of strategies of the predictor and of the adversary.
    """

    iteration: int
    value: float
    lower: float
    upper: float
    best_lower: float
    best_upper: float
    predictor: Mixture
    adversary: Mixture
    strategies: tuple[int, int]

    @property
    def gap(self) -> float:
        """Width of the bracket; never negative."""
        return max(0.0, self.best_upper - self.best_lower)


@equal_by_value
@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium up to ``gap``.

    Attributes
    ----------
    value: estimate of the game's value, inside [lower, upper].
    gap: upper - lower; certified by exact best responses where ``certified``.
    iterations: rounds taken, each with one linear program and one response a player.
    predictor: mixture of 0/1 labellings that guarantees a payoff of at least ``lower``.
    adversary: mixture of labellings that concedes a payoff of at most ``upper``.
    lower, upper: bounds on the value of the game.
    certified: False where approximate responses made the bounds.
    lp_failures: answers of the LP solver that failed the certificate and were solved anew.
    trace: the rounds, where asked for.
    """

    value: float
    gap: float
    iterations: int
    predictor: Mixture
    adversary: Mixture
    lower: float
    upper: float
    certified: bool
    lp_failures: int
    trace: tuple[Round, ...] = field(default=(), repr=False)


class Strategies:
    """Distinct labellings of one player, in the order they were found."""

    def __init__(self, length: int) -> None:
        self._rows = np.empty((8, length), dtype=np.int8)
        self._seen: set[bytes] = set()

    def __len__(self) -> int:
        return len(self._seen)

    @property
    def labellings(self) -> np.ndarray:
        return self._rows[: len(self)]

    def add(self, labelling: np.ndarray) -> bool:
        """Add a labelling unless it is known; True if it was new."""
        labelling = np.asarray(labelling, dtype=np.int8)
        key = labelling.tobytes()
        if key in self._seen:
            return False
        if len(self) == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
        self._rows[len(self)] = labelling
        self._seen.add(key)
        return True


def double_oracle(
    game: Game,
    session: CertifiedSession,
    oracle: Oracle,
    tolerance: float,
    max_iterations: int = MAX_ITERATIONS,
    warm: tuple[np.ndarray, np.ndarray] | None = None,
) -> Iterator[Round]:
    """Yield the rounds of the double oracle on ``game``.

    Stops when the certified gap is at most ``tolerance``, when neither response is new (the
    restricted game is the whole game as far as the LP solver can tell) or after ``max_iterations``.

    Parameters
    ----------
    session: LP session for this game alone.
    warm: labellings of the predictor [s, n] and of the adversary [r, n] to begin with; those that this
        game's structures do not allow are left out.
    """
    rows, columns = Strategies(game.predictor.length), Strategies(game.adversary.length)
    if warm is not None:
        refreshed = game.refresh(warm[1])
        for strategies, structure, labellings in (
            (rows, game.predictor, warm[0]),
            (columns, game.adversary, refreshed),
        ):
            for labelling in labellings[structure.allows(labellings)]:
                strategies.add(labelling)
    if not len(columns):
        columns.add(game.adversary.best())
    if not len(rows):
        rows.add(oracle.predictor(game, Mixture.pure(columns.labellings[0]))[0])
    payoffs = game.payoffs(rows.labellings, columns.labellings)
    best_lower, best_upper = -np.inf, np.inf
    predictor = adversary = None
    for iteration in range(1, max_iterations + 1):
        solution = session.solve(payoffs)
        row_mixture = Mixture(rows.labellings.copy(), solution.row).support()
        column_mixture = Mixture(columns.labellings.copy(), solution.column).support()
        row, upper = oracle.predictor(game, column_mixture)
        column, lower = oracle.adversary(game, row_mixture)
        # A best response is at least as good as the mixture it answers; an approximate one need not be.
        better_row, better_column = upper > solution.value, lower < solution.value
        upper, lower = max(upper, solution.value), min(lower, solution.value)
        # Bounds of exact responses hold for the game, whichever round they come from.
        if lower > best_lower or not oracle.exact:
            best_lower, predictor = lower, row_mixture
        if upper < best_upper or not oracle.exact:
            best_upper, adversary = upper, column_mixture
        yield Round(
            iteration, solution.value, lower, upper, best_lower, best_upper, predictor, adversary,
            (len(rows), len(columns)),
        )  # fmt: skip
        if best_upper - best_lower <= tolerance:
            return
        new_row = better_row and rows.add(row)
        new_column = better_column and columns.add(column)
        if not (new_row or new_column):
            return
        if new_row:
            known = columns.labellings[: payoffs.shape[1]]
            payoffs = np.concatenate([payoffs, game.payoffs(row[None, :], known)])
        if new_column:
            payoffs = np.hstack([payoffs, game.payoffs(rows.labellings, column[None, :])])


def solve_game(
    game: Game,
    lp: str = "auto",
    oracle: str = "auto",
    tolerance: float = 1e-6,
    *,
    max_iterations: int = MAX_ITERATIONS,
    warm: tuple[np.ndarray, np.ndarray] | None = None,
    trace: bool = False,
) -> Equilibrium:
    """Solve a game by double oracle.

    Parameters
    ----------
    game: what to play, e.g. :class:`~advsp.engine.game.ChainF1Game`.
    lp: registered LP solver, or ``"auto"``: the fastest installed.
    oracle: registered oracle, or ``"auto"``: the fastest exact one installed.
    tolerance: stop once the gap is at most this; 0 asks for as much as the LP solver can give.
    max_iterations: give up after so many rounds; the gap then says how far it got.
    warm: strategies to begin with, see :func:`double_oracle`.
    trace: keep every round in the result.

    Raises
    ------
    InputError: unknown or missing LP solver or oracle.
    """
    if max_iterations < 1:
        raise ValueError(f"max_iterations must be at least 1, not {max_iterations}")
    responder = open_oracle(oracle)
    if not trace and isinstance(responder, Kernels) and solvers.resolve(lp) == "compiled":
        solved = fused.solve(game, responder.exact, tolerance, max_iterations, warm)
        if solved is not None:
            return _read(solved, responder)
    session = open_session(lp)
    rounds = []
    for last in double_oracle(game, session, responder, tolerance, max_iterations, warm):
        if trace:
            rounds.append(last)
    return equilibrium(last, session, responder, tuple(rounds))


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
    """

    def part(first: int, last: int) -> list[Equilibrium]:
        options = {"max_iterations": max_iterations}
        return [solve_game(game, lp, oracle, tolerance, **options) for game in games[first:last]]

    with use_threads(threads):
        return [solved for some in over_chunks(part, len(games), lambda done: None) for solved in some]


def _read(solved: Solved, oracle: Oracle) -> Equilibrium:
    """What a compiled double oracle found."""
    value, lower, upper = solved.bounds.tolist()
    iterations, failures, _ = solved.rounds.tolist()
    return Equilibrium(
        value=value,
        gap=upper - lower,
        iterations=iterations,
        predictor=Mixture(solved.predicted, solved.row),
        adversary=Mixture(solved.actual, solved.column),
        lower=lower,
        upper=upper,
        certified=oracle.exact,
        lp_failures=failures,
    )


def equilibrium(
    last: Round, session: CertifiedSession, oracle: Oracle, trace: tuple[Round, ...] = ()
) -> Equilibrium:
    """What the last round of a double oracle amounts to."""
    # Rounding may put the bounds of a solved game in the wrong order by a hair.
    lower = min(last.best_lower, last.best_upper)
    return Equilibrium(
        value=max(lower, min(last.value, last.best_upper)),
        gap=last.gap,
        iterations=last.iteration,
        predictor=last.predictor,
        adversary=last.adversary,
        lower=lower,
        upper=last.best_upper,
        certified=oracle.exact,
        lp_failures=session.failures,
        trace=trace,
    )
