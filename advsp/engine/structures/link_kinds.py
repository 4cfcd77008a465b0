"""Structures of links by name."""

from __future__ import annotations

from advsp.engine.structures import structures
from advsp.engine.structures.base import LinkStructure
from advsp.support.errors import InputError


def link_kinds() -> list[str]:
    """Names of the registered structures of links."""
    return [name for name in structures if issubclass(structures.get(name), LinkStructure)]


def links_named(name: str) -> type[LinkStructure]:
    """The structure of links of a name.

    Raises
    ------
    InputError: it is not one of links.
    """
    kind = structures.get(name)
    if not issubclass(kind, LinkStructure):
        raise InputError(
            f"{name} is no structure of links",
            key="structure",
            hint=f"known: {', '.join(link_kinds())}",
        )
    return kind
