"""Generators of uniform random numbers by name and seed: one file each.

See :mod:`advsp.support.random.base` for the contract.  A generator is named where a result depends on the
very numbers that another program drew.
"""

from __future__ import annotations

from advsp.support.random.base import Generator
from advsp.support.registry import Registry

generators: Registry[type[Generator]] = Registry("random generator", "advsp.support.random")
