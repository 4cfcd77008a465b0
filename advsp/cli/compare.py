"""``advsp compare``: scores to tables, the paper's numbers beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advsp.cli import options


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(compare)


def compare(
    scores: Annotated[
        list[Path] | None, typer.Argument(help="Score files; by default all of RESULTS/scores.")
    ] = None,
    results: Annotated[Path, typer.Option(help="Folder of results; tables go to its folder tables.")] = Path(
        "results"
    ),
    against: Annotated[
        Path | None,
        typer.Option(help="Results that are known: print what differs from them, and make no tables."),
    ] = None,
    tolerance: Annotated[
        float, typer.Option(min=0.0, help="Points by which a score may differ from the known one.")
    ] = 0.0,
    quiet: options.Quiet = False,
) -> None:
    """Print the paper's tables from saved scores and write them as CSV, Markdown and LaTeX.

    Every RESULTS/tables/NAME.yaml names a further table, chosen from the rows of one of them.

    With --against scores are compared, cell by cell, with those of another folder of results, and the exit
    code is 1 where one differs by more than the tolerance: a regression test.

        advsp compare

        advsp compare results/scores/conll300.json

        advsp compare --results results/demo --against results/reference --tolerance 1
    """
    from advsp.report.chosen import choose
    from advsp.report.console import ConsoleReporter, show
    from advsp.report.tables import collect, write

    reporter = ConsoleReporter(quiet)
    files = scores or sorted((results / "scores").glob("*.json"))
    if against is not None:
        _check(files, against, tolerance)
        return
    paper = options.paper(results)
    tables = collect(files, paper)
    for table in [*tables, *choose(tables, (results / "tables").glob("*.yaml"), paper)]:
        show(table, reporter.console)
        for path in write(table, results / "tables"):
            reporter.say(f"wrote {path}")


def _check(files: list[Path], against: Path, tolerance: float) -> None:
    """Print differences; leave with 1 where one is outside the tolerance."""
    from advsp.report.differences import differences, lines

    found = differences(files, against)
    for line in lines(found, tolerance):
        typer.echo(line)
    if found.outside(tolerance):
        raise typer.Exit(1)
