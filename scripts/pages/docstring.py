"""Docstrings as they are written here: paragraphs, and sections with a line below their heading."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Docstring:
    """What a docstring says, and what it says of every name.

    Attributes
    ----------
    text: everything before the first section, a paragraph a line.
    names: what stands below ``Attributes`` or ``Parameters``, by name.
    """

    text: str
    names: dict[str, str]


def read(thing: object) -> Docstring:
    """The docstring of a class or function; empty where it has none.

    >>> def sample():
    ...     '''One thing
    ...     in two lines.
    ...
    ...     Attributes
    ...     ----------
    ...     a, b: two numbers
    ...         of a kind.
    ...     '''
    >>> read(sample).text, read(sample).names["b"]
    ('One thing in two lines.', 'two numbers of a kind.')
    """
    told = inspect.getdoc(thing) or ""
    names: dict[str, str] = {}
    for parent in getattr(thing, "__mro__", ())[1:]:
        if parent.__module__.startswith("advsp.") and parent.__doc__:
            names = {**read(parent).names, **names}
    before, *sections = re.split(r"(?m)^(\w+)\n-+$", told)
    paragraphs = [" ".join(part.split()) for part in before.strip().split("\n\n") if part.strip()]
    for heading, body in zip(sections[::2], sections[1::2], strict=True):
        if heading in ("Attributes", "Parameters"):
            for entry in re.split(r"\n(?=\S)", body.strip("\n")):
                listed, _, about = entry.partition(":")
                for name in listed.split(","):
                    names[name.strip()] = " ".join(about.split())
    return Docstring("\n\n".join(paragraphs), names)


def as_markdown(text: str) -> str:
    """Sphinx's roles and double backticks as Markdown has them.

    >>> as_markdown("see :class:`~advsp.engine.game.Game`, ``a | b``")
    'see `Game`, `a | b`'
    """
    text = re.sub(r":\w+:`~?\.?(?:[\w.]+\.)?(\w+)`", r"`\1`", text)
    return text.replace("``", "`")
