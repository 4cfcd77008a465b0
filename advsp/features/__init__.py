"""Sentences to sparse feature matrices.

A preset is a class registered in :data:`presets`, one file each (:mod:`advsp.features.stanford` shows
the contract): ``fit`` learns the feature names and freezes them, ``transform`` drops names it does not
know, ``state`` and ``from_state`` carry what was learnt from one process to another.
"""

from advsp.support.registry import Registry

presets: Registry[type] = Registry("feature preset", "advsp.features")
