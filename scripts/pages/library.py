"""The public names of the library, by what they are for; their docstrings are put in by mkdocstrings."""

from __future__ import annotations

import advsp

#: Names that are no objects.
_NO_OBJECTS = {"__version__"}


def page() -> str:
    """The page of the library."""
    names = sorted(name for name in advsp.__all__ if name not in _NO_OBJECTS)
    parts = ["# Library\n", "The public names of `advsp`; examples are run as tests.\n"]
    for name in names:
        thing = getattr(advsp, name)
        parts.append(f"## {name}\n\n::: {thing.__module__}.{thing.__qualname__}\n")
    return "\n".join(parts)
