"""Columns of mean 0 and standard deviation 1, by what the training edges are like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from advsp.support.arrays import Floats, Ints
from advsp.support.state import State
from advsp.training.instances import BIAS


@dataclass(frozen=True, eq=False)
class Scaling:
    """Which of F columns are kept, and how each is shifted, scaled and bounded.

    A column that is the same on all edges that are looked at tells nothing and is dropped, whatever it is
    elsewhere; the bias alone is kept.

    Attributes
    ----------
    kept: int64 [K], the columns kept, ascending.
    means, deviations: float64 [K].
    bound: a value that is farther from 0 when scaled is taken for this.
    """

    kept: Ints
    means: Floats
    deviations: Floats
    bound: float = np.inf

    @classmethod
    def fit(cls, features: Floats, names: Sequence[str], bound: float = np.inf) -> Self:
        """Look at training edges, float64 [T, F], T > 0."""
        bias = np.array([name == BIAS for name in names])
        varies = features.min(axis=0) < features.max(axis=0)
        kept = np.flatnonzero(varies | bias)
        means, deviations = (
            np.where(bias[kept], neutral, values[kept])
            for neutral, values in ((0.0, features.mean(axis=0)), (1.0, features.std(axis=0)))
        )
        return cls(kept, means, deviations, bound)

    def apply(self, features: Floats) -> Floats:
        """float64 [T, F] to float64 [T, K]."""
        scaled = features.take(self.kept, axis=1)
        scaled -= self.means
        scaled /= self.deviations
        if self.bound < np.inf:
            np.clip(scaled, -self.bound, self.bound, out=scaled)
        return scaled

    def state(self) -> State:
        """What :meth:`from_state` needs."""
        values = {"bound": self.bound} if self.bound < np.inf else {}
        arrays = {"kept": self.kept, "means": self.means, "deviations": self.deviations}
        return State(values, arrays)

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The scaling whose ``state`` this is."""
        return cls(**state.arrays, bound=state.values.get("bound", np.inf))
