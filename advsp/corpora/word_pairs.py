"""Parallel text as numbers: pairs of one shape side by side, and every two words that ever meet numbered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import prod
from pathlib import Path
from typing import NamedTuple

import numpy as np

from advsp.corpora.tokens import Words
from advsp.support.arrays import Ints, ShortInts

#: A longer sentence has a grid that is too large to be worth its time; nothing is learnt from its pair.
LONGEST = 200

#: Possible links of a batch, about: some arrays of that many numbers fit into the cache of a core.
_CELLS = 1 << 16


@dataclass(frozen=True, eq=False)
class Batch:
    """B sentence pairs of n source and m target words each.

    The pair comes last in every array, so that what is done to all pairs is done to neighbours in memory.

    Attributes
    ----------
    pairs: int64 [B], their numbers in the text, ascending.
    source, target: int64 [n, B] and [m, B], numbers of their words.
    types: int32 [n, m, B], the numbers that any two of their words have together.
    """

    pairs: Ints
    source: Ints
    target: Ints
    types: ShortInts

    def before(self, pair: int) -> Batch:
        """Those of its pairs whose number is below ``pair``."""
        kept = slice(int(np.searchsorted(self.pairs, pair)))
        return Batch(
            self.pairs[kept], self.source[:, kept], self.target[:, kept], self.types[:, :, kept].copy()
        )


@dataclass(frozen=True, eq=False)
class WordPairs:
    """The text, without pairs that have a sentence longer than :data:`LONGEST`.

    Attributes
    ----------
    batches: the pairs by shape.
    vocabularies: the different source and the different target words, by their numbers.
    source_of, target_of: int32 [U], the words of all U types: two words that meet in some pair.
    lengths: for source and target, int64 [S], the numbers of words in every pair, left out or not.
    """

    batches: tuple[Batch, ...]
    vocabularies: tuple[Words, Words]
    source_of: ShortInts
    target_of: ShortInts
    lengths: tuple[Ints, Ints]

    @property
    def words(self) -> tuple[int, int]:
        """Numbers of different source and of different target words."""
        source, target = self.vocabularies
        return len(source), len(target)

    def cut(self, letters: int) -> WordPairs:
        """The text with words that are the same if they begin with the same so many letters; 0 for all."""
        if not letters:
            return self
        first, second = (cut_words(words, letters) for words in self.vocabularies)
        source_of, target_of, upward = cut_types(self.source_of, self.target_of, first[1], second[1])
        numbers = upward.astype(np.int32)
        batches = tuple(
            Batch(of.pairs, first[1][of.source], second[1][of.target], numbers[of.types])
            for of in self.batches
        )
        return WordPairs(batches, (first[0], second[0]), source_of, target_of, self.lengths)


def read_word_pairs(source: Path, target: Path) -> WordPairs:
    """Read a text with all letters of its words.

    Parameters
    ----------
    source, target: files of a sentence a line, words apart by single blanks.
    """
    files = source, target
    return number_pairs(lambda side: _lines(files[side]))


def number_pairs(sentences: Callable[[int], Iterable[Sequence[str]]]) -> WordPairs:
    """The same of sentences, of the source side (0) and then of the target side (1)."""
    first, second = (_read_side(sentences(side)) for side in (0, 1))
    lengths, vocabularies = (first.lengths, second.lengths), (first.vocabulary, second.vocabulary)
    parts = list(_parts(first, second))
    shapes = [(len(left), len(right), len(pairs)) for pairs, left, right in parts]
    ends = np.cumsum([0, *map(prod, shapes)])
    words = len(first.vocabulary), len(second.vocabulary)
    numbers, source_of, target_of = _number(parts, shapes, ends, words)
    batches = tuple(
        Batch(*part, numbers[start:end].reshape(shape))
        for part, shape, start, end in zip(parts, shapes, ends, ends[1:])
    )
    return WordPairs(batches, vocabularies, source_of, target_of, lengths)


def cut_words(words: Words, letters: int) -> tuple[Words, Ints]:
    """The different beginnings of so many letters, and for every word the number of its own, int64 [W]."""
    known: dict[str, int] = {}
    numbers = [known.setdefault(word[:letters], len(known)) for word in words]
    return tuple(known), np.array(numbers, dtype=np.int64)


def cut_types(
    source_of: ShortInts, target_of: ShortInts, source: Ints, target: Ints
) -> tuple[ShortInts, ShortInts, Ints]:
    """The types that are left when words are cut.

    Returns their words, int32 each, and for the old types their new numbers, int64.

    Parameters
    ----------
    source_of, target_of: int32 [U], the words of the types.
    source, target: int64 [V] and [W], what words are cut to.
    """
    wide = int(target.max(initial=0)) + 1
    found, upward = np.unique(source[source_of] * wide + target[target_of], return_inverse=True)
    return (found // wide).astype(np.int32), (found % wide).astype(np.int32), upward


class Known:
    """The words and types of a text, by which those of other sentences are numbered.

    Parameters
    ----------
    vocabularies, source_of, target_of: as :class:`WordPairs` has them.
    letters: as the text was read.
    """

    def __init__(
        self, vocabularies: tuple[Words, Words], source_of: ShortInts, target_of: ShortInts, letters: int
    ) -> None:
        self._letters = letters
        self._numbers = [{word: number for number, word in enumerate(words)} for words in vocabularies]
        self._wide = len(vocabularies[1])
        # Types are numbered in the order of their source words, then of their target words.
        self._keys = source_of.astype(np.int64) * self._wide + target_of

    def batches(self, pairs: Sequence[tuple[Words, Words]]) -> Iterator[Batch]:
        """Sentence pairs by shape, but those with a sentence longer than :data:`LONGEST`.

        A word that the text does not have gets the number behind the last one, as does such a type.
        """
        source, target = (
            _read((pair[side] for pair in pairs), self._letters, partial(_number_of, numbers))
            for side, numbers in enumerate(self._numbers)
        )
        for numbers, left, right in _parts(source, target):
            keys = left[:, None] * self._wide + right
            types = np.searchsorted(self._keys, keys)
            known = (types < len(self._keys)) & (right < self._wide)
            known[known] = self._keys[types[known]] == keys[known]
            yield Batch(numbers, left, right, np.where(known, types, len(self._keys)).astype(np.int32))


class _Side(NamedTuple):
    """One side of the text.

    Attributes
    ----------
    words: int64 [W], the words of all sentences, one after the other.
    ends: int64 [S + 1], where the sentences begin and end.
    vocabulary: the different words that were met and had no number before.
    """

    words: Ints
    ends: Ints
    vocabulary: Words

    @property
    def lengths(self) -> Ints:
        """Words of every sentence, int64 [S]."""
        return np.diff(self.ends)

    def gather(self, pairs: Ints) -> Ints:
        """The words of sentences of one length, int64 [length, B]."""
        length = self.ends[pairs[0] + 1] - self.ends[pairs[0]]
        return self.words[self.ends[pairs] + np.arange(length)[:, None]]


def _lines(path: Path) -> Iterator[list[str]]:
    with open(path, encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield line.rstrip("\n").split(" ")


def _read_side(sentences: Iterable[Sequence[str]]) -> _Side:
    """Read one side of a text, numbering words as they are met."""
    known: defaultdict[str, int] = defaultdict(count().__next__)
    return _read(sentences, 0, known.__getitem__)._replace(vocabulary=tuple(known))


def _read(sentences: Iterable[Sequence[str]], letters: int, number: Callable[[str], int]) -> _Side:
    """Number the beginnings of all words."""
    found, ends = [], [0]
    for words in sentences:
        found.append(np.array([number(word[: letters or None]) for word in words], dtype=np.int32))
        ends.append(ends[-1] + len(words))
    flat = np.concatenate([np.empty(0, dtype=np.int32), *found]).astype(np.int64)
    return _Side(flat, np.array(ends), ())


def _number_of(numbers: Mapping[str, int], word: str) -> int:
    """The number of a word, that behind the last one for an unknown word."""
    return numbers.get(word, len(numbers))


def _parts(source: _Side, target: _Side) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Numbers of the pairs of a batch, and the words of both sides."""
    for pairs in _same_shape((source.lengths, target.lengths), len(source.lengths)):
        yield pairs, source.gather(pairs), target.gather(pairs)


def _same_shape(lengths: tuple[Ints, Ints], pairs: int) -> Iterator[Ints]:
    """Numbers of pairs of one shape, as many as make a batch."""
    source, target = lengths
    order = np.lexsort((np.arange(pairs), target, source))
    order = order[(source[order] <= LONGEST) & (target[order] <= LONGEST)]
    changes = np.flatnonzero(np.diff(source[order]) | np.diff(target[order])) + 1
    for group in np.split(order, changes):
        if len(group):
            size = max(1, _CELLS // (source[group[0]] * target[group[0]]))
            yield from np.split(group, range(size, len(group), size))


def _number(
    parts: list[tuple[Ints, Ints, Ints]],
    shapes: list[tuple[int, int, int]],
    ends: Ints,
    words: tuple[int, int],
) -> tuple[ShortInts, ShortInts, ShortInts]:
    """The numbers that the words of all grids have together, and the two words of every number, all int32."""
    # The narrowest numbers that do: sorting those of two bytes takes a quarter of the time.
    source, target = (np.empty(ends[-1], dtype=np.min_scalar_type(known)) for known in words)
    for (_, left, right), shape, start, end in zip(parts, shapes, ends, ends[1:]):
        source[start:end].reshape(shape)[:] = left[:, None]
        target[start:end].reshape(shape)[:] = right
    order = np.lexsort((target, source))
    source, target = source[order], target[order]
    first = np.empty(len(order), dtype=bool)
    first[:1] = True
    first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
    source, target = source[first].astype(np.int32), target[first].astype(np.int32)
    sorted_numbers = np.cumsum(first, dtype=np.int32)
    sorted_numbers -= 1
    numbers = np.empty_like(sorted_numbers)
    numbers[order] = sorted_numbers
    return numbers, source, target
