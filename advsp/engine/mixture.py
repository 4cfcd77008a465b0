"""A player's mixed strategy: labellings and their probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from advsp.support.arrays import Floats, Labels
from advsp.support.equality import equal_by_value


@equal_by_value
@dataclass(frozen=True)
class Mixture:
    """A distribution over labellings of n positions.

    Attributes
    ----------
    labellings: int8 [s, n]; 0/1 for the predictor; tags, or 0=N 1=P 2=S, for the adversary.
    probabilities: float [s], non-negative, summing to one.

    Examples
    --------
    >>> mixture = Mixture(np.array([[1, 0], [1, 1]], dtype=np.int8), np.array([0.75, 0.25]))
    >>> mixture.mode().tolist(), mixture.marginal().tolist()
    ([1, 0], [1.0, 0.25])
    """

    labellings: Labels
    probabilities: Floats

    @classmethod
    def pure(cls, labelling: ArrayLike) -> Mixture:
        """The mixture that always plays ``labelling`` [n]."""
        return cls(np.asarray(labelling, dtype=np.int8)[None, :], np.ones(1))

    def support(self) -> Mixture:
        """The same mixture without strategies of zero probability."""
        kept = self.probabilities > 0.0
        return self if kept.all() else Mixture(self.labellings[kept], self.probabilities[kept])

    def mode(self) -> Labels:
        """The most probable labelling, int8 [n]; the first of them on a tie."""
        labelling: Labels = self.labellings[int(self.probabilities.argmax())]
        return labelling

    def marginal(self, label: int = 1) -> Floats:
        """Probability of ``label`` at every position, float [n]."""
        marginal: Floats = self.probabilities @ (self.labellings == label)
        return marginal
