"""``advsp demo``: everything once, on the two sample corpora."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from advsp.support.errors import InputError

#: Where everything goes, as the sample configurations say.
RESULTS = "results/demo"
#: The links of a system that are drawn at last.
_LINKS = f"{RESULTS}/runs/sample-bitext/predictions/ADV_aer_everything_ignore/seed-1/test.pharaoh"


def steps(ner: Path, bitext: Path, drawing: bool) -> tuple[tuple[str, ...], ...]:
    """The commands, one after the other.

    ner, bitext: folders of the sample corpora as they are shipped; drawing: whether pictures can be drawn.
    """
    picture = ("--output", f"{RESULTS}/pair.svg") if drawing else ()
    return (
        ("prepare-conll", str(ner), "--config", "sample-prepare", "--output", "data/sample-conll"),
        ("train", "sample-conll", "--overwrite"),
        ("evaluate", "sample-conll"),
        (
            "prepare-hansards",
            str(bitext),
            "--config",
            "sample-bitext-prepare",
            "--output",
            "data/sample-bitext",
        ),
        ("train", "sample-bitext", "--overwrite"),
        ("evaluate", "sample-bitext"),
        ("compare", "--results", RESULTS),
        ("show-pair", "data/sample-bitext", "5", "--predicted", _LINKS, *picture),
        ("report", RESULTS, "--output", f"{RESULTS}/report.html"),
    )


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(demo)


def demo(
    only: Annotated[
        bool, typer.Option("--list", help="Say which commands would be run, and run none.")
    ] = False,
) -> None:
    """Train, evaluate and compare on two sample corpora, named entities and word alignment.

    Every command is shown before it is run, as one would type it. Corpora go to data/sample-*, results to
    results/demo: tables, the report of all of it, report.html, and a picture of one sentence pair where
    matplotlib is installed.

        advsp demo
    """
    from advsp.cli.main import app
    from advsp.show.pictures import can_draw
    from advsp.support.shipped import shipped

    ner, bitext = shipped("data/sample/conll"), shipped("data/sample/bitext")
    if ner is None or bitext is None:
        hint = "install advsp from its wheel, or work in a checkout"
        raise InputError("the sample corpora did not come along", hint=hint)
    for step in steps(ner, bitext, can_draw()):
        typer.secho(f"$ advsp {shlex.join(step)}", bold=True)
        if not only:
            app(list(step), standalone_mode=False)
