"""What part each label plays in a score: whether it counts, and how often it is a hit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from advsp.support.arrays import Bools, Floats, Ints

#: Labels of an edge: not a link, a possible link, a sure link.
N, P, S = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Roles:
    """The part of each of the adversary's L labels in a score.

    Attributes
    ----------
    hits: float [L], how often a label counts as a hit where the predictor has a one.
    counted: bool [L], whether a label adds to the adversary's count.
    """

    hits: Floats
    counted: Bools

    @classmethod
    def of_target(cls, labels: int, target: int | Iterable[int]) -> Self:
        """The labels of ``target`` count and are hits, the others are neither.

        Parameters
        ----------
        labels: number of labels L.
        target: one label or a set of them, such as B-PER and I-PER.

        Raises
        ------
        ValueError: no label, or one that there is not.
        """
        chosen = sorted({target} if isinstance(target, int | np.integer) else set(target))
        if not chosen or not 0 <= chosen[0] <= chosen[-1] < labels:
            raise ValueError(f"target {target} is not one of {labels} labels, or a set of some")
        counted = np.zeros(labels, dtype=bool)
        counted[chosen] = True
        return cls(counted.astype(float), counted)

    @classmethod
    def of_links(cls, possible: float = 0.0, sure: float = 1.0) -> Self:
        """Sure links count; hitting a possible link and a sure one are worth so much."""
        return cls(np.array([0.0, possible, sure]), np.array([False, False, True]))

    @cached_property
    def parts(self) -> Ints:
        """A number for the part of each label, int [L]: 0 for none; equal numbers for equal parts."""
        pairs = np.unique(np.stack([self.counted, self.hits], axis=1), axis=0, return_inverse=True)[1].ravel()
        return np.where(self.counted | (self.hits != 0), 1 + pairs, 0)

    @cached_property
    def single(self) -> bool:
        """Whether there is one part alone: labels that count and are hit once, or neither."""
        return bool(self.counted.any() and np.array_equal(self.hits, self.counted))
