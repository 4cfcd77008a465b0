"""What L-BFGS remembers of the curvature: the last few steps, and how the gradient changed over them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import numpy as np
from scipy.linalg import solve_triangular

from advsp.support.arrays import Floats, Ints

#: How corrections can be kept.
Precision = Literal["double", "single"]
_KINDS = dict(zip(get_args(Precision), (np.float64, np.float32), strict=True))
#: Columns of single precision that are made double at a time: few enough that they take little memory.
_STRIP = 65_536


class Corrections:
    """The inverse of the Hessian as the last ``memory`` corrections have it, in compact form.

    With steps S [k, n], changes of the gradient Y [k, n], R the upper triangle of S Y^T and D its diagonal,

        H = gamma I + [S^T, gamma Y^T] [[R^-T (D + gamma Y Y^T) R^-1, -R^-T], [-R^-1, 0]] [S; gamma Y]

    (Byrd, Nocedal & Schnabel, 1994, theorem 2.2).  It is the matrix that the two loops of Nocedal (1980)
    apply, but S and Y are read twice, once for products with a vector and once for a sum, by BLAS.

    Parameters
    ----------
    memory: number of corrections that are kept; older ones are forgotten.
    size: length n of a vector.
    precision: in which S and Y are kept.  Single takes half the memory and rounds H by as much; products,
        sums and tables are of double precision either way.
    """

    def __init__(self, memory: int, size: int, precision: Precision = "double") -> None:
        self._steps, self._changes = np.empty((2, memory, size), dtype=_KINDS[precision])
        # Where strips of corrections are made double.
        self._strip = np.empty((memory, _STRIP if precision == "single" else 0))
        # Row and column of a correction in the tables are that of its vectors, in whatever order they came.
        self._mixed, self._squared = np.zeros((2, memory, memory))
        self._order: list[int] = []

    def __len__(self) -> int:
        """Number of corrections."""
        return len(self._order)

    def clear(self) -> None:
        """Forget all corrections."""
        self._order = []

    def products(self, vector: Floats) -> Floats:
        """Products of all steps and of all changes with a vector [n], float [2, memory]."""
        kept = len(self._order)
        found = np.zeros((2, len(self._steps)))
        for number, rows in enumerate((self._steps, self._changes)):
            for columns, strip in self._strips(rows):
                found[number, :kept] += strip @ vector[columns]
        return found

    def add(self, step: Floats, change: Floats, products: Floats) -> int:
        """Remember a correction, in place of the oldest one if there are too many; its row is returned.

        Parameters
        ----------
        step, change: float [n], whose product must be positive.
        products: those of the corrections kept so far with ``change``, see :meth:`products`.
        """
        row = self._order.pop(0) if len(self._order) == len(self._steps) else len(self._order)
        self._steps[row], self._changes[row] = step, change
        self._mixed[:, row], self._squared[:, row] = products
        self._squared[row] = products[1]
        self._mixed[row, row], self._squared[row, row] = step @ change, change @ change
        self._order.append(row)
        return row

    def solve(self, vector: Floats, products: Floats) -> Floats:
        """H times a vector [n], of which ``products`` are the products."""
        if not self._order:
            return vector.copy()
        order: Ints = np.array(self._order)
        steps, changes = products[:, order]
        mixed, squared = (table[np.ix_(order, order)] for table in (self._mixed, self._squared))
        scale = mixed[-1, -1] / squared[-1, -1]
        # Only the upper triangle is looked at: steps with later changes.
        below = solve_triangular(mixed, steps)
        above = solve_triangular(
            mixed, np.diag(mixed) * below + scale * (squared @ below - changes), trans="T"
        )
        weights = np.zeros((2, len(order)))
        weights[:, order] = above, -scale * below
        found = np.zeros(len(vector))
        for factors, rows in zip(weights, (self._steps, self._changes), strict=True):
            for columns, strip in self._strips(rows):
                found[columns] += factors @ strip
        found += scale * vector
        return found

    def _strips(self, rows: Floats) -> Iterator[tuple[slice, Floats]]:
        """Columns of the corrections kept, of double precision: all at once, or strip by strip."""
        kept, size = len(self._order), rows.shape[1]
        if rows.dtype == float:
            yield slice(size), rows[:kept]
            return
        for first in range(0, size, _STRIP):
            columns = slice(first, min(first + _STRIP, size))
            strip = self._strip[:kept, : columns.stop - first]
            np.copyto(strip, rows[:kept, columns])
            yield columns, strip
