"""Where entities begin: what the probabilities of a class's tags say."""

from __future__ import annotations

from collections.abc import Mapping

from advsp.learners.base import Decoded
from advsp.support.arrays import Bools, Floats
from advsp.training.instances import ChainInstances


def beginnings(said: Mapping[str, Decoded]) -> dict[str, Bools]:
    """Class to where its entities begin, bool [T], of those classes of which that is said."""
    return {label: what.begins for label, what in said.items() if what.begins is not None}


def begins(instances: ChainInstances, label: str, probabilities: Floats) -> Bools | None:
    """Whether an entity of a class more probably begins at a token than goes on, bool [T].

    None where tags are classes and say nothing of that.

    Parameters
    ----------
    probabilities: float [T, m], of every tag; empty where tags are classes.
    """
    if not (first := instances.beginning(label)):
        return None
    later = [tag for tag in instances.tags_of(label) if tag not in first]
    found: Bools = probabilities[:, list(first)].sum(axis=1) > probabilities[:, later].sum(axis=1)
    return found
