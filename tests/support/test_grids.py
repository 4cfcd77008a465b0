import numpy as np
import pytest

from advsp.features.bitext.grid import link_grid
from advsp.support.grids import OF_SOURCE, OF_TARGET, is_best, lead, neighbour

GRID = np.array([[5, 3, 1], [2, 2, 0]])


def test_links_become_cells():
    assert link_grid({(0, 1), (1, 0)}, (2, 3)).tolist() == [[False, True, False], [True, False, False]]
    assert not link_grid(frozenset(), (1, 1)).any()


@pytest.mark.parametrize("link", [(2, 0), (0, 3), (-1, 0), (0, -1)])
def test_a_link_outside_is_refused(link):
    with pytest.raises(ValueError, match="outside a sentence pair of 2 and 3 words"):
        link_grid({link}, (2, 3))


@pytest.mark.parametrize(
    ("rows", "columns", "expected"),
    [
        (0, 0, [[5, 3, 1], [2, 2, 0]]),
        (1, 1, [[2, 0, 0], [0, 0, 0]]),
        (-1, -1, [[0, 0, 0], [0, 5, 3]]),
        (1, -1, [[0, 2, 2], [0, 0, 0]]),
        (0, 1, [[3, 1, 0], [2, 0, 0]]),
        (2, 0, [[0, 0, 0], [0, 0, 0]]),
    ],
)
def test_neighbours_outside_are_zero(rows, columns, expected):
    assert neighbour(GRID, rows, columns).tolist() == expected


def test_lead_is_the_margin_over_the_best_other():
    assert lead(GRID, OF_SOURCE).tolist() == [[2, -2, -4], [0, 0, -2]]
    assert lead(GRID, OF_TARGET).tolist() == [[3, 1, 1], [-3, -1, -1]]


def test_without_others_nothing_is_taken_off():
    assert lead(np.array([[4], [7]]), OF_SOURCE).tolist() == [[4], [7]]


def test_the_best_are_those_that_none_exceeds_if_they_are_anything_at_all():
    assert is_best(GRID, OF_SOURCE).tolist() == [[True, False, False], [True, True, False]]
    assert is_best(np.zeros((2, 2)), OF_TARGET).tolist() == [[False, False], [False, False]]
