"""In how many sentences words stand, alone and together with others, counted in unlabelled text.

A sentence counts once for a word, however often the word stands in it, and a sentence pair once for two
words.  All words are counted, as the rank of one depends on all the others; but only the labelled ones
are kept, and only among them is it counted which stand together: the text may have millions of pairs.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice
from typing import Self

import numpy as np
from scipy.sparse import csr_matrix

from advsp.corpora.tokens import Normaliser, Words
from advsp.features.bitext.state import State, sparse_arrays, sparse_matrix

#: Common words kept of each side (Taskar et al. 2005).
COMMON = 5

_BLOCK = 20_000  # pairs that are counted together


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The labelled words of one side, and how frequent they are.

    Attributes
    ----------
    steps: how words are normalised before they are looked up; steps that split or join are not taken.
    words: W different words, normalised, sorted.
    sentences: int64 [W + 1], number of sentences that contain a word; 0 for any other word, the last.
    ranks: int64 [W + 1], 1 + the number of words of the text that stand in more sentences.
    common: the most frequent words of the text that are not punctuation, at most :data:`COMMON`.
    """

    steps: tuple[str, ...]
    words: Words
    sentences: np.ndarray
    ranks: np.ndarray
    common: Words

    def spell(self, words: Words) -> Words:
        """Words of a labelled sentence as the unlabelled text has them, one for each."""
        return self._normaliser.spell(words)

    def numbers(self, words: Words) -> np.ndarray:
        """int64 [n], rows of a sentence's n words in the arrays; W for unknown words."""
        unknown = len(self.words)
        return np.array([self._index.get(word, unknown) for word in self.spell(words)], dtype=np.int64)

    @cached_property
    def _normaliser(self) -> Normaliser:
        return Normaliser(self.steps)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}


@dataclass(frozen=True, eq=False)
class Statistics:
    """What unlabelled text tells about the words of labelled text.

    Attributes
    ----------
    pairs: number of sentence pairs that were counted.
    source, target: the words of the two sides.
    together: CSR int64 [W_source + 1, W_target + 1], number of sentence pairs that contain both words.
    """

    pairs: int
    source: Vocabulary
    target: Vocabulary
    together: csr_matrix

    def dice(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """Dice coefficients of words given by their numbers.

        2 C(e, f) / (C(e) + C(f)), between 0 and 1; 0 for words that the text does not have.

        Parameters
        ----------
        source, target: int [n] and int [m].

        Returns
        -------
        float64 [n, m]
        """
        both = self.together[source][:, target].toarray()
        either = self.source.sentences[source][:, None] + self.target.sentences[target]
        return 2 * both / np.maximum(either, 1)

    def state(self) -> State:
        """What :meth:`from_state` needs."""
        values = {
            "pairs": self.pairs,
            **{
                side: {"steps": list(words.steps), "words": list(words.words), "common": list(words.common)}
                for side, words in (("source", self.source), ("target", self.target))
            },
        }
        arrays = {
            "source_sentences": self.source.sentences,
            "source_ranks": self.source.ranks,
            "target_sentences": self.target.sentences,
            "target_ranks": self.target.ranks,
            **sparse_arrays("together", self.together),
        }
        return State(values, arrays)

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The statistics whose ``state`` this is."""
        source, target = (
            Vocabulary(
                steps=tuple(state.values[side]["steps"]),
                words=tuple(state.values[side]["words"]),
                sentences=state.arrays[f"{side}_sentences"],
                ranks=state.arrays[f"{side}_ranks"],
                common=tuple(state.values[side]["common"]),
            )
            for side in ("source", "target")
        )
        shape = len(source.sentences), len(target.sentences)
        return cls(state.values["pairs"], source, target, sparse_matrix("together", state.arrays, shape))


def count_pairs(
    pairs: Iterable[tuple[Words, Words]],
    labelled: Iterable[tuple[Words, Words]],
    *,
    source: Normaliser | None = None,
    target: Normaliser | None = None,
    progress: Callable[[int], None] | None = None,
) -> Statistics:
    """Count the words of unlabelled text; it is read once and not held in memory.

    Parameters
    ----------
    pairs: sentence pairs (source, target) of the unlabelled text, normalised.
    labelled: the labelled sentence pairs, as they stand; their words are those that are kept.
    source, target: how labelled words are normalised before they are looked up; by default they are not.
    progress: called now and then with the number of pairs just counted.
    """
    labelled = list(labelled)
    sides = tuple(
        _Side(normaliser or Normaliser(), (pair[side] for pair in labelled))
        for side, normaliser in enumerate((source, target))
    )
    together = csr_matrix(tuple(side.width + 1 for side in sides), dtype=np.int64)
    pairs, done = iter(pairs), 0
    while block := list(islice(pairs, _BLOCK)):
        left, right = (side.count(sentences) for side, sentences in zip(sides, zip(*block), strict=True))
        together += left.T @ right
        done += len(block)
        if progress:
            progress(len(block))
    return Statistics(done, *(side.vocabulary() for side in sides), together.tocsr())


class _Side:
    """Counts the sentences of one side; the labelled words have the first numbers."""

    def __init__(self, normaliser: Normaliser, labelled: Iterable[Words]) -> None:
        self._steps = normaliser.steps
        self._labelled = tuple(sorted({word for words in labelled for word in normaliser.spell(words)}))
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        for word in self._labelled:
            self._numbers[word]
        self._sentences = np.zeros(self.width, dtype=np.int64)

    @property
    def width(self) -> int:
        """Number of labelled words W."""
        return len(self._labelled)

    def count(self, sentences: Sequence[Words]) -> csr_matrix:
        """Count the words of S sentences; return CSR int64 [S, W + 1], 1 where a labelled word stands."""
        look_up = self._numbers.__getitem__
        tokens = np.array([look_up(word) for words in sentences for word in words], dtype=np.int64)
        owners = np.repeat(np.arange(len(sentences)), [len(words) for words in sentences])
        known = len(self._numbers)
        owners, numbers = np.divmod(np.unique(owners * known + tokens), known)
        before = self._sentences
        self._sentences = np.bincount(numbers, minlength=known)
        self._sentences[: len(before)] += before
        kept = numbers < self.width
        ones = np.ones(kept.sum(), dtype=np.int64)
        return csr_matrix((ones, (owners[kept], numbers[kept])), shape=(len(sentences), self.width + 1))

    def vocabulary(self) -> Vocabulary:
        """What was counted."""
        sentences = np.append(self._sentences[: self.width], 0)
        ranks = 1 + len(self._sentences) - np.searchsorted(np.sort(self._sentences), sentences, side="right")
        return Vocabulary(self._steps, self._labelled, sentences, ranks, self._common())

    def _common(self) -> Words:
        """Of words that are equally frequent the one that sorts first, whatever the order of the text."""
        words = (
            (-int(self._sentences[number]), word)
            for word, number in self._numbers.items()
            if self._sentences[number] and any(map(str.isalnum, word))
        )
        return tuple(word for _, word in heapq.nsmallest(COMMON, words))
