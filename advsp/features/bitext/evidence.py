"""All that features may look at, of one sentence pair: its words, never its links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from advsp.corpora.tokens import Words
from advsp.features.bitext.aligners import Aligner
from advsp.features.bitext.link_counts import LinkCounts, once_for_a_type
from advsp.features.bitext.link_statistics import LinkStatistics
from advsp.features.bitext.statistics import Statistics
from advsp.support.arrays import Bools, Floats, Ints

#: A mean posterior below which a link is no candidate.
_AT_ALL = 1e-3


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
    counted: whether the pair is one of those that ``link_counts`` and ``link_statistics`` have counted.
    link_statistics: what aligners link in the whole text; None where nobody looks at that.
    everywhere: names of the aligners whose links of the whole text these are.
    """

    source: Words
    target: Words
    statistics: Statistics
    aligners: tuple[Aligner, ...]
    predicted: Mapping[str, Bools]
    link_counts: LinkCounts
    posteriors: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict)
    counted: bool = True
    link_statistics: LinkStatistics | None = None
    everywhere: tuple[str, ...] = ()

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
    def whole(self) -> dict[str, tuple[Floats, Floats]]:
        """For every aligner that knows the whole text its two posteriors, float64 [n, m] each.

        Those of an aligner that has none are 1 where it predicts a link.
        """
        return {
            name: self.posteriors[name]
            if name in self.posteriors
            else (
                self.predicted[f"{name}.forward"].astype(np.float64),
                self.predicted[f"{name}.reverse"].astype(np.float64),
            )
            for name in self.everywhere
        }

    @cached_property
    def weights(self) -> tuple[Floats, Floats]:
        """The mean of their posteriors in either direction, float64 [n, m] each."""
        forward, reverse = np.mean(list(self.whole.values()), axis=0)
        return forward, reverse

    @property
    def candidates(self) -> Bools:
        """Links that some aligner predicts, or that those of the whole text find probable; bool [n, m]."""
        forward, reverse = self.weights
        likely: Bools = (self.votes > 0) | (forward + reverse > 2 * _AT_ALL)
        return likely

    def linked_elsewhere(self, direction: int) -> tuple[Floats, Floats]:
        """How often aligners link two words in the whole text, and how often these meet, but for this link.

        Returns
        -------
        float64 [n, m] each
        """
        assert self.link_statistics is not None
        linked, together = self.link_statistics.of(direction, self.source_numbers, self.target_numbers)
        if self.counted:
            linked -= self.weights[direction]
            together -= 1
        return np.maximum(linked, 0), np.maximum(together, 0)

    @cached_property
    def votes(self) -> Ints:
        """By how many directions a link is predicted, int64 [n, m]."""
        counts = np.zeros(self.shape, dtype=np.int64)
        for links in self.predicted.values():
            counts += links
        return counts
