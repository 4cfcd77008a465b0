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
    quiet: options.Quiet = False,
) -> None:
    """Print the paper's tables from saved scores and write them as CSV, Markdown and LaTeX.

    Every RESULTS/tables/NAME.yaml names a further table, chosen from the rows of one of them.

    advsp compare

    advsp compare results/scores/conll300.json
    """
    from advsp.report.chosen import choose
    from advsp.report.console import ConsoleReporter, show
    from advsp.report.tables import collect, write

    reporter = ConsoleReporter(quiet)
    files = scores or sorted((results / "scores").glob("*.json"))
    paper = options.paper(results)
    tables = collect(files, paper)
    for table in [*tables, *choose(tables, (results / "tables").glob("*.yaml"), paper)]:
        show(table, reporter.console)
        for path in write(table, results / "tables"):
            reporter.say(f"wrote {path}")
