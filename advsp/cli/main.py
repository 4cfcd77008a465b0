"""The ``advsp`` program: commands, and the one place where errors become messages and exit codes.

Exit codes: 0 done, 2 something the user gave cannot be used, 130 interrupted, 1 nobody reads the output, or
something was found: by ``advsp doctor`` or ``advsp compare --against``.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn

import typer
from typer.core import TyperGroup

from advsp.cli.help import draw_help, reflow
from advsp.support import arithmetic
from advsp.support.errors import InputError, Interrupted
from advsp.support.versions import VERSION

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter  # typer's own copy of click


#: As rich, which prints the tables, leaves where nobody reads them.
_CLOSED_PIPE = 1


class _Commands(TyperGroup):
    """Commands whose interruption reaches :func:`run`, which knows what to say of it."""

    def invoke(self, ctx: Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        draw_help(self, ctx)


app = typer.Typer(
    name="advsp",
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help=(
        "Train predictors whose exact goal is the measure they are judged by.\n\n"
        "[bold]advsp demo[/]: see it work, on two sample corpora\n\n"
        "An experiment takes four commands, in this order; the first for named entities is\n\n"
        "[bold]advsp prepare-conll[/] DIR: read the column files, check them, write data/conll2003\n\n"
        "and for word alignment\n\n"
        "[bold]advsp prepare-hansards[/] DIR: read parallel text and its links, write data/hansards\n\n"
        "then, with configs/conll300.yaml or configs/hansards.yaml,\n\n"
        "[bold]advsp train[/] CONFIG: train every system, choose on the validation split\n\n"
        "[bold]advsp evaluate[/] CONFIG: F1 or AER with intervals, paired tests, predictions\n\n"
        "[bold]advsp compare[/]: the paper's tables, its numbers beside ours\n\n"
        "[bold]advsp report[/]: all of it on one page\n\n"
        "To begin with column files of your own:\n\n"
        "[bold]advsp init ner[/] FILE: write a first configuration\n\n"
        "To use what was trained:\n\n"
        "[bold]advsp predict[/] RUN FILE: tag new text\n\n"
        "[bold]advsp align[/] RUN SOURCE TARGET: link the words of new sentence pairs\n\n"
        "To see what it learnt:\n\n"
        "[bold]advsp inspect[/] RUN: weights, learning curves, hard sentences, the game of one\n\n"
        "To look at one sentence pair:\n\n"
        "[bold]advsp show-pair[/] data/hansards 1: its word alignment as a grid\n\n"
        "To see what a game is:\n\n"
        "[bold]advsp show-game[/] table1: every payoff of a tiny one, and its equilibrium\n\n"
        "To have compiled before what the first use would compile:\n\n"
        "[bold]advsp warm-up[/]: all kernels, once an installation\n\n"
        "To see whether everything is in order:\n\n"
        "[bold]advsp doctor[/]: versions, solvers, compiled code, corpora, folders"
    ),
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"advsp {VERSION}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
) -> None:
    """Options of every command; ``--debug`` is read by :func:`run`."""


for _command in (
    "demo",
    "init",
    "prepare_conll",
    "prepare_hansards",
    "train",
    "evaluate",
    "compare",
    "report",
    "predict",
    "align",
    "inspect",
    "show_pair",
    "show_game",
    "warm_up",
    "doctor",
):
    import_module(f"advsp.cli.{_command}").add_to(app)
reflow(app)


def run() -> None:
    """Entry point: run the command line and leave with its exit code."""
    arithmetic.fix()
    debug = "--debug" in sys.argv
    # It may stand before the command or behind it.
    sys.argv = [argument for argument in sys.argv if argument != "--debug"]
    for stream in (sys.stdout, sys.stderr):
        # What a terminal or a log cannot show must not end a command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
        sys.stdout.flush()
    except InputError as error:
        _refuse(str(error), debug)
    except BrokenPipeError:
        # Whoever reads has seen enough; nothing is left to be flushed at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(_CLOSED_PIPE)
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        _refuse(f"{place}{error.strerror or error}", debug)
    except Interrupted:
        print("advsp: interrupted", file=sys.stderr)
        sys.exit(130)


def _refuse(problem: str, debug: bool) -> NoReturn:
    """Say what is wrong in one line, with the traceback before it where that is wanted, and leave."""
    if debug:
        traceback.print_exc()
    print(f"advsp: {problem}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    run()
