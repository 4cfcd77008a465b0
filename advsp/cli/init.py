"""``advsp init``: a user's files to a first configuration."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

init = typer.Typer(help="Write a commented configuration by looking at your files.", no_args_is_help=True)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.add_typer(init, name="init")


@init.command()
def ner(
    files: Annotated[
        list[Path],
        typer.Argument(help="Column files: one to be split, or train, dev and test by name or size."),
    ],
    name: Annotated[
        str | None, typer.Option(help="Name of the corpus and the run; by default that of the training file.")
    ] = None,
) -> None:
    """Write a configuration for named entities in column files, ready to prepare, train and predict.

    What was guessed (columns, scheme, splits, classes) stands in it as comments, with the reason.

        advsp init ner mine.conll > mine.yaml

        advsp prepare-conll . --config mine.yaml

        advsp train mine.yaml

        advsp predict results/runs/mine new.conll
    """
    from advsp.experiments.drafts.ner import look_at, write

    draft = look_at(files, name)
    named = ["--name", name] if name else []
    sys.stdout.write(write(draft, shlex.join(["advsp", "init", "ner", *map(str, files), *named])))
    for note in draft.notes:
        print(note, file=sys.stderr)
