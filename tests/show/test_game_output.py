"""Where games go: tables fit the terminal, pipes get plain lines, files have the whole table."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from advsp.show.full_game import write_out
from advsp.show.game_file import EXAMPLES
from advsp.show.game_output import print_game, write_table
from advsp.show.game_text import table


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
