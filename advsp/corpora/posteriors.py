"""Posteriors: how probable a program finds each link, beside the links that it predicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from advsp.support.arrays import Floats, Singles
from advsp.support.errors import InputError
from advsp.support.files import read_arrays, write_arrays
from advsp.support.words import counted

#: For every pair its forward and reverse posteriors, float32 [n, m] each.
Grids = list[tuple[Singles, Singles]]


@dataclass(frozen=True, eq=False)
class Posteriors:
    """Probabilities of all T possible links of some sentence pairs, one after the other.

    The links of a pair of n source and m target words stand in the order of its grid [n, m], row by row.

    Attributes
    ----------
    forward: float32 [T], that the source word is the one that the target word translates; over the source
        words of a pair they sum to at most 1, and what is missing is that the target word has none.
    reverse: float32 [T], the same with the sides exchanged.

    Raises
    ------
    ValueError: arrays of another form, or what is no probability.
    """

    forward: Singles
    reverse: Singles

    def __post_init__(self) -> None:
        for array in (self.forward, self.reverse):
            if array.dtype != np.float32 or array.ndim != 1 or len(array) != len(self.forward):
                raise ValueError("expected two float32 arrays of one length")
            # A comparison that a number which is none does not pass.
            if not ((array >= 0) & (array <= 1)).all():
                raise ValueError("probabilities outside 0 to 1")

    def grids(self, shapes: Sequence[tuple[int, int]]) -> Grids:
        """For every pair, of that shape, its forward and reverse probabilities, float32 [n, m] each.

        Raises
        ------
        ValueError: pairs of more or fewer possible links.
        """
        ends = np.cumsum([0, *(n * m for n, m in shapes)])
        if ends[-1] != len(self.forward):
            raise ValueError(
                f"{counted(len(self.forward), 'probability', 'probabilities')} for {ends[-1]} possible links"
            )
        return [
            (self.forward[start:end].reshape(shape), self.reverse[start:end].reshape(shape))
            for start, end, shape in zip(ends, ends[1:], shapes)
        ]

    @classmethod
    def of(cls, grids: Iterable[tuple[Floats, Floats] | tuple[Singles, Singles]]) -> Self:
        """The posteriors whose :meth:`grids` these are."""
        rows = [(forward.ravel(), reverse.ravel()) for forward, reverse in grids]
        sides = zip(*rows, strict=True) if rows else ((), ())
        return cls(*(np.concatenate([np.empty(0, np.float32), *side]).astype(np.float32) for side in sides))

    def save(self, path: str | Path) -> None:
        """Write an npz file, atomically; to the same bytes for the same numbers."""
        write_arrays(path, {"forward": self.forward, "reverse": self.reverse})

    @classmethod
    def load(cls, path: str | Path, hint: str) -> Self:
        """Read what :meth:`save` has written.

        Parameters
        ----------
        hint: how to mend the file if it is not that.

        Raises
        ------
        InputError: missing, damaged, or not posteriors.
        """
        arrays = read_arrays(path, "posteriors", hint)
        try:
            return cls(arrays["forward"], arrays["reverse"])
        except (KeyError, ValueError) as error:
            raise InputError(f"not posteriors: {error}", file=path, hint=hint) from None
