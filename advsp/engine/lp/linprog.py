"""Linear programs and matrix games through scipy's linprog (HiGHS): always installed."""

from __future__ import annotations

import numpy as np
from scipy.optimize import OptimizeResult, linprog

from advsp.engine.lp import solvers
from advsp.engine.lp.base import LPSolver, Session, UncertifiedSolution
from advsp.engine.lp.program import LinearProgram


class _LinprogSession(Session):
    def solve(self, payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows, columns = payoffs.shape
        # min v  subject to  A q - v <= 0,  sum q = 1,  q >= 0; the row mixture is the dual.
        result = _linprog(
            c=np.append(np.zeros(columns), 1.0),
            A_ub=np.hstack([payoffs, -np.ones((rows, 1))]),
            b_ub=np.zeros(rows),
            A_eq=np.append(np.ones(columns), 0.0)[None, :],
            b_eq=[1.0],
            bounds=[(0.0, None)] * columns + [(None, None)],
        )
        return -result.ineqlin.marginals, result.x[:columns]


def _linprog(**problem) -> OptimizeResult:
    """The solution of a minimisation problem by the dual simplex method.

    Raises
    ------
    UncertifiedSolution: there is none.
    """
    options = {
        "presolve": False,
        "primal_feasibility_tolerance": 1e-10,
        "dual_feasibility_tolerance": 1e-10,
    }
    result = linprog(**problem, method="highs-ds", options=options)
    if result.x is None:
        raise UncertifiedSolution(f"no solution ({result.message})")
    return result


@solvers.register("linprog")
class Linprog(LPSolver):
    """scipy.optimize.linprog, HiGHS dual simplex, solved anew each time."""

    def session(self) -> Session:
        return _LinprogSession()

    def maximise(self, program: LinearProgram) -> tuple[np.ndarray, np.ndarray]:
        result = _linprog(c=-program.gains, A_ub=program.matrix, b_ub=program.limits, bounds=(0.0, None))
        return result.x, -result.ineqlin.marginals
