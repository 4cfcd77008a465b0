"""What somebody else might add, each in a file of its own, and registering it for as long as a test lasts.

Other tests go over everything that is registered: what they find must not depend on what ran before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from advsp.support.registry import Registry

_FOUND: dict[str, Any] = {}


def member(module: str, registry: Registry[Any], name: str) -> Any:
    """What ``outside.MODULE`` registers as ``name``, taken off the registry again."""
    if module not in _FOUND:
        import_module(f"outside.{module}")
        _FOUND[module] = registry._members.pop(name)
    return _FOUND[module]


@contextmanager
def registered(module: str, registry: Registry[Any], name: str) -> Iterator[Any]:
    """The same, registered inside the block."""
    registry._members[name] = found = member(module, registry, name)
    try:
        yield found
    finally:
        del registry._members[name]
