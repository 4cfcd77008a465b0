"""Games in full: what stands in the matrix, and both ways to its value, against plain enumeration."""

from __future__ import annotations

import numpy as np
import pytest
from show.tiny_games import GAMES

from advsp.show.full_game import CELLS, write_out
from advsp.show.game_file import AerFile, ChainFile, MatchingFile
from advsp.support.errors import InputError


@pytest.mark.parametrize("name", GAMES)
def test_matrix_and_both_values_are_those_of_enumeration(name):
    description, full = GAMES[name]()
    shown = write_out(description)
    assert [tuple(row) for row in shown.matrix.predictions.tolist()] == list(full.predictions)
    assert [tuple(row) for row in shown.matrix.actuals.tolist()] == list(full.actuals)
    assert description.sizes() == full.payoffs.shape
    np.testing.assert_allclose(shown.matrix.payoffs, full.payoffs, atol=1e-12)
    assert shown.matrix.solution.value == pytest.approx(full.value, abs=1e-7)
    assert shown.equilibrium.value == pytest.approx(full.value, abs=1e-7)
    assert shown.equilibrium.gap <= 1e-9


def test_game_without_any_labelling_is_refused():
    nothing = ChainFile(game="chain", tags=["A", "B"], target="B", unary=[[-np.inf, -np.inf]])
    with pytest.raises(InputError, match="no tag sequences are left"):
        write_out(nothing)


@pytest.mark.parametrize(
    ("largest", "larger", "said"),
    [
        pytest.param(
            [1, 4], [1, 5], r"7,776 payoffs \(32 predictions x 243 alignments\).* 4 edges", id="aer"
        ),
        pytest.param([3, 3], [3, 4], r"\(73 predictions x 361 matchings\).* 3 and 3 words", id="matching"),
        pytest.param([4, 4], [5, 4], r"32,768 .* up to 4 words fit with 4 tags", id="chain"),
    ],
)
def test_size_is_refused_above_what_the_message_says(largest, larger, said, request):
    make = {
        "aer": lambda grid: AerFile(game="aer", sure=grid, possible=grid),
        "matching": lambda grid: MatchingFile(game="matching", sure=grid, possible=grid),
        "chain": lambda grid: ChainFile(game="chain", tags=list("ABCD"), target="A", unary=grid),
    }[request.node.callspec.id]
    rows, columns = make(np.zeros(largest).tolist()).sizes()
    assert rows * columns <= CELLS
    with pytest.raises(InputError, match=said):
        write_out(make(np.zeros(larger).tolist()))


def test_game_of_thousands_of_words_is_refused_at_once():
    with pytest.raises(InputError, match="over 1e[+]300 payoffs"):
        write_out(ChainFile(game="chain", tags=["A", "B"], target="A", unary=[[0.0, 0.0]] * 5000))
