"""The lines of a column file: tokens, document marks and what stands between sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from advsp.corpora.text import WORD
from advsp.support.errors import InputError
from advsp.support.words import counted

#: What marks the beginning of a document.
DOCSTART = "-DOCSTART-"
#: What a blank inside a cell is kept as: it is part of the word, and does not end it.
NO_BREAK_SPACE = "\u00a0"


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


@dataclass(frozen=True)
class ColumnForm:
    """How the lines of a column file are to be taken.

    Attributes
    ----------
    comment: what lines begin with that are left out; None for none.
    delimiter: what stands between cells: a ``tab``, where a cell may hold blanks or nothing; ``blank``, one
        or several; or ``auto``, any number of both.
    document: a regular expression that is found in lines which begin a document; None for those of
        :data:`DOCSTART`.

    Raises
    ------
    InputError: no such delimiter; not a regular expression.
    """

    comment: str | None = None
    delimiter: Literal["auto", "tab", "blank"] = "auto"
    document: str | None = None

    def __post_init__(self) -> None:
        if self.delimiter not in _CELLS:
            raise InputError(f"unknown delimiter {self.delimiter!r}", hint=f"known: {', '.join(_CELLS)}")
        if self.comment == "":
            raise InputError("the comment is empty", key="comment", hint="leave it away if there are none")
        try:
            re.compile(self.document or "")
        except re.error as error:
            raise InputError(f"not a regular expression: {error}", key="document") from None

    def cells(self, text: str) -> tuple[str, ...]:
        """The cells of a line; blanks inside a cell are no-break spaces, as they are part of it."""
        return tuple(_CELLS[self.delimiter](text))

    def marks(self, text: str, cells: tuple[str, ...]) -> bool:
        """Whether a line marks the beginning of a document."""
        if self.document is None:
            return DOCSTART in cells
        return re.search(self.document, text) is not None


def _by_tabs(text: str) -> list[str]:
    return [cell.strip(" ").replace(" ", NO_BREAK_SPACE) for cell in text.rstrip("\r\n").split("\t")]


_BLANKS = re.compile(r"[^ ]+")
_CELLS: dict[str, Callable[[str], list[str]]] = {
    "auto": WORD.findall,
    "tab": _by_tabs,
    "blank": _BLANKS.findall,
}

#: As CoNLL-2003 is written.
PLAIN = ColumnForm()


def column_lines(
    path: str | Path, lines: Iterable[str], hint: str, form: ColumnForm = PLAIN
) -> Iterator[Line | None]:
    """The lines of a column file; None for one that is blank and ends a sentence.

    Parameters
    ----------
    hint: how to mend a file whose lines differ in their number of columns.

    Raises
    ------
    InputError: a token with another number of columns than the first one.
    """
    width = first = 0
    beginning = ""
    for number, text in enumerate(lines, 1):
        if not text.strip():
            yield None
            continue
        cells = form.cells(text)
        mark = form.marks(text, cells)
        if not mark and form.comment is not None and text.startswith(form.comment):
            continue
        if not mark:
            if not width:
                width, first, beginning = len(cells), number, text
            if len(cells) != width:
                for line, found in ((first, beginning), (number, text)):
                    if found.startswith("#"):
                        raise InputError(
                            f"looks like a comment: {found[:40]!r}",
                            file=path,
                            line=line,
                            hint='comment: "#" leaves such lines out',
                        )
                raise InputError(
                    f"found {counted(len(cells), 'column')}, expected {width} as in line {first}",
                    file=path,
                    line=number,
                    hint=hint,
                )
        yield Line(number, text, cells, mark)


def check_multiword(path: str | Path, line: Line, word: int) -> None:
    """Refuse a line of several words, or of none, which counts as CoNLL-U writes them: ``1-2``, ``8.1``.

    word: column of the word; where it is the first one nothing is counted there.

    Raises
    ------
    InputError: such a line.
    """
    if word % len(line.cells) and _MULTIWORD.fullmatch(line.cells[0]):
        raise InputError(
            f"{line.cells[0]} is a line of CoNLL-U that is no word of its own",
            file=path,
            line=line.number,
            hint=r"take such lines out, for example: grep -vP '^[0-9]+[-.][0-9]+\t'",
        )


_MULTIWORD = re.compile(r"[0-9]+[-.][0-9]+")
