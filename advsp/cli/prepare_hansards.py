"""``advsp prepare-hansards``: parallel text and word alignments to a prepared bitext."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advsp.cli import options


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("prepare-hansards")(prepare_hansards)


def prepare_hansards(
    source: Annotated[
        Path, typer.Argument(help="Folder with sentences and links, e.g. test.en, test.fr, test.naacl.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(help="Folder to write the prepared bitext to; by default that of the configuration."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="YAML that says how the files are read; by default as those of the Hansards are."),
    ] = None,
    set_: options.Set = None,
) -> None:
    """Read parallel text with word alignments, check it, and write a prepared bitext with checksums.

    The format of links (naacl, pharaoh), the number of a sentence's first word and the side that stands
    first are declared, never guessed, and checked against the sentences. Unlabelled text is normalised
    to agree with the labelled one; it and the links of aligners can be done without. An aligner can also
    be run; what it predicts is kept, and it is not run again on the same text:

        advsp prepare-hansards ~/hansards

        advsp prepare-hansards ~/hansards --set unlabelled=null --set recorded={} --set run={}

        advsp prepare-hansards ~/hansards --set aligners={} --set 'run={mine: eflomal}'

        advsp prepare-hansards . --config mine.yaml
    """
    from advsp.experiments.prepare import prepare_bitext_corpus
    from advsp.report.console import ConsoleReporter

    prepare_bitext_corpus(source, output, config, set_ or (), ConsoleReporter())
