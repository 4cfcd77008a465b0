"""Linear programs and matrix games by the project's own dense simplex, compiled (``advsp[fast]``)."""

from __future__ import annotations

import numpy as np

from advsp.engine.backends import door
from advsp.engine.lp import solvers
from advsp.engine.lp.base import LPSolver, Session
from advsp.engine.lp.program import LinearProgram, UncertifiedSolution
from advsp.support.arrays import Floats, Ints, plain

#: Where the lowest payoff is shifted to, and how low a later one may be: the simplex divides by them.
_LOWEST, _LEAST = 1.0, 0.5


#: A tableau and the names of its lines and columns (:mod:`advsp.kernels.simplex`).
_Tableau = tuple[Floats, Ints, Ints]


class _CompiledSession(Session):
    """Keeps the tableau of the last solve; begins anew where a payoff would come close to zero."""

    def __init__(self) -> None:
        self._rows = self._columns = 0
        self._shift = 0.0
        self._workspace: _Tableau | None = None

    def solve(self, payoffs: Floats) -> tuple[Floats, Floats]:
        simplex = door.module("simplex")
        rows, columns = payoffs.shape
        lowest = float(payoffs.min())
        if self._workspace is None or lowest + self._shift < _LEAST:
            self._shift = _LOWEST - lowest
            shifted = payoffs + self._shift
            workspace: _Tableau = simplex.workspace(rows, columns)
            simplex.restart(*workspace, rows, columns, shifted)
        else:
            shifted = payoffs + self._shift
            workspace = simplex.grown(*self._workspace, rows, columns)
            simplex.extend(*workspace, self._rows, self._columns, shifted)
        self._workspace, self._rows, self._columns = workspace, rows, columns
        row, column = np.empty(rows), np.empty(columns)
        _, _, certified = simplex.solve(*workspace, rows, columns, shifted, row, column)
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

    def maximise(self, program: LinearProgram) -> tuple[Floats, Floats]:
        simplex = door.module("simplex")
        found: tuple[Floats, Floats] | None = simplex.maximise(
            plain(program.gains), plain(program.matrix.toarray()), plain(program.limits)
        )
        if found is None:
            raise UncertifiedSolution("the simplex found no optimum")
        return found
