"""The named tuples that stand for objects outside: found by the name of a kind, made from their fields."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import TypeVar

T = TypeVar("T", bound=type)

_KINDS: dict[str, type] = {}


def twin_of(kind: str) -> Callable[[T], T]:
    """Class decorator: the named tuple is the twin of what describes itself as ``kind``."""

    def add(twin: T) -> T:
        if kind in _KINDS:
            raise ValueError(f"{kind!r} has two twins")
        _KINDS[kind] = twin
        return twin

    return add


def kind_of(name: str) -> type | None:
    """The named tuple that is the twin of a kind, None if kernels do not know it."""
    _load()
    return _KINDS.get(name)


@cache
def _load() -> None:
    """Import every module beside this one: twins are made known by their own files."""
    package = importlib.import_module("advsp.kernels")
    for module in pkgutil.walk_packages(package.__path__, "advsp.kernels."):
        importlib.import_module(module.name)
