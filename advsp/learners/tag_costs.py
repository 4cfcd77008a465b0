"""What it costs to give a token another tag than its gold one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advsp.support.arrays import Floats, Ints
from advsp.training.instances import ChainInstances


def class_numbers(instances: ChainInstances, classes: Sequence[str]) -> Ints:
    """The number of every tag's class, int64 [m]; -1 for tags that are of none of the ``classes``."""
    numbers = np.full(len(instances.tag_names), -1, dtype=np.int64)
    for number, label in enumerate(classes):
        numbers[list(instances.tags_of(label))] = number
    return numbers


def missed_and_false(
    instances: ChainInstances, classes: Sequence[str], missed: float, false: float
) -> Floats:
    """Costs float [m, m] of a gold tag and another one: of a class that is missed, and of one that is false.

    Whoever takes one class for another pays for both; tags of one class, as B-PER and I-PER, cost nothing.
    """
    numbers = class_numbers(instances, classes)
    apart = numbers[:, None] != numbers[None, :]
    costs: Floats = missed * (numbers >= 0)[:, None] + false * (numbers >= 0)[None, :]
    return np.where(apart, costs, 0.0)


def hamming(instances: ChainInstances) -> Floats:
    """Costs float [m, m]: 1 for every tag but the gold one."""
    return 1.0 - np.eye(len(instances.tag_names))
