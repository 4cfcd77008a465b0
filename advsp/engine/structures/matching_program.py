"""The best response over bipartite matchings as a linear program (section 3.4 of the paper)."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_array

from advsp.engine.lp import maximise
from advsp.engine.lp.program import LinearProgram, UncertifiedSolution
from advsp.support.arrays import Floats, Labels

#: How far a solver's rounding may move the corners of the polytope of matchings, all of them 0 or 1.
_ROUNDING = 1e-4


def matching_by_program(savings: Floats, shape: tuple[int, int], lp: str = "auto") -> Labels:
    """The matching of the highest total saving, int8 [n_e * n_f]: 0 for no link, 1 + l for a link of kind l.

    Maximises sum_el savings[e, l] x_el over x >= 0 where the links of every word add up to at most 1.  Such
    constraints, those of a bipartite graph, are totally unimodular: the vertices are the matchings.

    Parameters
    ----------
    savings: float [n_e * n_f, k], what a link of kind l saves at an edge against no link, row-major over
        (e, f); minus infinity forbids it.
    shape: (n_e, n_f).
    lp: registered LP solver, or ``"auto"``.

    Raises
    ------
    InputError: unknown or missing LP solver.
    UncertifiedSolution: no solver finds a certified optimum that is a matching.
    """
    matching = np.zeros(len(savings), dtype=np.int8)
    edges, kinds = np.nonzero(np.isfinite(savings))
    if not len(edges):
        return matching
    rows, columns = np.divmod(edges, shape[1])
    every = np.arange(len(edges))
    words = np.concatenate([rows, shape[0] + columns])
    ones = np.ones(2 * len(edges))
    matrix = csc_array((ones, (words, np.concatenate([every, every]))), shape=(sum(shape), len(edges)))
    point = maximise(LinearProgram(savings[edges, kinds], matrix, np.ones(sum(shape))), lp).point
    made = point > 0.5
    if np.abs(point - made).max() > _ROUNDING:
        raise UncertifiedSolution("the optimum is a mixture of matchings, not one of them")
    matching[edges[made]] = 1 + kinds[made]
    return matching
