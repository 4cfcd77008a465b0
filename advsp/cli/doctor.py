"""``advsp doctor``: whether everything that commands need is there and in order."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(doctor)


def doctor(
    data: Annotated[Path, typer.Option(help="Folder of prepared corpora.", file_okay=False)] = Path("data"),
) -> None:
    """Look at everything that commands need, and say in one line each how it is and how to mend it.

    Versions, extras, compiled code, LP solvers (each solves a known game, and its answer has to pass the
    certificate), processors and memory, the checksums of prepared corpora, folders to write to. Lines begin
    with ok, with -- for what is not there and not needed, or with !! for what has to be mended; then the
    exit code is 1.

        advsp doctor
    """
    from advsp.experiments.doctor.examination import examine

    marks = {"good": "ok", "absent": "--", "broken": "!!"}
    broken = False
    for finding in examine(data):
        remedy = f" ({finding.remedy})" if finding.remedy else ""
        typer.echo(f"{marks[finding.state]} {finding.subject}: {finding.said}{remedy}")
        broken |= finding.state == "broken"
    if broken:
        raise typer.Exit(1)
