"""Structures: one file each.  See :mod:`advsp.structures.base` for what a structure must do."""

from __future__ import annotations

from advsp.registry import Registry
from advsp.structures.base import Structure

structures: Registry[type[Structure]] = Registry("structure", "advsp.structures")
