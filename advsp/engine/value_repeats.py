"""Double oracle that stops when the value of the restricted game repeats, not when a gap closes.

The loop of the program that the paper's authors released, to compare with what it predicts; the loop that
certifies its result is :mod:`advsp.engine.double_oracle`.  A value can repeat, to the digits that are looked
at, before the mixtures are an equilibrium; where potentials are large, as after training, that is rare.

A round, with the constant labellings of both players to begin with:

1. solve the restricted game for the predictor; stop if its value is that of the last linear program, or if
   the predictor has as many strategies as it may have;
2. the adversary's best response joins its strategies, unless it is worth the value or is known: then the
   adversary is done;
3. solve the restricted game for the adversary; stop if it has as many strategies as it may have;
4. the predictor's best response joins likewise; stop if both are done.

Values and probabilities are taken to eight decimals.
"""

from __future__ import annotations

import numpy as np

from advsp.engine.double_oracle import Equilibrium, Strategies
from advsp.engine.game import Game
from advsp.engine.lp.base import CertifiedSession
from advsp.engine.measures.base import CountCosts
from advsp.engine.measures.counts import CountScore
from advsp.engine.mixture import Mixture
from advsp.engine.oracles.base import Oracle
from advsp.support.arrays import Labels
from advsp.support.errors import InputError

#: Strategies that a player may have.
MAX_STRATEGIES = 300
_DECIMALS = 8


def solve_until_repeated(
    game: Game,
    session: CertifiedSession,
    oracle: Oracle,
    *,
    max_iterations: int,
    max_strategies: int = MAX_STRATEGIES,
) -> Equilibrium:
    """Play ``game`` until the value repeats.

    Parameters
    ----------
    game: one of a measure that is frugal, e.g. :class:`~advsp.engine.game.ChainF1Game`.
    session: LP session for this game alone.
    oracle: exact, answers for the adversary; of equal responses ``"reference"`` takes the one with the
        smaller count and then the smaller labels.
    max_iterations: rounds after which the game is left as it is.
    max_strategies: at which a player stops.

    Returns
    -------
    What is never ``certified``: the mixtures are those of the last linear programs, ``lower`` and ``upper``
    the tightest values of best responses on the way.

    Raises
    ------
    InputError: another kind of measure.
    """
    restricted = _Restricted(game, session)
    lower, upper, last = -np.inf, np.inf, None
    for iteration in range(1, max_iterations + 1):
        predictor, adversary, value = restricted.solve()
        if value == last or len(restricted.rows) >= max_strategies:
            break
        labelling, worth = oracle.adversary(game, predictor)
        lower = max(lower, worth)
        adversary_done = _same(worth, value) or not restricted.add_column(labelling)
        _, adversary, last = restricted.solve()
        if len(restricted.columns) >= max_strategies:
            break
        labelling, worth = predictor_response(game, adversary)
        upper = min(upper, worth)
        predictor_done = _same(worth, last) or not restricted.add_row(labelling)
        if adversary_done and predictor_done:
            break
    lower, upper = min(lower, value), max(upper, value)
    return Equilibrium(
        value=value,
        gap=upper - lower,
        iterations=iteration,
        predictor=predictor,
        adversary=adversary,
        lower=lower,
        upper=upper,
        certified=False,
        lp_failures=session.failures,
    )


class _Restricted:
    """The game over the strategies found so far, the constant labellings first.

    A constant labelling of the adversary has a counterpart of the predictor: ones where the label counts.
    """

    def __init__(self, game: Game, session: CertifiedSession) -> None:
        score = game.score
        if not (isinstance(score, CountScore) and score.measure.frugal):
            raise InputError(
                "the value is looked at in games of F-scores and alignment error rates only",
                key="engine.stop",
                hint="choose certified",
            )
        self.game, self.session = game, session
        self.rows, self.columns = Strategies(game.predictor.length), Strategies(game.adversary.length)
        for label, counts in enumerate(score.roles.hits > 0):
            constant = np.full(game.adversary.length, label, dtype=np.int8)
            if game.adversary.allows(constant[None, :])[0]:
                self.columns.add(constant)
            self.rows.add(np.full(game.predictor.length, counts, dtype=np.int8))
        self._payoffs = game.payoffs(self.rows.labellings, self.columns.labellings)

    def solve(self) -> tuple[Mixture, Mixture, float]:
        """Mixtures of the predictor and the adversary over all their strategies, and the value."""
        solution = self.session.solve(self._payoffs)
        return (
            Mixture(self.rows.labellings.copy(), solution.row.round(_DECIMALS)),
            Mixture(self.columns.labellings.copy(), solution.column.round(_DECIMALS)),
            round(solution.value, _DECIMALS),
        )

    def add_row(self, labelling: Labels) -> bool:
        """A further strategy of the predictor; False if it is known."""
        if not self.rows.add(labelling):
            return False
        row = self.game.payoffs(labelling[None, :], self.columns.labellings)
        self._payoffs = np.concatenate([self._payoffs, row])
        return True

    def add_column(self, labelling: Labels) -> bool:
        """A further strategy of the adversary; False if it is known."""
        if not self.columns.add(labelling):
            return False
        column = self.game.payoffs(self.rows.labellings, labelling[None, :])
        self._payoffs = np.hstack([self._payoffs, column])
        return True


def _same(worth: float, value: float) -> bool:
    """Whether two values agree in the digits that are looked at."""
    return round(worth, _DECIMALS) == round(value, _DECIMALS)


def predictor_response(game: Game, adversary: Mixture) -> tuple[Labels, float]:
    """The predictor's best response int8 [n], and its expected payoff.

    Of equal positions the later is taken first; of equal responses the one with fewer ones.
    Source: GFM (Dembczynski et al., 2011), with the ties of the authors' program.
    """
    costs = game.score.predictor_costs(adversary)
    assert isinstance(costs, CountCosts)  # as the restricted game has made sure
    least, ones = float(costs.constant[0]), costs.positions[:0]
    for count in range(1, len(costs.constant)):
        column = costs.weights[:, count]
        taken = np.lexsort((-costs.positions, column))[:count]
        cost = float(costs.constant[count] + column[taken].sum())
        if cost < least:
            least, ones = cost, costs.positions[taken]
    labelling = np.zeros(game.predictor.length, dtype=np.int8)
    labelling[ones] = 1
    return labelling, -least - float(adversary.probabilities @ game.adversary.potential(adversary.labellings))
