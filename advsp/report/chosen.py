"""Further tables: chosen rows of another table, and how far they are from the paper's numbers.

One YAML file a table, ``tables/NAME.yaml`` beside what is written; see :class:`ChosenTable` for its keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import Field

from advsp.metrics.scores import ScoreRow
from advsp.report.paper import Printed, printed_number, read_paper
from advsp.report.tables import Row, Table
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
        if (source := sources.get(chosen.source)) is None:
            continue
        numbers = printed.get(chosen.source, {})
        rows = tuple(_compared(row, chosen, numbers) for row in _rows(source, chosen))
        if rows:
            names = {row.run for row in rows}
            runs = tuple(scores for scores in source.runs if scores.run in names)
            found.append(Table(path.stem, rows, runs, chosen.note.strip()))
    return found


def _rows(source: Table, chosen: ChosenTable) -> list[Row]:
    """The rows of the source that were chosen, sorted; splits and metrics stay in the source's order.

    Scores of one class a position are left out: there is nothing to compare them with.
    """
    splits = list(dict.fromkeys(row.score.split for row in source.rows))
    systems = list(chosen.systems)

    def is_chosen(score: ScoreRow) -> bool:
        wanted = score.corpus in chosen.corpora and score.label in chosen.classes and score.system in systems
        return wanted and not score.joint

    def place(row: Row) -> tuple[int, ...]:
        return (
            chosen.corpora.index(row.score.corpus),
            splits.index(row.score.split),
            chosen.classes.index(row.score.label),
            systems.index(row.score.system),
        )

    return sorted((row for row in source.rows if is_chosen(row.score)), key=place)


def _compared(row: Row, chosen: ChosenTable, printed: Printed) -> Row:
    """The row with the paper's number of the same sentences."""
    score = row.score
    corpus = chosen.same.get(score.corpus, score.corpus)
    paper = printed_number(printed, corpus, score.split, score.label, score.system)
    return replace(row, paper=paper, compared=chosen.systems[score.system] == score.metric)
