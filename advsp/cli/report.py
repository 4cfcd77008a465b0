"""``advsp report``: everything that was scored, on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advsp.cli import options


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(report)


def report(
    results: Annotated[Path, typer.Argument(help="Folder of results; its folder scores is read.")] = Path(
        "results"
    ),
    output: Annotated[Path, typer.Option(help="The page.", dir_okay=False)] = Path("report.html"),
    configs: Annotated[
        Path, typer.Option(help="Folder of configurations, to name the commands of every run.")
    ] = Path("configs"),
) -> None:
    """Write one page of all results: what was run, tables that sort, charts, the paper's numbers beside ours.

    It is whole in itself: no file stands beside it, and nothing is asked for from anywhere. It is made from
    saved scores alone, and from the pictures in RESULTS/figures.

        advsp report

        advsp report results/demo --output demo.html
    """
    from advsp.report.page.document import write_report

    size = write_report(results, options.paper(results), configs, output)
    typer.echo(f"wrote {output}, {size / 1e3:.0f} kB")
