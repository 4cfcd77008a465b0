"""What the command line shows: lines, progress bars with an estimate of the time left, tables."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from advsp.report.tables import Table, layout
from advsp.training.objective import Tick


class ConsoleReporter:
    """Reports to a rich console; bars go to standard error, so that output can be piped."""

    def __init__(self, quiet: bool = False) -> None:
        self.console = Console()
        self._errors = Console(stderr=True)
        self._quiet = quiet
        self._progress: Progress | None = None

    def say(self, text: str) -> None:
        """One line on standard output."""
        if not self._quiet:
            self.console.print(text, soft_wrap=True, highlight=False, markup=False)

    def start(self, label: str, total: int) -> Tick:
        """Show a bar of ``total`` units with time elapsed and time left."""
        self.stop()
        self._progress = Progress(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            TextColumn("left"), TimeRemainingColumn(), console=self._errors, transient=True, disable=self._quiet,
        )  # fmt: skip
        task = self._progress.add_task(label, total=total or None)
        self._progress.start()
        progress = self._progress
        return lambda count: progress.advance(task, count)

    def stop(self) -> None:
        """Remove the bar."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None


def show(table: Table, console: Console) -> None:
    """Print a table, one block after the other."""
    for (corpus, split), block in table.blocks().items():
        header, body = layout(table, block)
        rich = RichTable(title=f"{table.name}: {corpus}, {split}", title_justify="left", header_style="bold")
        for name in header:
            rich.add_column(name, justify="left" if name in ("class", "system") else "right", no_wrap=True)
        for index, line in enumerate(body):
            last = index + 1 == len(body) or body[index + 1][0] != line[0]
            rich.add_row(*line, end_section=last)
        console.print(rich)
