"""Double oracle: grow, solve, respond, until the certified gap closes.

McMahan, Gordon & Blum (2003), as section 3.2 of the paper applies it: the game restricted to the
strategies found so far is solved as a linear program; each player's best response to the other's
mixture joins the strategies.  The two best-response values bracket the value of the whole game, and
the loop stops when the bracket is narrow enough, never because a value repeated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from advsp.engine.game import Game
from advsp.engine.lp.base import CertifiedSession
from advsp.engine.mixture import Mixture
from advsp.engine.oracles.base import Oracle
from advsp.support.arrays import Labels
from advsp.support.equality import equal_by_value

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
    def labellings(self) -> Labels:
        return self._rows[: len(self)]

    def add(self, labelling: Labels) -> bool:
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
    warm: tuple[Labels, Labels] | None = None,
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
    predictor: Mixture | None = None
    adversary: Mixture | None = None
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
        if predictor is None or lower > best_lower or not oracle.exact:
            best_lower, predictor = lower, row_mixture
        if adversary is None or upper < best_upper or not oracle.exact:
            best_upper, adversary = upper, column_mixture
        yield Round(
            iteration=iteration,
            value=solution.value,
            lower=lower,
            upper=upper,
            best_lower=best_lower,
            best_upper=best_upper,
            predictor=predictor,
            adversary=adversary,
            strategies=(len(rows), len(columns)),
        )
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
