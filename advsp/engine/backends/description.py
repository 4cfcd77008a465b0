"""How an object tells a compiled backend what it is: the name of its twin there, and plain values.

Kernels know arrays and numbers; structures, losses, models and optimisers know nothing of kernels.  What both
know is the name and the fields of a description.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol, TypeAlias

from advsp.support.arrays import Array

Field: TypeAlias = "Array | int | float | bool | Description"


class Description(NamedTuple):
    """What an object is made of.

    Attributes
    ----------
    kind: registered name of its twin among the kernels.
    fields: the twin's fields by name.
    """

    kind: str
    fields: Mapping[str, Field]


class Described(Protocol):
    """Something that may have a twin among the kernels."""

    def describe(self) -> Description | None:
        """What the object is; None where there is no twin of it.

        It holds for objects of the very class that defines it: a subclass may do something else, and has to
        describe itself anew.  To be asked for by :func:`description_of` alone.
        """
        return None


def description_of(thing: Described) -> Description | None:
    """What a thing says of itself, None if its own class says nothing."""
    return thing.describe() if "describe" in vars(type(thing)) else None
