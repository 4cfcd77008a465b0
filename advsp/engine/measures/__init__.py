"""Measures: one file each.  See :mod:`advsp.engine.measures.base` for what a measure must say."""

from __future__ import annotations

from advsp.engine.measures.base import Measure
from advsp.support.registry import Registry

measures: Registry[type[Measure]] = Registry("measure", "advsp.engine.measures", plugins="advsp.measures")
