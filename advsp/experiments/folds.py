"""Folds: parts of the training and validation splits taken together that are held out in turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from advsp.support.arrays import Bools
from advsp.training.instances import Instances


@dataclass(frozen=True)
class Fold:
    """A part of the examples that is held out.

    Attributes
    ----------
    number: from 0.
    folds: how many there are.
    seed: decides which examples are in which fold.
    """

    number: int
    folds: int
    seed: int

    def held_out(self, examples: int) -> Bools:
        """Which of so many examples are held out, bool [S]; folds differ in size by one at most."""
        order = np.random.default_rng([self.seed, self.folds]).permutation(examples)
        out: Bools = order % self.folds == self.number
        return out


def folded(train: Instances, validation: Instances | None, fold: Fold) -> tuple[Instances, Instances]:
    """The examples of both splits that are not held out, and those that are."""
    both = train if validation is None else type(train).joined([train, validation])
    out = fold.held_out(len(both))
    return both.take(np.flatnonzero(~out)), both.take(np.flatnonzero(out))
