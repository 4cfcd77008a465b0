"""What aligners link in a whole text, for the words of some sentence pairs.

Every direction is by itself: w(i, j) is the mean of the posteriors that the aligners have in it, links
counting as posteriors of 1.  Of two words it is known how often they meet and how much of w they share; of
one word, how often it stands, how much it lacks of a link, and how much it has beyond one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np
from scipy.sparse import csr_matrix

from advsp.corpora.tokens import Words
from advsp.features.bitext.pair_counts import PairCounts
from advsp.support.arrays import Array, Floats, Ints, Singles
from advsp.support.state import State, sparse_arrays, sparse_matrix

#: The directions, in the order of every array that has one of each.
FORWARD, REVERSE = 0, 1
#: The matrices of two words.
_OF_TWO = ("together", "forward", "reverse")


class Bigrams(NamedTuple):
    """Adjacent words of one side of the text; the links are those of the direction in which they are said.

    Attributes
    ----------
    keys: int64 [k], ascending, the number of the first word times that of all words, plus the second's.
    joint: float32 [k + 1], share of their tokens that are linked to one word; the last of any other two.
    monotone: float32 [k + 1], the same, to a word and the one behind it.
    """

    keys: Ints
    joint: Singles
    monotone: Singles

    def find(self, numbers: Ints, words: int) -> tuple[Singles, Singles]:
        """``joint`` and ``monotone`` of the adjacent words of a sentence, float32 [n - 1] each.

        Parameters
        ----------
        numbers: int64 [n], of the words of the sentence.
        words: how many there are, unknown ones among them.
        """
        keys = numbers[:-1] * words + numbers[1:]
        places = np.searchsorted(self.keys, keys)
        known = places < len(self.keys)
        known[known] = self.keys[places[known]] == keys[known]
        places = np.where(known, places, len(self.keys))
        return self.joint[places], self.monotone[places]


class Side(NamedTuple):
    """One side; W words, of which the last one may stand for all that are unknown.

    Attributes
    ----------
    tokens: float32 [W], how often each stands in the text.
    none: float32 [2, W], by direction, how much it lacks of a link, over all tokens: sum of max(0, 1 - mass).
    more: float32 [2, W], how much it has beyond one: sum of min(max(0, mass - 1), 1).
    bigrams: of neighbours.
    """

    tokens: Singles
    none: Singles
    more: Singles
    bigrams: Bigrams

    def arrays(self, name: str) -> dict[str, Array]:
        """What :meth:`of` makes it of again, each array under the name of the side and its own."""
        arrays: dict[str, Array] = {
            f"{name}_tokens": self.tokens,
            f"{name}_none": self.none,
            f"{name}_more": self.more,
        }
        return arrays | {f"{name}_bigram_{part}": of for part, of in self.bigrams._asdict().items()}

    @classmethod
    def of(cls, name: str, arrays: Mapping[str, Array]) -> Self:
        """The side whose :meth:`arrays` these are."""
        bigrams = Bigrams(*(arrays[f"{name}_bigram_{part}"] for part in Bigrams._fields))
        return cls(arrays[f"{name}_tokens"], arrays[f"{name}_none"], arrays[f"{name}_more"], bigrams)

    def share(self, of: Singles, direction: int, numbers: Ints) -> Floats:
        """``none`` or ``more`` of a token of these words, 0 for unknown ones; float64 [n]."""
        shares: Floats = of[direction][numbers] / np.maximum(self.tokens[numbers].astype(np.float64), 1)
        return shares


@dataclass(frozen=True, eq=False)
class LinkStatistics:
    """Links of the words of some sentence pairs, numbered as in :class:`~.statistics.Statistics`.

    Attributes
    ----------
    together: CSR float32 [V, W], possible links of the two words in the text.
    linked: by direction, CSR float32 of the same shape, the sum of w over these.
    source, target: the two sides.
    frequent: the words of either side that stand most often in the text.
    """

    together: csr_matrix
    linked: tuple[csr_matrix, csr_matrix]
    source: Side
    target: Side
    frequent: tuple[Words, Words]

    def of(self, direction: int, source: Ints, target: Ints) -> tuple[Floats, Floats]:
        """The sum of w over all possible links of the two words, and the number of these.

        Parameters
        ----------
        source, target: int [n] and int [m], numbers of words.

        Returns
        -------
        float64 [n, m] each
        """
        linked, together = (
            counts.of(source, target).astype(np.float64)
            for counts in (self._linked[direction], self._together)
        )
        return linked, together

    @cached_property
    def _together(self) -> PairCounts:
        return PairCounts(self.together)

    @cached_property
    def _linked(self) -> tuple[PairCounts, PairCounts]:
        return PairCounts(self.linked[FORWARD]), PairCounts(self.linked[REVERSE])

    def state(self) -> State:
        """What :meth:`from_state` needs."""
        arrays: dict[str, Array] = {}
        for name, counts in zip(_OF_TWO, (self.together, *self.linked), strict=True):
            arrays |= sparse_arrays(name, counts)
        for name, side in (("source", self.source), ("target", self.target)):
            arrays |= side.arrays(name)
        return State({"frequent": [list(words) for words in self.frequent]}, arrays)

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The statistics whose ``state`` this is."""
        arrays = state.arrays
        source, target = (Side.of(name, arrays) for name in ("source", "target"))
        shape = len(source.tokens), len(target.tokens)
        together, forward, reverse = (sparse_matrix(name, arrays, shape) for name in _OF_TWO)
        first, second = (tuple(words) for words in state.values["frequent"])
        return cls(together, (forward, reverse), source, target, (first, second))
