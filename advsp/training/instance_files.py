"""Instances as files: one npz of plain arrays a split."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from advsp.support.errors import InputError
from advsp.support.files import read_arrays, write_arrays
from advsp.training.instances import KINDS, Instances


def save_instances(path: Path, instances: Instances) -> None:
    """Write instances as one npz file of plain arrays."""
    write_arrays(path, {"kind": np.array(instances.kind), **instances.arrays()})


def load_instances(path: Path) -> Instances:
    """Read what :func:`save_instances` wrote."""
    hint = "train anew with --overwrite"
    arrays = read_arrays(path, "a file of instances", hint)
    kind = str(arrays.pop("kind", ""))
    if kind not in KINDS:
        raise InputError("was not written by this version", file=path, hint=hint)
    try:
        return KINDS[kind].from_arrays(arrays)
    except KeyError:
        raise InputError("was not written by this version", file=path, hint=hint) from None


def count_instances(path: Path) -> int:
    """Number of examples in a file of instances, without reading them."""
    hint = "train anew with --overwrite"
    return len(read_arrays(path, "a file of instances", hint, names=("offsets",))["offsets"]) - 1
