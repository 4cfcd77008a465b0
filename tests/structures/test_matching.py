"""Bipartite matchings."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.measures.base import AdditiveCosts
from advsp.structures.matching import BipartiteMatching

NO_COST = AdditiveCosts(np.zeros((6, 2)))


def test_best_matching_may_leave_the_single_best_link_out():
    # The best link, 5, blocks both links of 4.
    potentials = np.zeros((4, 2))
    potentials[:, 1] = [5.0, 4.0, 4.0, 0.0]
    assert BipartiteMatching(potentials, (2, 2)).best().tolist() == [0, 1, 1, 0]


def test_links_that_lose_are_not_made():
    potentials = np.zeros((6, 2))
    potentials[:, 1] = -1.0
    response = BipartiteMatching(potentials, (2, 3)).respond(NO_COST)
    assert (response.labelling.tolist(), response.cost) == ([0] * 6, 0.0)


def test_edges_must_fill_the_grid():
    with pytest.raises(ValueError, match=r"6 edges do not fill a grid of \(2, 2\)"):
        BipartiteMatching(np.zeros((6, 2)), (2, 2))
