"""Sentences to be tagged, one by one: from column files with or without tags, or a sentence a line.

What stands beside the words is kept as it is, so that a tag can be written behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from advsp.corpora.columns import DOCSTART, PLAIN, ColumnForm, Line, check_multiword, column_lines
from advsp.corpora.conll import NOTHING
from advsp.corpora.text import WORD
from advsp.corpora.text_stream import stream_lines
from advsp.support.errors import InputError
from advsp.support.words import counted

#: How sentences stand in a file: a word a line in columns, or a sentence a line.
Layout = Literal["columns", "lines"]


@dataclass(frozen=True)
class Untagged:
    """A sentence, and the lines that it stands in.

    Attributes
    ----------
    words: n words, those of document marks that are glued to it before its own.
    lines: n lines as they are written, of a column file; of a sentence a line none.
    marks: number of words that are such marks; a blank line stands behind theirs.
    tagged: False for a document mark that is no sentence.
    columns: n values each of the further columns that were asked for, in their order.
    """

    words: tuple[str, ...]
    lines: tuple[str, ...] = ()
    marks: int = 0
    tagged: bool = True
    columns: tuple[tuple[str, ...], ...] = ()


def read_untagged(
    path: Path,
    layout: Layout,
    word: int,
    docstart: str,
    encoding: str = "utf-8",
    read: Callable[[int], None] | None = None,
    columns: Mapping[str, int] | None = None,
    form: ColumnForm = PLAIN,
) -> Iterator[Untagged]:
    """The sentences of a file, or of standard input, as they are asked for.

    Parameters
    ----------
    word: column of the word, 0-based; negative ones count from the right.
    docstart: what becomes of document marks, see :data:`advsp.corpora.conll.DOCSTART_RULES`.
    read: told now and then of bytes just read.
    columns: names of further columns to their numbers; document marks have nothing there.
    form: how lines of columns are to be taken.

    Raises
    ------
    InputError: further columns of sentences a line, which have none; what
        :func:`~advsp.corpora.text_stream.stream_lines` raises; a line with another number of columns than the
        first one, or without one that is asked for.
    """
    lines = stream_lines(path, encoding, read)
    if layout == "lines":
        if columns:
            raise InputError(
                f"features look at the columns {', '.join(columns)}, which sentences a line do not have",
                file=path,
                hint="give a column file that has them",
            )
        return (Untagged(tuple(WORD.findall(line))) for line in lines)
    hint = "columns hold a word a line; text with a sentence a line is read with --input lines"
    wanted = {"word": word, **(columns or {})}
    return _sentences(path, column_lines(path, lines, hint, form), wanted, docstart)


def _sentences(
    path: Path, lines: Iterable[Line | None], wanted: Mapping[str, int], docstart: str
) -> Iterator[Untagged]:
    """Sentences of words and of further columns, ``wanted``, each by its number."""
    word, *further = wanted.values()
    marks: list[Line] = []
    block: list[Line] = []

    def ended() -> Untagged:
        found = [*marks, *block]
        words = tuple([line.cells[word] if not line.mark else DOCSTART for line in found])
        values = tuple(
            [tuple([line.cells[n] if not line.mark else NOTHING for line in found]) for n in further]
        )
        texts = tuple([line.text for line in found])
        sentence = Untagged(words, texts, marks=len(marks) if block else 0, columns=values)
        marks.clear()
        block.clear()
        return sentence

    checked = False
    for line in lines:
        if block and (line is None or line.mark):
            yield ended()
        if line is None:
            continue
        if line.mark and docstart == "glue":
            marks.append(line)
        elif line.mark:
            nothing = ((NOTHING,),) * len(further)
            yield Untagged((DOCSTART,), (line.text,), tagged=docstart != "drop", columns=nothing)
        else:
            check_multiword(path, line, word)
            if not checked:
                _check_columns(path, line, wanted)
                checked = True
            block.append(line)
    if marks or block:
        yield ended()


def _check_columns(path: Path, line: Line, wanted: Mapping[str, int]) -> None:
    """All columns must lie inside the line."""
    width = len(line.cells)
    for name, number in wanted.items():
        if not -width <= number < width:
            other = "say which column holds the word, from 0; -1 is the last"
            raise InputError(
                f"found {counted(width, 'column')}, expected the {name} at index {number}",
                file=path,
                line=line.number,
                hint=other if name == "word" else "the model was trained on files that have it there",
            )
