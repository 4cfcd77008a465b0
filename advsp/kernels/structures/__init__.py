"""Structures in compiled form: one file each; see :mod:`advsp.kernels.structures.dispatch` for the contract.

Importing the package makes all of them known.
"""

from __future__ import annotations

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
