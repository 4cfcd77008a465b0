"""Linear programs and matrix games through highspy, which keeps a growing game's basis (``advsp[highs]``)."""

from __future__ import annotations

import numpy as np

from advsp.engine.lp import solvers
from advsp.engine.lp.base import LPSolver, Session, UncertifiedSolution
from advsp.engine.lp.program import LinearProgram

#: The column of a variable, or the row of a constraint, that no other one shares yet.
_EMPTY = np.empty(0, dtype=np.int32), np.empty(0)


class _Model:
    """An empty model of HiGHS, silent and serial; minimises.

    Attributes
    ----------
    highs: the model itself.
    infinity: what HiGHS takes for no bound.
    """

    def __init__(self) -> None:
        import highspy

        self._optimal = highspy.HighsModelStatus.kOptimal
        self.infinity = highspy.kHighsInf
        # The compiled class itself: its Python wrapper enables callbacks, which print a banner.
        self.highs = highspy.Highs.__base__()
        for option, value in (
            ("output_flag", False),
            # The number of threads is process-wide in HiGHS and must not be touched; simplex is serial.
            ("solver", "simplex"),
            ("parallel", "off"),
            ("presolve", "off"),
            ("primal_feasibility_tolerance", 1e-10),
            ("dual_feasibility_tolerance", 1e-10),
        ):
            self.highs.setOptionValue(option, value)

    def solve(self) -> tuple[np.ndarray, np.ndarray]:
        """Values of the columns and duals of the rows at the optimum.

        Raises
        ------
        UncertifiedSolution: HiGHS reports none.
        """
        self.highs.run()
        status = self.highs.getModelStatus()
        if status != self._optimal:
            raise UncertifiedSolution(f"status {self.highs.modelStatusToString(status)}")
        solution = self.highs.getSolution()
        return np.asarray(solution.col_value), np.asarray(solution.row_dual)


class _HighsSession(Session):
    """Model: column 0 is the value v (free, cost 1); row 0 is sum q = 1; row i is A_i q - v <= 0."""

    def __init__(self) -> None:
        self._model = _Model()
        infinity = self._model.infinity
        self._model.highs.addCol(1.0, -infinity, infinity, 0, *_EMPTY)
        self._model.highs.addRow(1.0, 1.0, 0, *_EMPTY)
        self._rows = self._columns = 0

    def solve(self, payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows, columns = payoffs.shape
        highs, infinity = self._model.highs, self._model.infinity
        old = np.arange(self._rows + 1, dtype=np.int32)
        for j in range(self._columns, columns):
            values = np.append(1.0, payoffs[: self._rows, j])
            highs.addCol(0.0, 0.0, infinity, len(old), old, values)
        every = np.arange(columns + 1, dtype=np.int32)
        for i in range(self._rows, rows):
            highs.addRow(-infinity, 0.0, len(every), every, np.append(-1.0, payoffs[i]))
        self._rows, self._columns = rows, columns
        values, duals = self._model.solve()
        return np.abs(duals[1:]), values[1:]


@solvers.register("highs")
class Highs(LPSolver):
    """highspy: rows and columns are added to one model, which restarts from its last basis."""

    package = "highspy"
    install = 'pip install "advsp[highs]"'

    def session(self) -> Session:
        return _HighsSession()

    def maximise(self, program: LinearProgram) -> tuple[np.ndarray, np.ndarray]:
        model, matrix = _Model(), program.matrix
        for limit in program.limits:
            model.highs.addRow(-model.infinity, limit, 0, *_EMPTY)
        for j, gain in enumerate(program.gains):
            entries = slice(matrix.indptr[j], matrix.indptr[j + 1])
            rows = matrix.indices[entries].astype(np.int32)
            model.highs.addCol(-gain, 0.0, model.infinity, len(rows), rows, matrix.data[entries])
        point, duals = model.solve()
        return point, -duals
