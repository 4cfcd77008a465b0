"""Matrix games through highspy, the basis kept while the game grows (extra ``advsp[highs]``)."""

from __future__ import annotations

import numpy as np

from advsp.lp import solvers
from advsp.lp.base import LPSolver, Session, UncertifiedSolution


class _HighsSession(Session):
    """Model: column 0 is the value v (free, cost 1); row 0 is sum q = 1; row i is A_i q - v <= 0."""

    def __init__(self) -> None:
        import highspy

        self._status = highspy.HighsModelStatus.kOptimal
        self._infinity = highspy.kHighsInf
        # The compiled class itself: its Python wrapper enables callbacks, which print a banner.
        self._model = model = highspy.Highs.__base__()
        for option, value in (
            ("output_flag", False),
            # The number of threads is process-wide in HiGHS and must not be touched; simplex is serial.
            ("solver", "simplex"),
            ("parallel", "off"),
            ("presolve", "off"),
            ("primal_feasibility_tolerance", 1e-10),
            ("dual_feasibility_tolerance", 1e-10),
        ):
            model.setOptionValue(option, value)
        none = np.empty(0, dtype=np.int32), np.empty(0)
        model.addCol(1.0, -self._infinity, self._infinity, 0, *none)
        model.addRow(1.0, 1.0, 0, *none)
        self._rows = self._columns = 0

    def solve(self, payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows, columns = payoffs.shape
        model = self._model
        old = np.arange(self._rows + 1, dtype=np.int32)
        for j in range(self._columns, columns):
            values = np.append(1.0, payoffs[: self._rows, j])
            model.addCol(0.0, 0.0, self._infinity, len(old), old, values)
        every = np.arange(columns + 1, dtype=np.int32)
        for i in range(self._rows, rows):
            model.addRow(-self._infinity, 0.0, len(every), every, np.append(-1.0, payoffs[i]))
        self._rows, self._columns = rows, columns
        model.run()
        if model.getModelStatus() != self._status:
            raise UncertifiedSolution(f"status {model.modelStatusToString(model.getModelStatus())}")
        solution = model.getSolution()
        column = np.asarray(solution.col_value)[1:]
        return np.abs(np.asarray(solution.row_dual)[1:]), column


@solvers.register("highs")
class Highs(LPSolver):
    """highspy: rows and columns are added to one model, which restarts from its last basis."""

    package = "highspy"
    install = 'pip install "advsp[highs]"'

    def session(self) -> Session:
        return _HighsSession()
