"""What a metric is: counts of every example, and scores of their sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from advsp.support.arrays import Bools, Floats, Ints, Numbers
from advsp.training.instances import Instances


class Metric(ABC):
    """A score of a whole corpus that depends on sums of counts alone.

    Attributes
    ----------
    columns: names of the q counts.
    lower_is_better: whether a better system has a lower score.
    joint: whether it is of decisions that exclude each other, see :mod:`advsp.metrics.joint`; classes are
        not chosen for one by one then.
    """

    columns: ClassVar[tuple[str, ...]]
    lower_is_better: ClassVar[bool] = False
    joint: ClassVar[bool] = False

    @abstractmethod
    def counts(self, decided: Bools, instances: Instances, label: str, begins: Bools | None = None) -> Ints:
        """Counts int64 [S, q] of the decisions bool [T] about one class; those of classes add up.

        begins: bool [T], whether an entity begins where one before it may go on; none does by default.
        """

    @abstractmethod
    def score(self, sums: Numbers) -> Floats:
        """Scores between 0 and 1, [...], of summed counts [..., q]."""

    @abstractmethod
    def precision(self, sums: Numbers) -> Floats:
        """Precision [...] of summed counts [..., q]."""

    @abstractmethod
    def recall(self, sums: Numbers) -> Floats:
        """Recall [...] of summed counts [..., q]."""

    def merit(self, sums: Numbers) -> Floats:
        """The score turned so that higher is better: what is chosen by."""
        score = self.score(sums)
        return 1.0 - score if self.lower_is_better else score
