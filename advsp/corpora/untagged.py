"""Sentences to be tagged, one by one: from column files with or without tags, or a sentence a line.

What stands beside the words is kept as it is, so that a tag can be written behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from advsp.corpora.conll import DOCSTART
from advsp.corpora.text import WORD
from advsp.corpora.text_stream import stream_lines
from advsp.support.errors import InputError

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
    """

    words: tuple[str, ...]
    lines: tuple[str, ...] = ()
    marks: int = 0
    tagged: bool = True


def read_untagged(
    path: Path,
    layout: Layout,
    word: int,
    docstart: str,
    encoding: str = "utf-8",
    read: Callable[[int], None] | None = None,
) -> Iterator[Untagged]:
    """The sentences of a file, or of standard input, as they are asked for.

    Parameters
    ----------
    word: column of the word, 0-based; negative ones count from the right.
    docstart: what becomes of document marks, see :data:`advsp.corpora.conll.DOCSTART_RULES`.
    read: told now and then of bytes just read.

    Raises
    ------
    InputError: what :func:`~advsp.corpora.text_stream.stream_lines` raises; a line with another number of
        columns than the first one, or without the word's.
    """
    lines = stream_lines(path, encoding, read)
    if layout == "lines":
        return (Untagged(tuple(WORD.findall(line))) for line in lines)
    return _sentences(_rows(path, lines, word), docstart)


def _rows(path: Path, lines: Iterable[str], word: int) -> Iterator[tuple[str, str] | None]:
    """Word and line of every token; None for a blank line."""
    width = first = 0
    for number, line in enumerate(lines, 1):
        cells = WORD.findall(line)
        if not line.strip():
            yield None
            continue
        if DOCSTART in cells:
            yield DOCSTART, line
            continue
        if not width:
            width, first = len(cells), number
            if not -width <= word < width:
                raise InputError(
                    f"found {width} column{'s' * (width > 1)}, expected the word at index {word}",
                    file=path,
                    line=number,
                    hint="say which column holds the word, from 0; -1 is the last",
                )
        if len(cells) != width:
            raise InputError(
                f"found {len(cells)} columns, expected {width} as in line {first}",
                file=path,
                line=number,
                hint="columns hold a word a line; text with a sentence a line is read with --input lines",
            )
        yield cells[word], line


def _sentences(rows: Iterable[tuple[str, str] | None], docstart: str) -> Iterator[Untagged]:
    marks: list[tuple[str, str]] = []
    block: list[tuple[str, str]] = []

    def ended() -> Untagged:
        words, lines = zip(*marks, *block)
        sentence = Untagged(words, lines, marks=len(marks) if block else 0)
        marks.clear()
        block.clear()
        return sentence

    for row in rows:
        mark = row is not None and row[0] == DOCSTART
        if block and (row is None or mark):
            yield ended()
        if row is None:
            continue
        if mark and docstart == "glue":
            marks.append(row)
        elif mark:
            yield Untagged(row[:1], row[1:], tagged=docstart != "drop")
        else:
            block.append(row)
    if marks or block:
        yield ended()
