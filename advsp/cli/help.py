"""The program's own help, drawn with a few parts of rich.

Typer's help brings along what draws Markdown, tracebacks and highlighted code; loading that takes as long as
everything else that ``advsp --help`` does.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from typer._click import Context  # typer's own copy of click


def reflow(app: typer.Typer) -> None:
    """Have what commands say of themselves fill the lines there are, instead of those it is written in."""
    for command in app.registered_commands:
        if command.callback is not None:
            command.help = reflowed(inspect.getdoc(command.callback) or "")
    for group in app.registered_groups:
        if group.typer_instance is not None:
            reflow(group.typer_instance)


def reflowed(text: str) -> str:
    """A text whose paragraphs are a line each; what is indented is typed at a prompt.

    >>> print(reflowed("one\\ntwo\\n\\n    advsp train\\n\\nthree"))
    one two
    <BLANKLINE>
    $ advsp train
    <BLANKLINE>
    three
    """
    paragraphs = [paragraph.split("\n") for paragraph in text.split("\n\n")]
    return "\n\n".join(
        "\n".join(f"$ {line.strip()}" for line in lines)
        if lines[0].startswith(" ")
        else " ".join(line.strip() for line in lines)
        for lines in paragraphs
    )


def draw_help(group: TyperGroup, ctx: Context) -> None:
    """Print usage, description, options and commands of ``group``."""
    from rich.box import ROUNDED
    from rich.console import Console
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    def panel(title: str, lines: list[tuple[str, str]]) -> Panel:
        table = Table.grid(padding=(0, 2))
        table.add_column(style="bold cyan", no_wrap=True)
        table.add_column()
        for name, explanation in lines:
            table.add_row(Text(name), Text(explanation))
        return Panel(table, title=title, title_align="left", border_style="dim", box=ROUNDED, padding=(0, 1))

    usage = Text.assemble(
        ("Usage: ", "yellow"), (ctx.command_path, "bold"), " ", " ".join(group.collect_usage_pieces(ctx))
    )
    options = [record for p in group.get_params(ctx) if (record := p.get_help_record(ctx)) is not None]
    commands = [(name, group.get_command(ctx, name)) for name in group.list_commands(ctx)]
    summaries = [(name, command.get_short_help_str(limit=200)) for name, command in commands if command]
    console = Console(highlight=False)
    console.print(Padding(usage, 1))
    console.print(Padding(Text.from_markup(group.help or ""), (0, 1, 1, 1)))
    console.print(panel("Options", options))
    console.print(panel("Commands", summaries))
