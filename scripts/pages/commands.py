"""Every command with its arguments and options, read off the program itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer
from typer.core import TyperGroup

from advsp.cli.main import app

if TYPE_CHECKING:
    from typer._click import Parameter  # typer's own copy of click


def page() -> str:
    """The page of commands."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return "\n".join(["# Options of every command\n", "Made from the program.\n", *_group(group, "advsp")])


def _group(group: TyperGroup, path: str) -> Iterator[str]:
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from _group(command, f"{path} {name}")
            continue
        yield f"## `{path} {name}`\n"
        for paragraph in (command.help or "").split("\n\n"):
            # What is typed at a prompt is code; so is a paragraph for the eye alone.
            typed = [line.removeprefix("$ ") for line in paragraph.split("\n") if line.startswith("$ ")]
            yield "```\n" + "\n".join(typed) + "\n```\n" if typed else f"{paragraph}\n"
        yield "| | default | |\n|---|---|---|"
        for parameter in command.params:
            yield _line(parameter)
        yield ""


def _line(parameter: Parameter) -> str:
    """A line of the table: an argument's name in capitals, or an option."""
    argument = parameter.param_type_name == "argument"
    names = [(parameter.name or "").upper()] if argument else parameter.opts
    default = parameter.default
    shown = "" if default is None or default is False or callable(default) else f"`{default}`"
    about = " ".join((getattr(parameter, "help", None) or "").split())
    called = ", ".join(f"`{name}`" for name in names)
    cells = (called, "required" if parameter.required else shown, about)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
