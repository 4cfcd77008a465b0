"""The one door to the compiled kernels: nothing else imports them, or numba.

Modules behind it are imported on first use, and only where :func:`missing` says None.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from advsp.kernels import INSTALL, available

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advsp.kernels.compilation import Compilation

__all__ = ["INSTALL", "compiling", "folder", "is_kept", "is_new", "missing", "module", "processor"]


def missing() -> str | None:
    """None if there are kernels here, else one clause saying what is missing."""
    return None if available() else "the package 'numba' is not installed"


@cache
def module(name: str) -> ModuleType:
    """The module of the kernels that is called ``name``, e.g. ``"simplex"``."""
    from importlib import import_module

    return import_module(f"advsp.kernels.{name}")


@contextmanager
def compiling() -> Iterator[Compilation]:
    """A block in which compilation is timed: the ``seconds`` of what is given."""
    from advsp.kernels.compilation import Compilation

    with Compilation() as compilation:
        yield compilation


def is_new() -> bool:
    """Whether no compiled code is kept yet."""
    found: bool = module("compilation").is_new()
    return found


def is_kept() -> bool:
    """Whether compiled code is kept for other processes."""
    kept: bool = module("compilation").is_kept()
    return kept


def processor() -> str:
    """The kind of processor that code is compiled for."""
    name: str = module("compilation").processor()
    return name


def folder() -> Path:
    """Where compiled code is kept."""
    from advsp.kernels.compilation import FOLDER

    return FOLDER
