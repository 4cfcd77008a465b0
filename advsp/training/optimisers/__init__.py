"""Optimisers: one file each.  See :mod:`advsp.training.optimisers.base` for the contract."""

from __future__ import annotations

from advsp.support.registry import Registry
from advsp.training.optimisers.base import Optimiser

optimisers: Registry[type[Optimiser]] = Registry(
    "optimiser", "advsp.training.optimisers", plugins="advsp.optimisers"
)
