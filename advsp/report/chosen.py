"""Further tables: chosen rows of another table, and how far they are from the paper's numbers.

One YAML file a table, ``tables/NAME.yaml`` beside what is written; see :class:`ChosenTable` for its keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import Field

from advsp.report.tables import Row, Table, printed_number, read_paper
from advsp.support.errors import InputError
from advsp.support.section_files import load_section
from advsp.support.sections import Strict


class ChosenTable(Strict):
    """Which rows a table has, in which order, and what they are compared with.

    Attributes
    ----------
    source: ``from`` in the file: the table that the rows are of.
    note: how to read it.
    corpora, classes: those it has, in this order.
    systems: system to the metric that the paper's number of it is compared with.
    same: corpus to the one whose sentences it has, so that the paper's numbers are those of that one.
    """

    source: str = Field(alias="from")
    note: str
    corpora: list[str] = Field(min_length=1)
    classes: list[str] = Field(min_length=1)
    systems: dict[str, str] = Field(min_length=1)
    same: dict[str, str] = {}


def choose(tables: Sequence[Table], files: Iterable[Path], paper: Path | None) -> list[Table]:
    """The tables that definitions choose from ``tables``, in the order of their names.

    Parameters
    ----------
    files: definitions; the name of a file is that of its table.
    paper: the paper's numbers; None leaves their column empty.

    Returns
    -------
    One table a definition that finds rows; a definition whose rows are not there makes none.

    Raises
    ------
    InputError: a definition that cannot be read, naming its file, line and key, or has the name of one of
        ``tables``.
    """
    sources = {table.name: table for table in tables}
    printed = read_paper(paper) if paper is not None else {}
    found = []
    for path in sorted(files):
        if path.stem in sources:
            raise InputError("a table of that name is made already", file=path, hint="give it another name")
        chosen = load_section(ChosenTable, path)
        source = sources.get(chosen.source)
        numbers = printed.get(chosen.source) or {}
        rows = [_compared(row, chosen, numbers) for row in _rows(source, chosen)] if source else []
        if rows:
            names = {row.run for row in rows}
            runs = tuple(run for run in source.runs if f"{run['name']}@{run['fingerprint']}" in names)
            found.append(Table(path.stem, tuple(rows), runs, chosen.note.strip()))
    return found


def _rows(source: Table, chosen: ChosenTable) -> list[Row]:
    """The rows of the source that were chosen, sorted; splits and metrics stay in the source's order."""
    splits = list(dict.fromkeys(row.split for row in source.rows))
    systems = list(chosen.systems)
    rows = [
        row
        for row in source.rows
        if row.corpus in chosen.corpora and row.label in chosen.classes and row.system in systems
    ]
    return sorted(
        rows,
        key=lambda row: (
            chosen.corpora.index(row.corpus),
            splits.index(row.split),
            chosen.classes.index(row.label),
            systems.index(row.system),
        ),
    )


def _compared(row: Row, chosen: ChosenTable, printed: dict) -> Row:
    """The row with the paper's number of the same sentences."""
    corpus = chosen.same.get(row.corpus, row.corpus)
    paper = printed_number(printed, corpus, row.split, row.label, row.system)
    return replace(row, paper=paper, compared=chosen.systems[row.system] == row.metric)
