"""Linear programs and matrix games by the project's own dense simplex, compiled (``advsp[fast]``)."""

from __future__ import annotations

import numpy as np

from advsp.engine.backends import door
from advsp.engine.lp import solvers
from advsp.engine.lp.base import LPSolver, Session, UncertifiedSolution
from advsp.engine.lp.program import LinearProgram

#: Where the lowest payoff is moved to, and how low a later one may be: the simplex divides by them.
_LOWEST, _LEAST = 1.0, 0.5


class _CompiledSession(Session):
    """Keeps the tableau of the last solve; begins anew where a payoff would come close to zero."""

    def __init__(self) -> None:
        self._rows = self._columns = 0
        self._shift = -np.inf
        self._arrays: tuple[np.ndarray, ...] = ()

    def solve(self, payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        simplex = door.module("simplex")
        rows, columns = payoffs.shape
        lowest = float(payoffs.min())
        if self._rows == 0 or lowest + self._shift < _LEAST:
            self._shift = _LOWEST - lowest
            self._rows = self._columns = 0
        shifted = payoffs + self._shift
        row, column = np.empty(rows), np.empty(columns)
        if self._rows == 0:
            self._arrays = simplex.workspace(rows, columns)
            simplex.restart(*self._arrays, rows, columns, shifted)
        else:
            self._arrays = simplex.grown(*self._arrays, rows, columns)
            simplex.extend(*self._arrays, self._rows, self._columns, shifted)
        self._rows, self._columns = rows, columns
        _, _, certified = simplex.solve(*self._arrays, rows, columns, shifted, row, column)
        if not certified:
            raise UncertifiedSolution("the simplex found no equilibrium")
        return row, column


@solvers.register("compiled")
class Compiled(LPSolver):
    """A dense simplex in compiled code, warm from solve to solve."""

    install = door.INSTALL

    @classmethod
    def missing(cls) -> str | None:
        return door.missing()

    def session(self) -> Session:
        return _CompiledSession()

    def maximise(self, program: LinearProgram) -> tuple[np.ndarray, np.ndarray]:
        simplex = door.module("simplex")
        found = simplex.maximise(
            *(
                np.require(part, float, ["C", "W"])
                for part in (program.gains, program.matrix.toarray(), program.limits)
            )
        )
        if found is None:
            raise UncertifiedSolution("the simplex found no optimum")
        return found
