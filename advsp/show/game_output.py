"""Where a game that is written out goes: a terminal, a pipe, or a file of its table."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from advsp.show.full_game import CELLS, ShownGame, size_text
from advsp.show.game_text import summary, table
from advsp.support.errors import InputError
from advsp.support.files import atomic

#: How the names of files may end that a matrix is written to.
FORMATS = (".csv", ".md")


def print_game(shown: ShownGame, console: Console) -> None:
    """Print a game: a table on a terminal, aligned plain text where there is none."""
    title = " ".join(shown.description.title.split())
    if title:
        _say(console, title)
    if shown.matrix is not None:
        _say(console, "rows: adversary, columns: predictor, cells: score - psi(row)")
        lines = table(shown)
        if console.is_terminal:
            for part in _parts(lines, console.width):
                console.print(_rich(part))
        else:
            _say(console, "\n" + "\n".join(_plain(lines)) + "\n")
    else:
        _say(console, "")
    for line in summary(shown):
        _say(console, line)


def _say(console: Console, text: str) -> None:
    console.print(text, soft_wrap=True, highlight=False, markup=False, emoji=False)


def _plain(lines: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns; the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join([f"{line[0]:{widths[0]}}", *map(str.rjust, line[1:], widths[1:])]).rstrip()
        for line in lines
    ]


def _parts(lines: list[list[str]], width: int) -> list[list[list[str]]]:
    """The table in as many parts as ``width`` asks for: the first column and the last two stand in each."""
    widths = [max(map(len, column)) + 2 for column in zip(*lines, strict=True)]
    columns = max(1, (width - 2 - widths[0] - sum(widths[-2:])) // max(widths[1:-2]))
    inner = len(widths) - 3
    return [
        [[line[0], *line[1 + first : 1 + min(first + columns, inner)], *line[-2:]] for line in lines]
        for first in range(0, inner, columns)
    ]


def _rich(lines: list[list[str]]) -> Table:
    """Lines as a table; labellings that are played stand out."""
    drawn = Table(box=SIMPLE_HEAD, header_style="bold", pad_edge=False)
    for place, head in enumerate(lines[0]):
        style = "cyan" if lines[-1][place] and place else None
        drawn.add_column(Text(head), justify="right" if place else "left", no_wrap=True, style=style)
    for line in lines[1:-1]:
        drawn.add_row(*map(Text, line), style="bold" if line[-1] else None)
    drawn.add_section()
    drawn.add_row(*map(Text, lines[-1]))
    return drawn


def check_output(path: Path) -> None:
    """Refuse a file of another kind.

    Raises
    ------
    InputError: its name ends with none of :data:`FORMATS`.
    """
    if path.suffix.lower() not in FORMATS:
        raise InputError(f"unknown kind of table {path.suffix!r}", file=path, hint="known: .csv, .md")


def write_table(shown: ShownGame, path: Path) -> None:
    """Write the matrix to a file, CSV or Markdown by the suffix of ``path``; atomically.

    Raises
    ------
    InputError: another suffix; a game without its matrix; the file cannot be written.
    """
    check_output(path)
    if shown.matrix is None:
        rows, columns = shown.description.sizes()
        problem = f"the matrix of {size_text(rows * columns)} payoffs cannot be written out"
        raise InputError(problem, hint=f"leave out --output, or make the game smaller: at most {CELLS}")
    lines = table(shown)
    try:
        with atomic(path) as stream:
            if path.suffix.lower() == ".csv":
                csv.writer(stream, lineterminator="\n").writerows(lines)
            else:
                align = [":--", *["--:"] * (len(lines[0]) - 1)]
                stream.writelines(f"| {' | '.join(line)} |\n" for line in (lines[0], align, *lines[1:]))
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=path) from None
