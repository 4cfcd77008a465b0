"""What the command line shows: lines, progress bars with an estimate of the time left, tables."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import (
    Progress as Bar,
)
from rich.table import Table as RichTable
from rich.text import Text

from advsp.report.tables import TITLES, Row, Table
from advsp.support.progress import Progress, no_progress

#: Columns of a terminal that has room for the spread over seeds.
_WIDE = 110
#: Columns that the names of systems and metrics take, and a score without and with its spread.
_SYSTEM, _CELL, _SPREAD_CELL = 40, 8, 15


class ConsoleReporter:
    """Reports to a rich console; bars go to standard error, so that output can be piped."""

    def __init__(self, quiet: bool = False, aside: bool = False) -> None:
        """``aside``: everything goes to standard error, because standard output is for results."""
        self.console = Console(stderr=aside)
        self._errors = Console(stderr=True)
        self._quiet = quiet
        self._bar: Bar | None = None

    def say(self, text: str) -> None:
        """One line."""
        if not self._quiet:
            self.console.print(text, soft_wrap=True, highlight=False, markup=False, emoji=False)

    def start(self, label: str, total: int) -> Progress:
        """Show a bar of ``total`` units with time elapsed and time left, where someone may be looking."""
        self.stop()
        if self._quiet or not self._errors.is_terminal:
            return no_progress
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}"),
            console=self._errors,
            transient=True,
        )
        bar, task = self._bar, self._bar.add_task(label, total=total or None, note="")
        bar.start()

        def progress(examples: int, note: str = "") -> None:
            if note:
                bar.update(task, advance=examples, note=note)
            else:
                bar.update(task, advance=examples)

        return progress

    def stop(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def show(table: Table, console: Console) -> None:
    """Print a table, one block after the other: a column a class, lines for every metric and the paper.

    Of a corpus of one class all splits stand side by side.  A wide terminal also sees the standard
    deviation over seeds; on a narrow one many classes take several tables.
    """
    spread = console.width >= _WIDE
    room = max(1, (console.width - _SYSTEM) // (_SPREAD_CELL if spread else _CELL))
    for corpus, rows in table.corpora().items():
        if len({row.score.label for row in rows}) == 1:
            console.print(_splits(table, corpus, rows, spread))
    for (corpus, split), block in table.blocks().items():
        if len({row.score.label for row in table.corpora()[corpus]}) == 1:
            continue
        labels = list(dict.fromkeys(row.score.label for row in block))
        for first in range(0, len(labels), room):
            part = labels[first : first + room]
            rows = [row for row in block if row.score.label in part]
            console.print(_block(table, f"{table.name}: {corpus}, {split}", rows, part, spread))


def _splits(table: Table, corpus: str, rows: list[Row], spread: bool) -> RichTable:
    """A corpus of one class: a line a system, and for every split its value and the paper's.

    A wide terminal also sees precision and recall.
    """
    title = Text(f"{table.name}: {corpus}")
    rich = RichTable(title=title, title_justify="left", header_style="bold", box=SIMPLE_HEAD)
    rich.add_column("system", overflow="fold")
    columns = [
        (split, metric)
        for split in dict.fromkeys(row.score.split for row in rows)
        for metric in table.metrics()
    ]
    for split, metric in columns:
        rich.add_column(f"{split} {TITLES.get(metric, metric)}", justify="right")
        if spread:
            rich.add_column("P / R", justify="right", no_wrap=True)
        rich.add_column("paper", justify="right")
    cells = {(row.score.system, row.score.split, row.score.metric): row for row in rows}
    for system in dict.fromkeys(row.score.system for row in rows):
        line = [next(table.marked(row) for row in rows if row.score.system == system)]
        for place in columns:
            row = cells.get((system, *place))
            if row is None:
                line += ["", "", ""] if spread else ["", ""]
                continue
            line.append(row.text(spread, interval=False))
            line += [row.shares] if spread else []
            line.append(row.printed)
        rich.add_row(*map(escape, line))
    return rich


def _block(table: Table, title: str, rows: list[Row], labels: list[str], spread: bool) -> RichTable:
    """The table of one block and some of its classes."""
    rich = RichTable(title=Text(title), title_justify="left", header_style="bold", box=SIMPLE_HEAD)
    rich.add_column("system", overflow="fold")
    rich.add_column("", no_wrap=True)
    for label in labels:
        rich.add_column(escape(label), justify="right", no_wrap=True)
    for system in dict.fromkeys(row.score.system for row in rows):
        for line in _lines(table, [row for row in rows if row.score.system == system], labels, spread):
            rich.add_row(*map(escape, line))
        rich.add_section()
    return rich


def _lines(table: Table, rows: list[Row], labels: list[str], spread: bool) -> list[list[str]]:
    """The lines of one system: one a metric, then the paper's numbers where it has them."""
    lines = []
    for metric in table.metrics():
        cells = {
            row.score.label: row.text(spread, interval=False) for row in rows if row.score.metric == metric
        }
        lines.append(["", TITLES.get(metric, metric), *(cells.get(label, "") for label in labels)])
    paper = {row.score.label: row.printed for row in rows if row.printed}
    if paper:
        lines.append(["", "paper", *(paper.get(label, "") for label in labels)])
    lines[0][0] = table.marked(rows[0])
    return lines
