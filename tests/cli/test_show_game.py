"""``advsp show-game``: the paper's tiny games in print, games from files, and how it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from engine.test_game import TABLE_1

from advsp.show.game_file import EXAMPLES

LINES = [line.split() for line in TABLE_1.strip().splitlines()]


@pytest.fixture
def show(command, tmp_path, monkeypatch):
    """Run the command in an empty folder, on a file of these lines if it is given some."""
    monkeypatch.chdir(tmp_path)

    def run(game, *arguments, content: str | None = None):
        if content is not None:
            Path(game).write_text(content)
        return command("show-game", game, *arguments)

    return run


# ---- what it shows


def test_table_1_is_printed_cell_by_cell(show):
    outcome = show("table1")
    assert (outcome.code, outcome.err) == (0, "")
    lines = [line.split() for line in outcome.out.splitlines()]
    head = lines.index([*LINES[0], "psi", "probability"])
    for found, line in zip(lines[head + 1 : head + 10], LINES[1:], strict=True):
        assert found[:6] == [*line, "0"]
    assert lines[head + 10][0] == "probability"


def test_value_of_table_1_is_found_in_two_ways(show):
    out = show("table1").out
    assert "by the double oracle: value 0.400000 = 2/5, gap " in out
    assert "by the whole matrix: value 0.400000 = 2/5, gap " in out
    assert float(out.split("difference of the values: ")[1]) < 1e-9


def test_figure_has_an_aer_of_5_13(show):
    outcome = show("figure")
    assert (outcome.code, outcome.err) == (0, "")
    assert "score (3 + 5) / (7 + 6) = 0.615385 = 8/13, AER 0.384615 = 5/13" in outcome.out
    # The size that the paper names, (2 * 3) ** 40.
    assert "it has 1.1e+12 x 1.2e+19 = 1.3e+31 payoffs" in outcome.out
    # What the caption fixes of either sequence.
    pair = EXAMPLES["figure"].pair
    gold, proposed = "".join(pair.gold), "".join(pair.proposed)
    assert (len(gold), gold[:9], gold[-4:]) == (40, "SNNNNNNNN", "NPSP")
    assert (len(proposed), proposed[:9], proposed[-4:]) == (40, "ANNNNNNNN", "NNNA")


@pytest.mark.parametrize("name", ["chain", "matching"])
def test_other_examples(show, name):
    outcome = show(name)
    assert (outcome.code, outcome.err) == (0, "")
    assert float(outcome.out.split("difference of the values: ")[1]) < 1e-9


def test_game_of_a_file(show):
    # A sure link is worth 2 to the adversary, whatever it scores; a possible one is forbidden.
    outcome = show("mine.yaml", content="game: aer\nsure: [[2]]\npossible: [[-.inf]]\n")
    assert outcome.out.splitlines()[2:6] == [
        "              N       A  psi  probability",
        "N             1       0    0",
        "S            -2      -1    2       1.0000",
        "probability      1.0000",
    ]
    assert "by the whole matrix: value -1.000000, gap " in outcome.out


def test_output(show):
    expected = show("table1").out
    outcome = show("table1", "--output", "t.csv")
    assert (outcome.code, outcome.out, outcome.err) == (0, f"{expected}wrote t.csv\n", "")
    assert Path("t.csv").read_text().splitlines()[2].startswith("NP,1,1,0,1/2,0,")


def test_help_shows_the_way(command):
    outcome = command("show-game", "--help")
    assert outcome.code == 0
    for way in ("table1", "figure", "mine.yaml --output mine.md", "sure: [[0.5, 0]]"):
        assert way in outcome.out
    assert "show-game" in command("--help").out


# ---- how it refuses


AER = "game: aer\nsure: [[0, 0]]\n"
CHAIN = "game: chain\ntags: [A, B]\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param("- aer\n", "a.yaml:1: expected a mapping of keys to values", id="list"),
        pytest.param("", "a.yaml:1: expected a mapping of keys to values", id="empty"),
        pytest.param("game: [\n", "a.yaml:2: not YAML: ", id="not YAML"),
        pytest.param("sure: [[0]]\n", "a.yaml: game: is missing (one of chain, aer, matching)", id="no kind"),
        pytest.param("game: go\n", "a.yaml:1: game: found 'go', expected chain, aer, matching", id="kind"),
        pytest.param("game: [aer]\n", "a.yaml:1: game: found ['aer'], expected chain, ", id="kind is a list"),
        pytest.param(AER, "a.yaml: possible: is missing", id="missing key"),
        pytest.param(
            AER + "posible: [[0, 0]]\n", "a.yaml:3: posible: unknown key (did you mean possible?)", id="key"
        ),
        pytest.param(AER + "possible: [[0]]\n", "a.yaml:3: possible.0: has 1 entry, expected 2", id="shape"),
        pytest.param(
            AER + "possible:\n- [0, 0]\n- [0, 0]\n", "a.yaml:3: possible: has 2 rows, expected 1", id="rows"
        ),
        pytest.param(
            AER + "possible: [[0, x]]\n", "a.yaml:3: possible.0.1: found 'x', expected a number", id="text"
        ),
        pytest.param(
            AER + "possible: [[0, .inf]]\n", "a.yaml:3: possible.0.1: found inf, expected a number", id="inf"
        ),
        pytest.param(
            AER + "possible: [[0, 1e300]]\n", "a.yaml:3: possible.0.1: found 1e+300, expected a ", id="huge"
        ),
        pytest.param(
            AER + "possible: [[0, 0]]\npair: {gold: [SS], proposed: [A]}\n",
            "a.yaml:4: pair.proposed.0: has 1 entry, expected 2",
            id="pair",
        ),
        pytest.param(
            AER + "possible: [[0, 0]]\npair: {gold: [SX], proposed: [AA]}\n",
            "a.yaml:4: pair.gold.0: found 'X' in 'SX', expected ",
            id="letters of a pair",
        ),
        pytest.param(
            "game: matching\nsure: [[0]]\npossible: [[0]]\ncost: {AM: 1}\n",
            "a.yaml:4: cost.AM: unknown key (known: AN, AP, AS, NN, NP, NS)",
            id="cost",
        ),
        pytest.param(
            CHAIN + "target: C\nunary: [[0, 0]]\n",
            "a.yaml:3: target: found 'C', expected one of A, B",
            id="target",
        ),
        pytest.param(
            CHAIN + "target: A\nunary: [[0, 0]]\npairwise: [[0, 0], [0]]\n",
            "a.yaml:5: pairwise.1: has 1 entry, expected 2",
            id="pairwise",
        ),
        pytest.param(
            CHAIN + "target: A\nunary: [[0, 0]]\nstart: [0]\n",
            "a.yaml:5: start: has 1 entry, expected 2",
            id="start",
        ),
        pytest.param(
            CHAIN + "target: A\nunary: [[0, 0]]\nbeta: 0\n",
            "a.yaml:5: beta: found 0, expected greater than 0",
            id="beta",
        ),
        pytest.param(
            "game: chain\ntags: [A, A]\ntarget: A\nunary: [[0, 0]]\n",
            "a.yaml:2: tags: a tag stands twice",
            id="tags",
        ),
        pytest.param(
            "game: aer\nsure: [[0, 0, 0, 0, 0]]\npossible: [[0, 0, 0, 0, 0]]\n",
            "a.yaml: the whole matrix has 7,776 payoffs (32 predictions x 243 alignments), at most 5000 are "
            "shown (alignments of up to 4 edges fit)",
            id="too large",
        ),
    ],
)
def test_file_that_is_no_game(show, content, said):
    outcome = show("a.yaml", content=content)
    assert outcome.out == ""
    assert outcome.complaint.startswith(said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["table2"],
            "table2: no such file, and no example of that name (examples: table1, figure, chain, matching)",
        ),
        (["."], ".: is a folder, expected a YAML file"),
        (["table1", "--output", "t.pdf"], "t.pdf: unknown kind of table '.pdf' (known: .csv, .md)"),
        (["figure", "--output", "t.csv"], "the matrix of 1.3e+31 payoffs cannot be written out (leave out"),
    ],
)
def test_call_that_makes_no_sense(show, arguments, said):
    outcome = show(*arguments)
    assert outcome.out == ""
    assert outcome.complaint.startswith(said)
    assert not list(Path().iterdir())
