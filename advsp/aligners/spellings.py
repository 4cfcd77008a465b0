"""Spellings: words that begin alike are counted together, and rare ones lean on what begins alike less far.

A spelling is a number of letters: words are the same if they begin with the same so many.  Types are pairs of
words that meet in some sentence pair.  Counts are made in the finest spelling and summed to the coarser ones;
how much more often than by chance a word is said for another one is then read off the finest spelling, as far
as that was counted often enough, and off the coarser ones otherwise (Jelinek and Mercer's interpolation, with
the weights of Dirichlet priors; MacKay and Peto 1995).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np

from advsp.corpora.tokens import Words
from advsp.corpora.word_pairs import Batch, Known, WordPairs, cut_types, cut_words
from advsp.support.arrays import Floats, Integers, Ints, ShortInts, Singles


class Strengths(NamedTuple):
    """How many counts a coarser say is worth.

    Attributes
    ----------
    backoff: what the next coarser spelling says, in a finer one.
    chance: that the words are said by chance, in the coarsest spelling.
    """

    backoff: float
    chance: float

    def of(self, coarsest: bool) -> float:
        """The strength in a spelling."""
        return self.chance if coarsest else self.backoff


@dataclass(frozen=True, eq=False)
class Spelling:
    """The text in one spelling; U types of V source and W target words.

    Attributes
    ----------
    vocabularies: source and target words.
    source_of, target_of: int32 [U], the words of the types, which are sorted by them.
    shares: float64 [V] and [W], the part of all words of a side that each is.
    """

    vocabularies: tuple[Words, Words]
    source_of: ShortInts
    target_of: ShortInts
    shares: tuple[Floats, Floats]

    @property
    def sides(self) -> tuple[ShortInts, ShortInts]:
        """The source and the target words of the types."""
        return self.source_of, self.target_of

    def cut(self, letters: int) -> tuple[Spelling, Ints]:
        """The same text in a coarser spelling, and for every type its number there, int64 [U]."""
        first, second = (cut_words(words, letters) for words in self.vocabularies)
        source_of, target_of, upward = cut_types(self.source_of, self.target_of, first[1], second[1])
        shares = tuple(
            np.bincount(number, share, minlength=len(words)).astype(np.float64, copy=False)
            for (words, number), share in zip((first, second), self.shares, strict=True)
        )
        coarse = Spelling((first[0], second[0]), source_of, target_of, (shares[0], shares[1]))
        return coarse, upward


@dataclass(frozen=True, eq=False)
class Spellings:
    """The text in all spellings, the finest first.

    Attributes
    ----------
    levels: the spellings.
    upward: for every level but the coarsest int64 [U], the numbers of its types in the next one.
    """

    levels: tuple[Spelling, ...]
    upward: tuple[Ints, ...]

    @classmethod
    def of(cls, pairs: WordPairs, coarser: Sequence[int]) -> Self:
        """A text as it was read, and numbers of letters, ever fewer."""
        counts = [np.zeros(words, dtype=np.int64) for words in pairs.words]
        for batch in pairs.batches:
            for of, words in zip(counts, (batch.source, batch.target), strict=True):
                of += np.bincount(words.ravel(), minlength=len(of))
        shares = tuple(of / max(of.sum(), 1) for of in counts)
        finest = Spelling(pairs.vocabularies, pairs.source_of, pairs.target_of, (shares[0], shares[1]))
        return cls.above(finest, coarser)

    @classmethod
    def above(cls, finest: Spelling, coarser: Sequence[int]) -> Self:
        """A text in its finest spelling, and numbers of letters, ever fewer."""
        levels, upward = [finest], []
        for letters in coarser:
            level, numbers = levels[-1].cut(letters)
            levels.append(level)
            upward.append(numbers)
        return cls(tuple(levels), tuple(upward))

    def counts(self, finest: Floats) -> list[Floats]:
        """Counts of the types of every level, float64 [U], from those of the finest."""
        counts = [finest]
        for numbers, level in zip(self.upward, self.levels[1:], strict=True):
            counts.append(_sums(numbers, counts[-1], len(level.source_of)))
        return counts

    def ratios(self, finest: Floats, strengths: Strengths) -> tuple[Singles, Singles]:
        """For both directions how much more often than by chance the said word is said for the given one.

        Parameters
        ----------
        finest: float64 [U], counts of the types of the finest level.

        Returns
        -------
        float32 [U] each, for the types of the finest level.
        """
        levels = list(zip(self.levels, self.counts(finest), strict=True))
        forward, reverse = (self._ratio(levels, side, strengths) for side in (0, 1))
        return forward, reverse

    def _ratio(self, levels: Sequence[tuple[Spelling, Floats]], given: int, strengths: Strengths) -> Singles:
        ratio: Floats = np.ones(1)
        for depth in range(len(levels) - 1, -1, -1):
            level, counts = levels[depth]
            words, said = level.sides[given], level.sides[1 - given]
            coarsest = depth == len(levels) - 1
            if not coarsest:
                ratio = ratio[self.upward[depth]]
            totals = _sums(words, counts, len(level.vocabularies[given]))
            ratio = ratio_of(
                counts, level.shares[1 - given][said], totals[words], strengths.of(coarsest), ratio
            )
        return ratio.astype(np.float32)


def ratio_of(found: Floats, share: Floats, total: Floats, strength: float, coarser: Floats) -> Floats:
    """The ratio of one spelling: what was found, leaning on what the coarser spelling says.

    Parameters
    ----------
    found: counts of the type.
    share: part of all words of its side that the said word is.
    total: counts of all types of the given word.
    strength: how many counts the coarser say is worth, more than 0.
    coarser: ratio in the coarser spelling; 1 is that of chance.
    """
    ratio: Floats = (found / share + strength * coarser) / (total + strength)
    return ratio


class NewWords:
    """The ratios of words of other sentences, known to the text or not.

    A word that the text does not have in a spelling leans on the coarser ones; in none of them it is, as a
    given word, one that every word is said for by chance, and as a said word, one that is not said for
    those that the text knows well.

    Parameters
    ----------
    spellings: of the text.
    counts: float64 [U], of the types of the finest level.
    letters: of every level, 0 for all of them.
    strengths: as for the text.
    """

    def __init__(
        self, spellings: Spellings, counts: Floats, letters: Sequence[int], strengths: Strengths
    ) -> None:
        self._strengths = strengths
        self._levels = [
            (
                Known(level.vocabularies, *level.sides, cut),
                # What is behind the last word and type is unknown: never counted.
                np.append(of, 0.0),
                [
                    np.append(_sums(side, of, len(words)), 0.0)
                    for side, words in zip(level.sides, level.vocabularies, strict=True)
                ],
                [np.append(share, 1.0) for share in level.shares],
            )
            for level, of, cut in zip(spellings.levels, spellings.counts(counts), letters, strict=True)
        ]

    def batches(
        self, pairs: Sequence[tuple[Words, Words]]
    ) -> Iterator[tuple[Batch, tuple[Singles, Singles]]]:
        """Sentence pairs by shape as the finest spelling numbers them, and the ratios of both directions.

        Ratios are float32 [n, m, B]; a word or type that the finest spelling does not know has the number
        behind the last one.
        """
        each = (known.batches(pairs) for known, *_ in self._levels)
        for batches in zip(*each, strict=True):
            forward, reverse = (self._ratio(batches, side) for side in (0, 1))
            yield batches[0], (forward, reverse)

    def _ratio(self, batches: Sequence[Batch], given: int) -> Singles:
        ratio: Floats = np.ones(1)
        for depth in range(len(batches) - 1, -1, -1):
            batch, (_, counts, totals, shares) = batches[depth], self._levels[depth]
            sides = batch.source[:, None], batch.target
            ratio = ratio_of(
                counts[batch.types],
                shares[1 - given][sides[1 - given]],
                totals[given][sides[given]],
                self._strengths.of(depth == len(batches) - 1),
                ratio,
            )
        return ratio.astype(np.float32)


def ever_coarser(letters: Sequence[int]) -> bool:
    """Whether every spelling has fewer letters than the one before; 0 are all of them."""
    lengths = [cut or np.inf for cut in letters]
    return all(fine > coarse for fine, coarse in pairwise(lengths))


def _sums(places: Integers, numbers: Floats, length: int) -> Floats:
    """The sums of the numbers that have one place, float64 [length]."""
    return np.bincount(places, numbers, minlength=length).astype(np.float64, copy=False)
