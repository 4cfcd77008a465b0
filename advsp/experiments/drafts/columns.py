"""Guessing how column files are to be read: which column holds what, and in which scheme the tags are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from advsp.corpora import schemes
from advsp.corpora.columns import column_lines
from advsp.experiments.drafts.texts import decoded
from advsp.support.errors import InputError
from advsp.support.words import counted

#: Distinct values beyond which a column holds no tags.
_MOST_TAGS = 200


@dataclass(frozen=True)
class Table:
    """A column file as it is: blocks of lines, each of the same number of cells.

    Attributes
    ----------
    blocks: sentences, each of its lines, each of its cells; document marks are left out.
    width: number of columns.
    marks: number of document marks.
    """

    path: Path
    encoding: str
    blocks: tuple[tuple[tuple[str, ...], ...], ...]
    width: int
    marks: int

    def column(self, number: int) -> Counter[str]:
        """How often every value stands in a column."""
        return Counter(line[number] for block in self.blocks for line in block)


def read_table(path: Path) -> Table:
    """A column file, in the first encoding that fits.

    Raises
    ------
    InputError: it cannot be read, has no lines, or lines of different numbers of columns.
    """
    encoding, lines = decoded(path)
    blocks: list[tuple[tuple[str, ...], ...]] = []
    block: list[tuple[str, ...]] = []
    marks = 0
    hint = "a column file has one word a line with its columns, and a blank line between sentences"
    for line in (*column_lines(path, lines, hint), None):
        if line is None or line.mark:
            marks += line is not None
            if block:
                blocks.append(tuple(block))
                block = []
        else:
            block.append(line.cells)
    if not blocks:
        raise InputError("no sentences found", file=path, hint="a column file has one word a line")
    width = len(blocks[0][0])
    if width < 2:
        hint = "one column holds the word, another one its tag"
        raise InputError("found one column, expected at least two", file=path, hint=hint)
    return Table(path, encoding, tuple(blocks), width, marks)


def guess_word(table: Table) -> tuple[int, str]:
    """Column of the word, and why."""
    if table.width > 2 and all(value.isdecimal() for value in table.column(0)):
        return 1, "the first column counts the words"
    return 0, "the first column"


def guess_tag(tables: Sequence[Table], word: int) -> tuple[int, str]:
    """Column of the tag, counted from the right, and why.

    Raises
    ------
    InputError: no column looks like tags.
    """
    for number in range(-1, -tables[0].width, -1):
        values = sum((table.column(number) for table in tables), Counter[str]())
        others = set(values) - {schemes.OUTSIDE}
        if number + tables[0].width == word or not others or len(others) > _MOST_TAGS:
            continue
        if schemes.OUTSIDE in values:
            return number, f"it holds O and {', '.join(sorted(others)[:3])}"
    raise InputError(
        "no column looks like tags: O and classes, perhaps with B- and I- before them",
        file=tables[0].path,
        line=1,
    )


def guess_scheme(tables: Sequence[Table], tag: int) -> tuple[str, str]:
    """Scheme of the tags, and why; of several that fit the one that tells the most.

    Raises
    ------
    InputError: prefixes that no scheme has.
    """
    tags = {value for table in tables for value in table.column(tag)} - {schemes.OUTSIDE}
    prefixes = _prefixes(tags)
    if not prefixes:
        return "io", "classes stand without prefixes"
    if prefixes == {"I"}:
        return "io", "the only prefix is I-"
    candidates: tuple[str, ...] = ("iob2", "iob1")
    if not prefixes <= set("BI"):
        known = {"bioes": set("BIES"), "bmes": set("BMES"), "bilou": set("BILU")}
        candidates = tuple(scheme for scheme, letters in known.items() if prefixes <= letters)
    if not candidates:
        odd = ", ".join(sorted(f"{prefix}-" for prefix in prefixes - set("BIES")))
        hint = "the schemes are io, iob1, iob2, bioes, bmes and bilou: B-, I-, E-, S- and O, or M-, L- and U-"
        raise InputError(f"found tags with {odd}", file=tables[0].path, hint=hint)
    counts = {scheme: _violations(tables, tag, scheme) for scheme in candidates}
    best = min(candidates, key=lambda scheme: counts[scheme])
    others = ", ".join(f"{scheme} {count:,}" for scheme, count in counts.items() if scheme != best)
    why = f"{counted(counts[best], 'tag')} out of sequence{f', by {others}' if others else ''}"
    return best, why


def _prefixes(tags: set[str]) -> set[str]:
    """Letters before the hyphen if all tags have one, else none."""
    return (
        {tag[0] for tag in tags} if tags and all(tag[1:2] == "-" and len(tag) > 2 for tag in tags) else set()
    )


def _violations(tables: Sequence[Table], tag: int, scheme: str) -> int:
    return sum(
        len(schemes.violations([line[tag] for line in block], scheme))
        for table in tables
        for block in table.blocks
    )
