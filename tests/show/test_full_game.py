"""Games written out: what stands in the matrix, and both ways to its value, against plain enumeration."""

from __future__ import annotations

import io

import brute_force
import numpy as np
import pytest
from rich.console import Console

from advsp.show.full_game import CELLS, print_game, summary, table, write_out, write_table
from advsp.show.game_file import EXAMPLES, AerFile, ChainFile, MatchingFile
from advsp.support.errors import InputError

COST = {"AN": 1.5, "AP": 0.25, "AS": 0.0, "NN": 0.0, "NP": 0.5, "NS": 2.0}


def numbers(*shape: int) -> list:
    return np.random.default_rng(sum(shape)).normal(size=shape).tolist()


def chain(words: int, tags: int, **options):
    unary, pairwise, start = numbers(words, tags), numbers(tags, tags), numbers(tags)
    description = ChainFile(
        game="chain",
        tags=list("ABCD"[:tags]),
        target="B",
        unary=unary,
        pairwise=pairwise,
        start=start,
        **options,
    )
    return description, brute_force.chain_game(unary, np.array(pairwise), 1, start, **options)


def edges(kind: type, rows: int, columns: int):
    sure, possible = numbers(rows, columns), numbers(columns, rows)
    possible = np.array(possible).T.tolist()
    flat = np.ravel(sure), np.ravel(possible)
    if kind is AerFile:
        return AerFile(game="aer", sure=sure, possible=possible), brute_force.aer_game(*flat)
    description = MatchingFile(game="matching", sure=sure, possible=possible, cost=COST)
    return description, brute_force.matching_game(*flat, (rows, columns), COST)


GAMES = {
    "one word": lambda: chain(1, 2),
    "chain": lambda: chain(3, 3),
    "chain, beta": lambda: chain(4, 2, beta=2.0),
    "one edge": lambda: edges(AerFile, 1, 1),
    "AER": lambda: edges(AerFile, 1, 3),
    "AER, grid": lambda: edges(AerFile, 2, 2),
    "matching": lambda: edges(MatchingFile, 2, 3),
}


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


def test_pair_is_worked_out():
    description = AerFile(
        game="aer", sure=[[0.0, 0.0]], possible=[[0.0, 0.0]], pair={"gold": ["SN"], "proposed": ["AA"]}
    )
    assert "score (1 + 1) / (2 + 1) = 0.666667 = 2/3, AER 0.333333 = 1/3" in summary(write_out(description))


def test_pair_without_links_has_no_quotient():
    description = AerFile(game="aer", sure=[[0.0]], possible=[[0.0]], pair={"gold": ["P"], "proposed": ["N"]})
    assert "no link is proposed and none is sure: score 1, AER 0" in summary(write_out(description))


def printed(name: str, width: int, terminal: bool) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=terminal, color_system=None)
    print_game(write_out(EXAMPLES[name]), console)
    return console.file.getvalue()


def test_terminal_that_is_too_narrow_gets_several_tables():
    narrow, wide = printed("chain", 80, terminal=True), printed("chain", 200, terminal=True)
    assert (narrow.count("psi  "), wide.count("psi  ")) == (3, 1)
    tables = [line for line in narrow.splitlines() if not line.startswith(("F1", "rows", "by", "diff"))]
    assert max(map(len, tables)) <= 80
    for line in table(write_out(EXAMPLES["chain"])):
        assert all(cell in narrow and cell in wide for cell in line)


def test_pipe_gets_lines_of_any_length_and_no_frames():
    text = printed("chain", 20, terminal=False)
    assert text.isascii()
    assert "PER PER PER    -5/4     -3/4     -3/4      -9/20     -3/4      -9/20      -9/20" in text


@pytest.mark.parametrize("name", ["a.csv", "new/A.MD"])
def test_table_as_file(tmp_path, name):
    shown = write_out(EXAMPLES["table1"])
    write_table(shown, tmp_path / name)
    lines = (tmp_path / name).read_text().splitlines()
    parted = [line.split(",") for line in lines]
    if name.endswith("MD"):
        parted = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        assert parted.pop(1) == [":--"] + ["--:"] * 6
    assert parted == table(shown)
