"""``advsp warm-up``: compile the kernels before they are needed."""

from __future__ import annotations

from typing import Annotated

import typer

from advsp.cli import options


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("warm-up")(warm_up)


def warm_up(
    workers: Annotated[
        int, typer.Option(min=0, help="Processes that compile at a time; 0 for one a processor.")
    ] = 0,
    quiet: options.Quiet = False,
) -> None:
    """Compile all kernels now, so that no later command has to: for images of containers, and for CI.

    Other commands compile what they need on first use, once an installation, which takes up to a minute.
    Compiled code is kept in the user's cache, or in the folder that the environment variable ADVSP_CACHE
    names; it is read by processes of the same user, the same version of the program and of Python, numpy
    and numba, on a processor of the same kind.

        advsp warm-up

        ADVSP_CACHE=/opt/advsp-cache advsp warm-up --quiet
    """
    from advsp.experiments.warm_up import warm_up
    from advsp.report.console import ConsoleReporter
    from advsp.runners.local import available_workers

    reporter = ConsoleReporter(quiet)
    try:
        warm_up(available_workers(workers), reporter)
    finally:
        reporter.stop()
