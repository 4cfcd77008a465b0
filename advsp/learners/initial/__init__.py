"""Initial weights: one file each.  See :mod:`advsp.learners.initial.base` for the contract."""

from __future__ import annotations

from advsp.learners.initial.base import Initial
from advsp.support.registry import Registry

initials: Registry[type[Initial]] = Registry("initial weights", "advsp.learners.initial")
