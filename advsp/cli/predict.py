"""``advsp predict``: a trained run and new text to tags."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from advsp.cli import options
from advsp.support.errors import InputError


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(predict)


def predict(
    run: Annotated[
        Path, typer.Argument(help="Folder of a trained run, e.g. results/runs/conll300, or `names`.")
    ],
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Files to tag, one after the other; - is standard input, as is no file."),
    ] = None,
    system: Annotated[
        str | None,
        typer.Option(
            help="System, as the tables call it; by default the one with the best validation score."
        ),
    ] = None,
    seed: Annotated[
        str | None,
        typer.Option(metavar="N|average", help="Models of which seed; by default the average over several."),
    ] = None,
    output: Annotated[Path | None, typer.Option(help="File to write; by default standard output.")] = None,
    input_: Annotated[
        Literal["columns", "lines"],
        typer.Option(
            "--input", help="A word a line in columns, or a sentence a line, its words apart by blanks."
        ),
    ] = "columns",
    word: Annotated[
        int | None,
        typer.Option(
            help="Column of the word, from 0; by default that of the corpus the run was trained on."
        ),
    ] = None,
    format_: Annotated[
        Literal["conll", "jsonl"],
        typer.Option("--format", help="Columns with the tag in the last one, or a JSON object a sentence."),
    ] = "conll",
    marginals: Annotated[
        bool, typer.Option("--marginals", help="Write the probability of every class, too.")
    ] = False,
    threshold: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CLASS=VALUE", help="Decide a class where its probability is above this; may be repeated."
        ),
    ] = None,
    favour: Annotated[
        Literal["precision", "recall"] | None,
        typer.Option(help="Decide by thresholds with the best F0.5, or F2, on the validation split."),
    ] = None,
    encoding: Annotated[str, typer.Option(help="Encoding of the files.")] = "utf-8",
    quiet: options.Quiet = False,
) -> None:
    """Tag new text with a trained run: one tag a word, in the scheme of the corpus it was trained on.

    Column files may have tags or not; all their columns are kept, and the tag is written behind them.
    Text of any length passes through, in its order. `names` is the tagger of the sample corpus, as shipped:

        echo "Anna Brandt met the mayor of Oslo ." | advsp predict names --input lines

        advsp predict results/runs/conll300 new.conll --output tagged.conll

        advsp predict results/runs/conll300 --input lines --format jsonl < text.txt

        advsp predict results/runs/conll300 new.conll --system ADV_f1 --marginals --favour recall
    """
    from advsp.experiments.predict import Request, tag_files
    from advsp.experiments.system_in_use import open_system
    from advsp.report.console import ConsoleReporter
    from advsp.support import shipped

    used = open_system(shipped.run(run), system, seed)
    if favour is not None:
        used = used.favouring(favour)
    used = used.with_thresholds(dict(map(_level, threshold or [])))
    reporter = ConsoleReporter(quiet, aside=True)
    request = Request(files or [], output, input_, word, encoding, format_, marginals)
    try:
        tag_files(used, request, reporter)
    finally:
        reporter.stop()


def _level(given: str) -> tuple[str, float]:
    """Class and threshold of ``CLASS=VALUE``."""
    label, _, number = given.rpartition("=")
    try:
        level = float(number)
    except ValueError:
        level = -1.0
    if not label or not 0.0 < level < 1.0:
        raise InputError(
            f"--threshold {given}: expected CLASS=VALUE with a value between 0 and 1",
            hint="for example --threshold PER=0.3",
        )
    return label, level
