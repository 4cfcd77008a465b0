"""What L-BFGS remembers of the curvature: the last few steps, and how the gradient changed over them."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular

from advsp.support.arrays import Floats, Ints


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
    """

    def __init__(self, memory: int, size: int) -> None:
        self._steps, self._changes = np.empty((2, memory, size))
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
        np.dot(self._steps[:kept], vector, out=found[0, :kept])
        np.dot(self._changes[:kept], vector, out=found[1, :kept])
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
        found: Floats = weights[0] @ self._steps[: len(order)]
        found += weights[1] @ self._changes[: len(order)]
        found += scale * vector
        return found
