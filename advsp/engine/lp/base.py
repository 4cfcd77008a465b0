"""What every LP solver offers, and the certificate every solution of a matrix game must pass."""

from __future__ import annotations

import importlib.util
import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

import numpy as np

from advsp.engine.lp.program import LinearProgram, UncertifiedSolution, cleaned
from advsp.support.arrays import Floats
from advsp.support.equality import equal_by_value

log = logging.getLogger(__name__)

#: Where the first payoff is shifted to: best responses to it then have payoffs between 1 and 5.
_SHIFTED_TO = 3.0
#: Relative error of a sum of products of payoffs and probabilities.
_ROUNDING = 64 * np.finfo(float).eps


@equal_by_value
@dataclass(frozen=True)
class MatrixSolution:
    """Certified equilibrium of a zero-sum matrix game.

    Attributes
    ----------
    row: float [r], mixture of the maximising row player.
    column: float [c], mixture of the minimising column player.
    value: midpoint of the certified bracket of the game's value.
    gap: max_i (A column)_i - min_j (row A)_j, never negative beyond rounding.
    """

    row: Floats
    column: Floats
    value: float
    gap: float


class Session(ABC):
    """One game as it grows: each matrix passed to :meth:`solve` extends the one before.

    The top-left block of a later matrix equals the earlier matrix, so that a solver may keep its
    basis; a solver that cannot simply solves anew.
    """

    @abstractmethod
    def solve(self, payoffs: Floats) -> tuple[Floats, Floats]:
        """Mixtures (row [r], column [c]) of the game ``payoffs`` [r, c]; the row player maximises."""


class LPSolver(ABC):
    """A backend: makes sessions for games, solves linear programs, and says how exact it can be."""

    #: Largest duality gap that counts as solved; where payoffs spread over more than 1, relative to that.
    tolerance: float = 1e-9
    #: Import name of the package it needs, and how a user installs it.
    package: str = "scipy"
    install: str = "pip install scipy"

    @abstractmethod
    def session(self) -> Session:
        """A fresh session for one growing game."""

    @abstractmethod
    def maximise(self, program: LinearProgram) -> tuple[Floats, Floats]:
        """An optimal vertex [n] of ``program`` and the prices [m] of its limits.

        Raises
        ------
        UncertifiedSolution: none found, perhaps because there is none.
        """

    @classmethod
    def missing(cls) -> str | None:
        """None if the backend can run here, else one clause saying what is missing."""
        if importlib.util.find_spec(cls.package) is None:
            return f"the package {cls.package!r} is not installed"
        return None


def certify(payoffs: Floats, row: Floats, column: Floats, tolerance: float) -> MatrixSolution:
    """Check that two mixtures are an equilibrium of ``payoffs``, to ``tolerance``.

    Where the payoffs spread over more than 1 the tolerance is relative to their spread.

    What rounding alone can do to payoffs that have a large part in common is allowed on top.

    Both mixtures must be finite, non-negative and sum to one; the gap between what the row player
    could still gain and the column player could still save must close.  Rounding within the
    tolerance is cleaned up first, so that what is returned satisfies the conditions exactly.

    Raises
    ------
    UncertifiedSolution: naming the condition that fails and by how much.
    """
    mixtures = []
    for name, mixture, size in (("row", row, payoffs.shape[0]), ("column", column, payoffs.shape[1])):
        clean = cleaned(f"{name} mixture", mixture, size, tolerance)
        if abs(mixture.sum() - 1.0) > tolerance * size + 1e-12:
            raise UncertifiedSolution(f"the {name} mixture sums to {mixture.sum():.12g}")
        mixtures.append(clean / clean.sum())
    upper = float((payoffs @ mixtures[1]).max())
    lower = float((mixtures[0] @ payoffs).min())
    spread = max(1.0, float(payoffs.max() - payoffs.min()))
    allowed = tolerance * spread + _ROUNDING * float(np.abs(payoffs).max())
    if not upper - lower <= allowed:  # also where something is not a number
        raise UncertifiedSolution(f"the gap is {upper - lower:.3g}, allowed {allowed:.3g}")
    return MatrixSolution(mixtures[0], mixtures[1], 0.5 * (upper + lower), upper - lower)


def pure_saddle(payoffs: Floats) -> tuple[Floats, Floats] | None:
    """Pure mixtures (row, column) if the matrix has a saddle point, else None.

    Well-trained potentials make most subgames of this kind; no linear program is needed for them.
    """
    worst, best = payoffs.min(axis=1), payoffs.max(axis=0)
    i, j = int(worst.argmax()), int(best.argmin())
    if worst[i] < best[j]:
        return None
    row, column = np.zeros(payoffs.shape[0]), np.zeros(payoffs.shape[1])
    row[i] = column[j] = 1.0
    return row, column


class CertifiedSession:
    """A session whose every answer carries the certificate.

    A saddle point in pure strategies is taken as it is.  Otherwise the backend solves; if its
    answer fails the certificate it is asked again from scratch, and then ``fallback``, if any, is asked.

    Attributes
    ----------
    failures: number of answers that failed the certificate.
    """

    def __init__(self, solver: LPSolver, fallback: LPSolver | None) -> None:
        self._solver, self._fallback = solver, fallback
        self._session: Session | None = None
        self._shift: float | None = None
        self.failures = 0

    def solve(self, payoffs: Floats) -> MatrixSolution:
        """Certified equilibrium of ``payoffs`` [r, c], an extension of the matrix solved before."""
        # A part that all payoffs have in common costs a solver digits and changes no mixture.  What is
        # left is kept away from zero, since solvers drop entries that are nearly zero.
        if self._shift is None:
            self._shift = _SHIFTED_TO - float(payoffs[0, 0])
        solution = self._solve(payoffs + self._shift)
        return replace(solution, value=solution.value - self._shift)

    def _solve(self, payoffs: Floats) -> MatrixSolution:
        saddle = pure_saddle(payoffs)
        if saddle is not None:
            return certify(payoffs, *saddle, tolerance=self._solver.tolerance)
        if self._session is None:
            self._session = self._solver.session()
        trials = [(self._solver, self._session), (self._solver, None)]
        if self._fallback is not None:
            trials.append((self._fallback, None))
        reasons = []
        for solver, session in trials:
            session = session or solver.session()
            try:
                return certify(payoffs, *session.solve(payoffs), tolerance=solver.tolerance)
            except UncertifiedSolution as reason:
                self.failures += 1
                reasons.append(f"{type(solver).__name__}: {reason}")
                log.info("a matrix game of %d x %d failed its certificate: %s", *payoffs.shape, reasons[-1])
                self._session = None
        raise UncertifiedSolution("; ".join(reasons))
