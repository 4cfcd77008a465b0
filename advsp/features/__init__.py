"""Sentences to sparse feature matrices.

A preset is a class registered in :data:`presets`, one file each; see :mod:`advsp.features.base` for the
contract.
"""

from __future__ import annotations

from advsp.features.base import Preset
from advsp.support.registry import Registry

presets: Registry[type[Preset]] = Registry("feature preset", "advsp.features", plugins="advsp.features")
