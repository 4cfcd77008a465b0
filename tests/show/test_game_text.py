"""Games as texts: the table has what the matrix has, and a pair of labellings is worked out."""

from __future__ import annotations

import numpy as np
import pytest
from show.tiny_games import GAMES

from advsp.show.full_game import write_out
from advsp.show.game_file import AerFile
from advsp.show.game_text import summary, table


@pytest.mark.parametrize("name", GAMES)
def test_table_has_what_the_matrix_has(name):
    shown = write_out(GAMES[name]()[0])
    head, *lines, last = table(shown)
    assert (head[0], head[-2:], last[0]) == ("", ["psi", "probability"], "probability")
    assert len({*head}) == len(head)
    assert len({line[0] for line in lines}) == len(lines)
    cells = np.array([[float(cell) for cell in line[1:-2]] for line in lines])
    np.testing.assert_allclose(cells, shown.matrix.payoffs.T, atol=6e-5)
    np.testing.assert_allclose([float(line[-2]) for line in lines], shown.matrix.potentials, atol=6e-5)
    for shares in ([line[-1] for line in lines], last[1:-2]):
        assert sum(float(share or 0.0) for share in shares) == pytest.approx(1.0, abs=1e-3)


def test_forbidden_labellings_are_left_out():
    shown = write_out(AerFile(game="aer", sure=[[0.0, -np.inf]], possible=[[-np.inf, 0.0]]))
    assert [line[0] for line in table(shown)[1:-1]] == ["NN", "NP", "SN", "SP"]


def test_pair_is_worked_out():
    description = AerFile(
        game="aer", sure=[[0.0, 0.0]], possible=[[0.0, 0.0]], pair={"gold": ["SN"], "proposed": ["AA"]}
    )
    assert "score (1 + 1) / (2 + 1) = 0.666667 = 2/3, AER 0.333333 = 1/3" in summary(write_out(description))


def test_pair_without_links_has_no_quotient():
    description = AerFile(game="aer", sure=[[0.0]], possible=[[0.0]], pair={"gold": ["P"], "proposed": ["N"]})
    assert "no link is proposed and none is sure: score 1, AER 0" in summary(write_out(description))
