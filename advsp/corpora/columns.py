"""The lines of a column file: tokens, document marks and what stands between sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from advsp.corpora.text import WORD
from advsp.support.errors import InputError

#: What marks the beginning of a document.
DOCSTART = "-DOCSTART-"


class Line(NamedTuple):
    """A line of a token or of a document mark.

    Attributes
    ----------
    number: of the line, from 1.
    text: the whole line.
    cells: what stands in its columns.
    mark: whether it is a document mark, whose columns say nothing.
    """

    number: int
    text: str
    cells: tuple[str, ...]
    mark: bool


def column_lines(path: str | Path, lines: Iterable[str], hint: str) -> Iterator[Line | None]:
    """The lines of a column file; None for one that is blank and ends a sentence.

    Parameters
    ----------
    hint: how to mend a file whose lines differ in their number of columns.

    Raises
    ------
    InputError: a token with another number of columns than the first one.
    """
    width = first = 0
    for number, text in enumerate(lines, 1):
        if not text.strip():
            yield None
            continue
        cells = tuple(WORD.findall(text))
        mark = DOCSTART in cells
        if not mark:
            if not width:
                width, first = len(cells), number
            if len(cells) != width:
                raise InputError(
                    f"found {len(cells)} columns, expected {width} as in line {first}",
                    file=path,
                    line=number,
                    hint=hint,
                )
        yield Line(number, text, cells, mark)
