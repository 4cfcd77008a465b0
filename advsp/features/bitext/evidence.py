"""All that features may look at, of one sentence pair: its words, never its links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from advsp.corpora.tokens import Words
from advsp.features.bitext.aligners import Aligner
from advsp.features.bitext.link_counts import LinkCounts, once_for_a_type
from advsp.features.bitext.statistics import Statistics
from advsp.support.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Evidence:
    """A sentence pair of n source and m target words, and what is known about them.

    Attributes
    ----------
    source, target: the words as they stand in the labelled text.
    statistics: counts of unlabelled text.
    aligners: the aligners whose predictions are known.
    predicted: for every direction of theirs its links, bool [n, m].
    link_counts: how often these aligners link two words.
    posteriors: for every aligner that has some its posteriors, forward and reverse, float64 [n, m] each.
    counted: whether the pair is one of those that ``link_counts`` has counted.
    """

    source: Words
    target: Words
    statistics: Statistics
    aligners: tuple[Aligner, ...]
    predicted: Mapping[str, Bools]
    link_counts: LinkCounts
    posteriors: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict)
    counted: bool = True

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of source and of target words."""
        return len(self.source), len(self.target)

    @cached_property
    def source_numbers(self) -> Ints:
        """int64 [n], numbers of the source words in ``statistics``."""
        return self.statistics.source.numbers(self.source)

    @cached_property
    def target_numbers(self) -> Ints:
        """int64 [m], numbers of the target words in ``statistics``."""
        return self.statistics.target.numbers(self.target)

    @cached_property
    def dice(self) -> Floats:
        """Dice coefficients, float64 [n, m]."""
        return self.statistics.dice(self.source_numbers, self.target_numbers)

    @cached_property
    def distance(self) -> Floats:
        """How far apart two words stand, |j / n - k / m| for the words j and k from 1, float64 [n, m]."""
        rows, columns = ((1 + np.arange(length)) / length for length in self.shape)
        return np.abs(rows[:, None] - columns)

    @cached_property
    def agreed(self) -> dict[str, Bools]:
        """For every aligner the links that all its directions predict, bool [n, m]."""
        return {
            aligner.name: np.logical_and.reduce([self.predicted[name] for name in aligner.directions])
            for aligner in self.aligners
        }

    def linked(self, aligner: str) -> tuple[Ints, Ints]:
        """Pairs, this one among them, in which an aligner links two words, and in which they stand.

        So a pair that was not counted is seen as those were from which the features learnt; int64 [n, m].
        """
        numbers = self.source_numbers, self.target_numbers
        linked, together = self.link_counts.of(aligner, *numbers)
        if self.counted:
            return linked, together
        return linked + once_for_a_type(*numbers, self.agreed[aligner]), together + 1

    @cached_property
    def votes(self) -> Ints:
        """By how many directions a link is predicted, int64 [n, m]."""
        counts = np.zeros(self.shape, dtype=np.int64)
        for links in self.predicted.values():
            counts += links
        return counts
