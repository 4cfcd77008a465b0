"""Column files: one word a line, its tag in another column, a blank line between sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from advsp.corpora import schemes
from advsp.corpora.columns import DOCSTART, PLAIN, ColumnForm, check_multiword, column_lines
from advsp.corpora.text import WRITABLE, hidden, read_lines
from advsp.support.errors import InputError
from advsp.support.files import atomic
from advsp.support.words import counted

#: How further columns may be called.
COLUMN_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"

#: What document marks have in further columns.
NOTHING = "_"

DocstartRule = Literal["drop", "sentence", "uncounted", "glue"]
DOCSTART_RULES: dict[DocstartRule, str] = {
    "drop": "the line is left out",
    "sentence": "the line is a sentence of one word",
    "uncounted": "the line is a sentence of one word that does not count",
    "glue": "the word is put in front of the next sentence",
}


@dataclass(frozen=True)
class Sentence:
    """One sentence.

    Attributes
    ----------
    words: n words.
    tags: n tags in IOB2.
    counted: False for a -DOCSTART- line under the rule ``uncounted``: a sentence to learn from and
        to label, which the number of sentences leaves out.
    columns: n values each of the further columns that were asked for, in their order.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    counted: bool = True
    columns: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class ColumnFile:
    """The sentences of a column file, and what was counted while reading it.

    Attributes
    ----------
    sentences: all sentences in file order, the uncounted ones included.
    docstart_lines: number of -DOCSTART- lines in the file, whatever the rule made of them.
    violations: one message per tag out of sequence, each with its line; such tags are read as
        conlleval reads them.
    """

    sentences: tuple[Sentence, ...]
    docstart_lines: int
    violations: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int | dict[str, int]]:
        """``sentences``, ``tokens`` and ``entities`` (by class) of the counted sentences,
        ``docstart_lines`` and ``violations`` of the file.
        """
        counted = [sentence for sentence in self.sentences if sentence.counted]
        entities = Counter(tag[2:] for sentence in counted for tag in sentence.tags if tag[0] == "B")
        return {
            "sentences": len(counted),
            "tokens": sum(len(sentence.words) for sentence in counted),
            "entities": dict(sorted(entities.items())),
            "docstart_lines": self.docstart_lines,
            "violations": len(self.violations),
        }


def read_columns(
    path: str | Path,
    *,
    word: int = 0,
    tag: int = -1,
    scheme: str = "iob1",
    encoding: str = "utf-8",
    docstart: str = "drop",
    columns: Mapping[str, int] | None = None,
    form: ColumnForm = PLAIN,
    odd_classes: bool = False,
) -> ColumnFile:
    """Read a column file.

    Columns are apart by blanks or tabs, any number of them; sentences by one or more lines without
    anything but white space; the last sentence needs no blank line after it.

    A -DOCSTART- line is a document mark: it is tagged ``O`` whatever its columns are, it ends the
    sentence before it even without a blank line, and ``docstart`` says what becomes of it.
    Under ``glue``, marks after the last sentence form a sentence of their own.

    Parameters
    ----------
    word, tag: 0-based columns of the word and of its tag; negative ones count from the right.
    scheme: the tag scheme of the file (:mod:`advsp.corpora.schemes`).
    docstart: a name in :data:`DOCSTART_RULES`.
    columns: names of further columns to their numbers; document marks have :data:`NOTHING` there, as have
        cells without anything.
    form: how lines are to be taken.
    odd_classes: whether tags of ``io`` may be classes that are probably none (:func:`~.schemes.odd`).

    Raises
    ------
    InputError: what :func:`~advsp.corpora.text.read_lines` raises; no sentences; a line with another
        number of columns than the first; a column outside the line; word and tag in one column; a
        tag that is not of the scheme; an unknown scheme or rule.
    """
    scheme = schemes.canonical(scheme)
    _check_rule(docstart)
    sentences: list[Sentence] = []
    violations: list[str] = []
    docstart_lines = 0
    marks: tuple[str, ...] = ()
    wanted = {"word": word, "tag": tag, **(columns or {})}
    nothing = ((NOTHING,),) * len(columns or {})
    for rows in _blocks(path, read_lines(path, encoding), wanted, form):
        if rows is None:
            docstart_lines += 1
            if docstart == "glue":
                marks += (DOCSTART,)
            elif docstart != "drop":
                counted = docstart == "sentence"
                sentences.append(Sentence((DOCSTART,), (schemes.OUTSIDE,), counted, nothing))
            continue
        tags = _tags(path, rows, scheme, odd_classes)
        for position, tag_found, why in schemes.violations(tags, scheme):
            violations.append(f"line {rows[position].line}: {tag_found!r} {why}")
        sentences.append(
            Sentence(
                words=marks + tuple(row.word for row in rows),
                tags=(schemes.OUTSIDE,) * len(marks) + schemes.to_iob2(tags, scheme),
                columns=tuple(
                    (NOTHING,) * len(marks) + values for values in zip(*(row.more for row in rows))
                ),
            )
        )
        marks = ()
    if marks:
        of_marks = tuple((NOTHING,) * len(marks) for _ in nothing)
        sentences.append(Sentence(marks, (schemes.OUTSIDE,) * len(marks), columns=of_marks))
    if not any(sentence.counted for sentence in sentences):
        hint = "a column file has one word a line, columns apart by blanks or tabs"
        raise InputError("no sentences found", file=path, hint=hint)
    return ColumnFile(tuple(sentences), docstart_lines, tuple(violations))


def write_columns(path: str | Path, sentences: Iterable[Iterable[Sequence[str]]]) -> None:
    """Write rows of columns, a blank line after every sentence; atomically, UTF-8.

    Parameters
    ----------
    sentences: for every sentence its rows, for every row its cells, e.g. (word, gold, predicted).

    Raises
    ------
    ValueError: a cell that would not be read back as one cell.
    """
    with atomic(path) as stream:
        for rows in sentences:
            for cells in rows:
                if not all(map(WRITABLE.fullmatch, cells)):
                    raise ValueError(f"cells must be neither empty nor hold white space: {cells!r}")
                stream.write(" ".join(cells) + "\n")
            stream.write("\n")


class _Row(NamedTuple):
    """One line of a sentence."""

    line: int
    word: str
    tag: str
    more: tuple[str, ...]


def _check_rule(docstart: str) -> None:
    if docstart not in DOCSTART_RULES:
        known = ", ".join(DOCSTART_RULES)
        raise InputError(f"unknown rule {docstart!r} for -DOCSTART- lines", hint=f"known: {known}")


def _blocks(
    path: str | Path, lines: list[str], wanted: Mapping[str, int], form: ColumnForm
) -> Iterator[list[_Row] | None]:
    """The rows of every sentence, and None for every document mark, which ends the sentence before it.

    wanted: name to number of the columns: word, tag, and the further ones.
    """
    block: list[_Row] = []
    checked = False
    # Words and tags repeat: equal strings are one, which is most of the memory of a large corpus.
    one = dict[str, str]().setdefault
    hint = "every line holds one word and its columns, apart by blanks or tabs"
    for line in column_lines(path, lines, hint, form):
        if block and (line is None or line.mark):
            yield block
            block = []
        if line is None:
            continue
        if line.mark:
            yield None
            continue
        if not checked:
            _check_columns(path, line.number, len(line.cells), wanted)
            checked = True
        check_multiword(path, line, wanted["word"])
        word, tag, *more = [line.cells[number] for number in wanted.values()]
        for name, cell in (("word", word), ("tag", tag)):
            if not cell:
                hint = "a cell between two tabs holds nothing"
                raise InputError(f"the column of the {name} is empty", file=path, line=line.number, hint=hint)
        more = [cell or NOTHING for cell in more]
        block.append(
            _Row(line.number, one(word, word), one(tag, tag), tuple(one(cell, cell) for cell in more))
        )
    if block:
        yield block


def _tags(path: str | Path, rows: list[_Row], scheme: str, odd_classes: bool) -> tuple[str, ...]:
    """The tags of one sentence, each of the scheme."""
    for row in rows:
        if scheme == "io" and not odd_classes and schemes.odd(row.tag):
            raise InputError(
                f"tag {row.tag!r} is probably no class",
                file=path,
                line=row.line,
                hint="O is what no class is called; odd_classes: true takes it for a class",
            )
        if (letter := hidden(row.tag)) is not None:
            raise InputError(
                f"tag {row.tag!r} holds {letter}, which cannot be seen",
                file=path,
                line=row.line,
                hint="take it out; it would make another class",
            )
        why = schemes.foreign(row.tag, scheme)
        if why:
            hint = "state the scheme of the file, and its tag column"
            raise InputError(f"tag {row.tag!r} {why}", file=path, line=row.line, hint=hint)
    return tuple(row.tag for row in rows)


def _check_columns(path: str | Path, line: int, width: int, wanted: Mapping[str, int]) -> None:
    """All columns must lie inside the line, and word and tag apart."""
    word, tag = wanted["word"], wanted["tag"]
    for name, column in wanted.items():
        if not -width <= column < width:
            raise InputError(
                f"found {counted(width, 'column')}, expected one at {name} index {column}",
                file=path,
                line=line,
                hint="columns are numbered from 0; -1 is the last",
            )
    if word % width == tag % width:
        raise InputError(
            f"word and tag are the same column, index {word % width} of {width}",
            file=path,
            line=line,
            hint="a column file needs a word column and a tag column",
        )
