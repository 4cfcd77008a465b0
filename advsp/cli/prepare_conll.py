"""``advsp prepare-conll``: column files to a prepared corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advsp.cli import options


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command("prepare-conll")(prepare_conll)


def prepare_conll(
    source: Annotated[
        Path, typer.Argument(help="Folder with the column files, e.g. eng.train, eng.testa, eng.testb.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(help="Folder to write the prepared corpus to; by default what the YAML says."),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="YAML that says how the files are read; by default as those of CoNLL-2003 are."),
    ] = None,
    set_: options.Set = None,
) -> None:
    """Read tagged column files, check them, and write a prepared corpus with checksums.

    The tag scheme (io, iob1, iob2, bioes), the encoding and what becomes of -DOCSTART- lines
    (drop, sentence, uncounted, glue) are declared, never guessed:

        advsp prepare-conll ~/conll2003

        advsp prepare-conll mine --config mine.yaml --output data/mine

        advsp prepare-conll mine --set scheme=bio --set 'files={train: a.txt, testa: b.txt, testb: c.txt}'
    """
    from advsp.experiments.prepare import prepare_conll_corpus
    from advsp.report.console import ConsoleReporter

    prepare_conll_corpus(source, output, config, set_ or (), ConsoleReporter())
