"""Structures: one file each.  See :mod:`advsp.engine.structures.base` for what a structure must do."""

from __future__ import annotations

from advsp.engine.structures.base import Structure
from advsp.support.registry import Registry

structures: Registry[type[Structure]] = Registry(
    "structure", "advsp.engine.structures", plugins="advsp.structures"
)
