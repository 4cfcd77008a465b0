"""Matrix games through PuLP and CBC: the reference backend."""

from __future__ import annotations

import tempfile
import warnings

import numpy as np

from advsp.lp import solvers
from advsp.lp.base import LPSolver, Session, UncertifiedSolution


class _PulpSession(Session):
    def solve(self, payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        import pulp

        # Shifted so that every payoff is at least one, the value needs no negative range.
        shifted = payoffs - payoffs.min() + 1.0
        with tempfile.TemporaryDirectory(prefix="advsp-cbc-") as folder, warnings.catch_warnings():
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
            solver = pulp.PULP_CBC_CMD(msg=False, presolve=False)
            solver.tmpDir = folder
            try:
                status = problem.solve(solver)
            except pulp.PulpSolverError as error:
                raise UncertifiedSolution(f"CBC broke down: {error}") from error
        if status != pulp.LpStatusOptimal or any(q.varValue is None for q in column):
            raise UncertifiedSolution(f"status {pulp.LpStatus[status]}")
        # The sign of a dual differs between solvers; the certificate judges the result.
        row = np.abs([constraint.pi or 0.0 for constraint in constraints])
        return row / max(row.sum(), 1e-300), np.array([q.varValue for q in column])


@solvers.register("pulp-cbc")
class PulpCbc(LPSolver):
    """PuLP with its bundled CBC, one private temporary folder per solve."""

    # CBC answers in a text file of eight significant digits.
    tolerance = 1e-5
    package = "pulp"
    install = 'pip install "pulp>=3.3.2,<4"'

    def session(self) -> Session:
        return _PulpSession()

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
