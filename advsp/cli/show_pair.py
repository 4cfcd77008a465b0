"""``advsp show-pair``: the alignment of one sentence pair, gold and predicted, as a grid."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advsp.support.errors import InputError


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("show-pair")(show_pair)


def show_pair(
    folder: Annotated[Path, typer.Argument(help="A prepared bitext, e.g. data/hansards.")],
    number: Annotated[int, typer.Argument(help="The pair's number in its split, from 1.")],
    split: Annotated[str, typer.Option(help="Split of the prepared bitext.")] = "test",
    predicted: Annotated[
        Path | None, typer.Option(help="File with predicted links for every pair of the split.")
    ] = None,
    format_: Annotated[
        str,
        typer.Option(
            "--format", help="How that file is written: pharaoh (from 0) or naacl (from 1), source first."
        ),
    ] = "pharaoh",
    aligner: Annotated[
        str | None, typer.Option(help="Show links that the prepared bitext has, e.g. those of m4.ef.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Picture to write, .png or .svg.")] = None,
) -> None:
    """Show the alignment of one sentence pair as a grid: what is sure, possible, predicted, missed, wrong.

    Rows are source words, columns target words. Without predicted links the gold
    alignment is shown. Pictures need matplotlib: pip install "advsp\\[plot]".

        advsp show-pair data/hansards 3

        advsp show-pair data/hansards 3 --aligner m4.ef --output pair3.png

        advsp show-pair data/hansards 3 --split valid --predicted mine.naacl --format naacl
    """
    from advsp.corpora.bitext_sources import read_predicted
    from advsp.corpora.links import NAACL, PHARAOH, Notation
    from advsp.corpora.prepared_bitext import load_links, load_pairs
    from advsp.report.console import ConsoleReporter
    from advsp.show.grid import draw_grid, grid_text

    if predicted is not None and aligner is not None:
        raise InputError("--predicted and --aligner exclude each other", hint="give one of them")
    notation = Notation(format_, base=NAACL.base if format_ == NAACL.format else PHARAOH.base)
    pairs = load_pairs(folder, split)
    if not 1 <= number <= len(pairs):
        problem = f"no pair {number} in split {split!r}"
        raise InputError(problem, file=folder, hint=f"it has the pairs 1 to {len(pairs)}")
    if predicted is not None:
        links = read_predicted(predicted, pairs, notation)[number - 1]
    elif aligner is not None:
        links = load_links(folder, aligner, split, pairs)[number - 1]
    else:
        links = None
    pair = pairs[number - 1]
    # The picture comes first: if it cannot be drawn, nothing else is said.
    if output is not None:
        draw_grid(pair, links, output)
    reporter = ConsoleReporter()
    reporter.console.print(grid_text(pair, links))
    if output is not None:
        reporter.say(f"wrote {output}")
