"""``advsp show-game``: a tiny game written out in full, with its equilibrium."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("show-game")(show_game)


def show_game(
    game: Annotated[
        str, typer.Argument(help="table1, figure, chain or matching, or a YAML file that describes a game.")
    ],
    output: Annotated[Path | None, typer.Option(help="File for the matrix, .csv or .md.")] = None,
) -> None:
    """Show a tiny game in full: every payoff, the potentials, the equilibrium and its value.

    The predictor picks a column to gain the most, the adversary a row to concede the least; a cell is the
    score of the column against the row, less the row's potential psi. The value is found twice: by the
    double oracle, which training uses, and by a linear program over the whole matrix.

        advsp show-game table1

    Table 1 of the paper, the game of 1 - AER with one source and two target words;

        advsp show-game figure

    the paper's example of an alignment, whose AER is 5/13 (its matrix is too large for anyone);

        advsp show-game mine.yaml --output mine.md

    a game of one's own. A file says, for instance

        game: aer

        sure: \\[\\[0.5, 0]]

        possible: \\[\\[0, 0.25]]

    with a row for every source word, a column for every target word. Games are aer, chain (keys tags,
    target, unary, pairwise, start, beta) and matching (sure, possible, cost).
    """
    from advsp.report.console import ConsoleReporter
    from advsp.show.full_game import write_out
    from advsp.show.game_file import load_game
    from advsp.show.game_output import check_output, print_game, write_table

    if output is not None:
        check_output(output)
    shown = write_out(*load_game(game))
    # The file comes first: if it cannot be written, nothing else is said.
    if output is not None:
        write_table(shown, output)
    reporter = ConsoleReporter()
    print_game(shown, reporter.console)
    if output is not None:
        reporter.say(f"wrote {output}")
