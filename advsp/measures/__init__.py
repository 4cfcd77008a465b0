"""Measures: one file each.  See :mod:`advsp.measures.base` for what a measure must say."""

from __future__ import annotations

from advsp.measures.base import Measure
from advsp.registry import Registry

measures: Registry[type[Measure]] = Registry("measure", "advsp.measures")
