"""Optimisers: one file each.  See :mod:`advsp.training.optimisers.base` for the contract."""

from __future__ import annotations

from advsp.registry import Registry
from advsp.training.optimisers.base import Optimiser

optimisers: Registry[type[Optimiser]] = Registry("optimiser", "advsp.training.optimisers")
