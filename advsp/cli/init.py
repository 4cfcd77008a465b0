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


Name = Annotated[
    str | None, typer.Option(help="Name of the corpus and the run; by default that of what is trained on.")
]


@init.command()
def ner(
    files: Annotated[
        list[Path],
        typer.Argument(help="Column files: one to be split, or train, dev and test by name or size."),
    ],
    name: Name = None,
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
    _show(write(draft, _command("ner", files, name)), draft.notes)


@init.command()
def alignment(
    files: Annotated[
        list[Path],
        typer.Argument(
            help="Source, target and links of one text or of train, valid and test; text without links."
        ),
    ],
    name: Name = None,
) -> None:
    """Write a configuration for word alignment of parallel text, ready to prepare, train and align.

    Files of one text have one name (train.en, train.fr, train.naacl); the side that is given first is the
    source. What was guessed (links, splits, sides) stands in it as comments, with the reason.

        advsp init alignment mine.en mine.fr mine.naacl more.en more.fr > mine.yaml

        advsp prepare-hansards . --config mine.yaml

        advsp train mine.yaml

        advsp align results/runs/mine new.en new.fr
    """
    from advsp.experiments.drafts.alignment import look_at, write

    draft = look_at(files, name)
    _show(write(draft, _command("alignment", files, name)), draft.notes)


def _command(kind: str, files: list[Path], name: str | None) -> str:
    return shlex.join(["advsp", "init", kind, *map(str, files), *(["--name", name] if name else [])])


def _show(configuration: str, notes: tuple[str, ...]) -> None:
    sys.stdout.write(configuration)
    for note in notes:
        print(note, file=sys.stderr)
