"""``advsp inspect``: what a trained run holds and says."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advsp.cli import options


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(inspect)


def inspect(
    run: Annotated[Path, typer.Argument(help="Folder of a trained run, e.g. results/runs/conll300.")],
    system: Annotated[
        str | None,
        typer.Option(help="System, as the tables call it; by default that with the best validation score."),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="N|average", help="Models of which seed; by default the average over several."),
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="Split whose examples are looked at; by default the validation split.")
    ] = None,
    example: Annotated[
        int | None, typer.Option(help="Show the games of this example; by default of the hardest.")
    ] = None,
    weights: Annotated[int, typer.Option(min=0, help="Strongest weights of a label that are shown.")] = 10,
    hardest: Annotated[int, typer.Option(min=0, help="Hardest examples that are shown.")] = 10,
    figures: Annotated[
        Path | None, typer.Option(help="Folder for figures: learning-curves.svg and equilibrium.svg.")
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Show how a trained system learnt, its strongest weights, what is hard for it, and its games.

    Learning curves are those of the models of the seed; weights are summed by template, and the strongest
    stand by tag; the hardest sentences, or pairs, are those of greatest loss; and of one of them the
    equilibrium is shown: both players' strategies with their probabilities.

        advsp inspect results/runs/conll300 --system ADV_f1

        advsp inspect results/runs/conll300 --system ADV_f1 --split testb --example 12 --figures figures

        advsp inspect results/runs/hansards --weights 20 --hardest 5
    """
    from advsp.experiments.system_in_use import open_system
    from advsp.report.console import ConsoleReporter
    from advsp.show.inspect import Wanted, show_system

    reporter = ConsoleReporter(quiet)
    wanted = Wanted(split, example, weights, hardest, figures)
    try:
        show_system(open_system(run, system, seed), wanted, reporter, reporter.console)
    finally:
        reporter.stop()
