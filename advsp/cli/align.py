"""``advsp align``: a trained run and new sentence pairs to links."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from advsp.cli import options
from advsp.support.errors import InputError


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(align)


def align(
    run: Annotated[Path, typer.Argument(help="Folder of a trained run, e.g. results/runs/hansards.")],
    source: Annotated[Path, typer.Argument(help="Source sentences, one a line, words apart by blanks.")],
    target: Annotated[
        Path | None,
        typer.Argument(help="Their translations, line by line; left out, lines are `source ||| target`."),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(help="System, as the tables call it; by default that with the best validation score."),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="N|average", help="Models of which seed; by default the average over several."),
    ] = None,
    output: Annotated[Path | None, typer.Option(help="File to write; by default standard output.")] = None,
    format_: Annotated[
        Literal["pharaoh", "naacl", "jsonl"],
        typer.Option(
            "--format",
            help="A pair a line, links i-j from 0; a link a line, pair i j S from 1; a JSON object a pair.",
        ),
    ] = "pharaoh",
    probabilities: Annotated[
        bool, typer.Option("--probabilities", help="Write how probable every link is, too.")
    ] = False,
    links: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FILE",
            help="Links of an aligner (m4), or of one direction (m4.ef), for these pairs; may be repeated.",
        ),
    ] = None,
    links_format: Annotated[
        Literal["pharaoh", "naacl"], typer.Option(help="Format of these files, as align writes them.")
    ] = "pharaoh",
    threshold: Annotated[
        float | None, typer.Option(help="Link words where their probability is above this.")
    ] = None,
    bitext: Annotated[
        Path | None,
        typer.Option(help="Folder of the prepared bitext; by default where the run's configuration has it."),
    ] = None,
    wrapper: Annotated[
        Literal["sgml", "numbered", "none"] | None,
        typer.Option(help="What stands around every sentence: <s> ... </s>, a number in front, or nothing."),
    ] = None,
    encoding: Annotated[str, typer.Option(help="Encoding of the text.")] = "utf-8",
    quiet: options.Quiet = False,
) -> None:
    """Link the words of new sentence pairs with a trained run.

    Features that look at words find these in what preparing the bitext has counted; features that look at
    another aligner's links take them from the model that was kept of it, or from files given with --links.
    Text of any length passes through, in its order.

        advsp align results/runs/hansards new.en new.fr --output new.links --links m4.ef=a --links m4.fe=b

        advsp align results/runs/mine both.txt --system "ADV_aer [taskar+agreement, ignore]" --probabilities
    """
    from advsp.corpora.links import NAACL, PHARAOH
    from advsp.corpora.parallel_text import TextFiles
    from advsp.experiments.align import Request, align_files
    from advsp.experiments.system_in_use import open_system
    from advsp.report.console import ConsoleReporter

    used = open_system(run, system, seed)
    if threshold is not None:
        if not 0.0 < threshold < 1.0:
            raise InputError(f"--threshold {threshold:g}: expected a number between 0 and 1")
        used = used.with_thresholds(dict.fromkeys(used.run.config.classes, threshold))
    request = Request(
        TextFiles(source, target, encoding, wrapper),
        output,
        format_,
        probabilities,
        dict(map(_named, links or [])),
        {"pharaoh": PHARAOH, "naacl": NAACL}[links_format],
        bitext,
    )
    reporter = ConsoleReporter(quiet, aside=True)
    try:
        align_files(used, request, reporter)
    finally:
        reporter.stop()


def _named(given: str) -> tuple[str, Path]:
    """Aligner and file of ``NAME=FILE``."""
    name, sign, file = given.partition("=")
    if not name or not sign or not file:
        raise InputError(f"--links {given}: expected NAME=FILE", hint="for example --links m4.ef=new.links")
    return name, Path(file)
