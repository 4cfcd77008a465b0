"""Linear programs and matrix games through PuLP and CBC: the reference backend."""

from __future__ import annotations

import tempfile
import warnings

import numpy as np

from advsp.engine.lp import solvers
from advsp.engine.lp.base import LPSolver, Session, UncertifiedSolution
from advsp.engine.lp.program import LinearProgram


class _PulpSession(Session):
    def solve(self, payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        import pulp

        # Shifted so that every payoff is at least one, the value needs no negative range.
        shifted = payoffs - payoffs.min() + 1.0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            problem = pulp.LpProblem("matrix_game", pulp.LpMinimize)
            value = pulp.LpVariable("v", lowBound=0.0)
            column = [pulp.LpVariable(f"q{j}", lowBound=0.0) for j in range(payoffs.shape[1])]
            problem += pulp.LpAffineExpression([(value, 1.0)])
            problem += pulp.lpSum(column) == 1.0, "mass"
            constraints = []
            for payoff in shifted.tolist():
                terms = [*zip(column, payoff), (value, -1.0)]
                constraints.append(pulp.LpAffineExpression(terms) <= 0.0)
                problem += constraints[-1]
            mixture, row = _solve(problem, column, constraints)
        return row / max(row.sum(), 1e-300), mixture


def _solve(problem, variables: list, constraints: list) -> tuple[np.ndarray, np.ndarray]:
    """Values of the variables and sizes of the constraints' duals at the optimum that CBC finds.

    Raises
    ------
    UncertifiedSolution: CBC breaks down, or reports no optimum.
    """
    import pulp

    with tempfile.TemporaryDirectory(prefix="advsp-cbc-") as folder:
        solver = pulp.PULP_CBC_CMD(msg=False, presolve=False)
        solver.tmpDir = folder
        try:
            status = problem.solve(solver)
        except pulp.PulpSolverError as error:
            raise UncertifiedSolution(f"CBC broke down: {error}") from error
    if status != pulp.LpStatusOptimal or any(variable.varValue is None for variable in variables):
        raise UncertifiedSolution(f"status {pulp.LpStatus[status]}")
    # The sign of a dual differs between solvers; the certificate judges the result.
    duals = np.abs([constraint.pi or 0.0 for constraint in constraints])
    return np.array([variable.varValue for variable in variables]), duals


@solvers.register("pulp-cbc")
class PulpCbc(LPSolver):
    """PuLP with its bundled CBC, one private temporary folder per solve."""

    # CBC answers in a text file of eight significant digits.
    tolerance = 1e-5
    package = "pulp"
    install = 'pip install "pulp>=3.3.2,<4"'

    def session(self) -> Session:
        return _PulpSession()

    def maximise(self, program: LinearProgram) -> tuple[np.ndarray, np.ndarray]:
        import pulp

        rows = program.matrix.tocsr()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            problem = pulp.LpProblem("linear_program", pulp.LpMinimize)
            point = [pulp.LpVariable(f"x{j}", lowBound=0.0) for j in range(program.gains.size)]
            problem += pulp.LpAffineExpression(list(zip(point, (-program.gains).tolist())))
            constraints = []
            for i, limit in enumerate(program.limits.tolist()):
                entries = slice(rows.indptr[i], rows.indptr[i + 1])
                terms = [(point[j], a) for j, a in zip(rows.indices[entries], rows.data[entries].tolist())]
                constraints.append(pulp.LpAffineExpression(terms) <= limit)
                problem += constraints[-1]
            return _solve(problem, point, constraints)

    @classmethod
    def missing(cls) -> str | None:
        reason = super().missing()
        if reason is not None:
            return reason
        import pulp

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = pulp.PULP_CBC_CMD(msg=False).available()
        if not found:
            return "PuLP finds no CBC program that runs on this processor"
        return None
