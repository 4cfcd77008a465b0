"""How often words stand in unlabelled text, alone and together with others.

Everything is counted in two ways.  By sentences: a sentence counts once for a word, however often the word
stands in it, and a sentence pair once for two words.  By tokens: a word counts as often as it stands, and two
words in a sentence pair as often as tokens of theirs can be linked one to one, min(c(e), c(f)) times.

All words are counted, as the rank of one depends on all the others; but only the labelled ones are kept, and
only among them is it counted which stand together: the text may have millions of pairs.
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
from scipy.sparse import csr_matrix, spmatrix

from advsp.corpora.tokens import Normaliser, Words
from advsp.features.bitext.pair_counts import PairCounts
from advsp.support.arrays import Floats, Ints
from advsp.support.state import State, sparse_arrays, sparse_matrix

#: Common words kept of each side (Taskar et al. 2005).
COMMON = 5

_BLOCK = 20_000  # pairs that are counted together
_PER_WORD = ("sentences", "tokens", "ranks")  # arrays of a vocabulary


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The labelled words of one side, and how frequent they are.

    Attributes
    ----------
    steps: how words are normalised before they are looked up; steps that split or join are not taken.
    words: W different words, normalised, sorted.
    sentences: int64 [W + 1], number of sentences that contain a word; 0 for any other word, the last.
    tokens: int64 [W + 1], how often a word stands in the text; 0 for any other word.
    ranks: int64 [W + 1], 1 + the number of words of the text that stand in more sentences.
    common: the most frequent words of the text that are not punctuation, at most :data:`COMMON`.
    """

    steps: tuple[str, ...]
    words: Words
    sentences: Ints
    tokens: Ints
    ranks: Ints
    common: Words

    def spell(self, words: Words) -> Words:
        """Words of a labelled sentence as the unlabelled text has them, one for each."""
        return self._normaliser.spell(words)

    def numbers(self, words: Words) -> Ints:
        """int64 [n], rows of a sentence's n words in the arrays; W for unknown words."""
        return self.numbers_of(self.spell(words))

    def numbers_of(self, words: Words) -> Ints:
        """int64 [n], rows of n words as the unlabelled text has them; W for unknown words."""
        unknown = len(self.words)
        return np.array([self._index.get(word, unknown) for word in words], dtype=np.int64)

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
    tokens_together: CSR int64 of the same shape, sum over the sentence pairs of min(c(e), c(f)), where
        c(e) is how often e stands in the source sentence, and c(f) how often f in the target sentence.
    """

    pairs: int
    source: Vocabulary
    target: Vocabulary
    together: csr_matrix
    tokens_together: csr_matrix

    def meetings(self, source: Ints, target: Ints) -> Ints:
        """Number of sentence pairs that contain both words, int64 [n, m]; arguments as for :meth:`dice`."""
        return self._together.of(source, target)

    @cached_property
    def _together(self) -> PairCounts:
        return PairCounts(self.together)

    @cached_property
    def _tokens_together(self) -> PairCounts:
        return PairCounts(self.tokens_together)

    def dice(self, source: Ints, target: Ints) -> Floats:
        """Dice coefficients of words given by their numbers.

        2 C(e, f) / (C(e) + C(f)), counted by tokens; between 0 and 1; 0 for words that the text does not
        have.

        Parameters
        ----------
        source, target: int [n] and int [m].

        Returns
        -------
        float64 [n, m]
        """
        both: Ints = self._tokens_together.of(source, target)
        either = self.source.tokens[source][:, None] + self.target.tokens[target]
        shares: Floats = 2 * both / np.maximum(either, 1)
        return shares

    def state(self) -> State:
        """What :meth:`from_state` needs."""
        sides = {"source": self.source, "target": self.target}
        values = {
            "pairs": self.pairs,
            **{
                side: {"steps": list(words.steps), "words": list(words.words), "common": list(words.common)}
                for side, words in sides.items()
            },
        }
        arrays = {
            **{
                f"{side}_{counts}": getattr(words, counts)
                for side, words in sides.items()
                for counts in _PER_WORD
            },
            **sparse_arrays("together", self.together),
            **sparse_arrays("tokens_together", self.tokens_together),
        }
        return State(values, arrays)

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The statistics whose ``state`` this is."""
        source, target = (
            Vocabulary(
                steps=tuple(state.values[side]["steps"]),
                words=tuple(state.values[side]["words"]),
                common=tuple(state.values[side]["common"]),
                **{counts: state.arrays[f"{side}_{counts}"] for counts in _PER_WORD},
            )
            for side in ("source", "target")
        )
        shape = len(source.sentences), len(target.sentences)
        together, tokens_together = (
            sparse_matrix(name, state.arrays, shape) for name in ("together", "tokens_together")
        )
        return cls(state.values["pairs"], source, target, together, tokens_together)


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
    together, again = (csr_matrix(tuple(side.width + 1 for side in sides), dtype=np.int64) for _ in range(2))
    pairs, done = iter(pairs), 0
    while block := list(islice(pairs, _BLOCK)):
        left, right = (side.count(sentences) for side, sentences in zip(sides, zip(*block), strict=True))
        together += both(left, right, 1)
        # Two words can be linked a k-th time where both stand at least k times.
        for times in range(2, min(left.max(), right.max()) + 1):
            again += both(left, right, times)
        done += len(block)
        if progress:
            progress(len(block))
    vocabularies = sides[0].vocabulary(), sides[1].vocabulary()
    return Statistics(done, *vocabularies, together, together + again)


def both(left: spmatrix, right: spmatrix, times: int) -> csr_matrix:
    """In how many of S sentence pairs two words stand at least ``times`` times each, CSR int64.

    Parameters
    ----------
    left, right: sparse integers [S, W + 1], how often words stand in the sentences of either side.
    """
    first, second = ((counts >= times).astype(np.int64) for counts in (left, right))
    return (first.T @ second).tocsr()


class _Side:
    """Counts the sentences of one side; the labelled words have the first numbers."""

    def __init__(self, normaliser: Normaliser, labelled: Iterable[Words]) -> None:
        self._steps = normaliser.steps
        self._labelled = tuple(sorted({word for words in labelled for word in normaliser.spell(words)}))
        self._numbers: defaultdict[str, int] = defaultdict(count().__next__)
        for word in self._labelled:
            self._numbers[word]
        self._sentences, self._tokens = np.zeros((2, self.width), dtype=np.int64)

    @property
    def width(self) -> int:
        """Number of labelled words W."""
        return len(self._labelled)

    def count(self, sentences: Sequence[Words]) -> csr_matrix:
        """Count the words of S sentences; return how often labelled ones stand in each.

        Returns
        -------
        CSR int64 [S, W + 1], the last column empty
        """
        look_up = self._numbers.__getitem__
        tokens = np.array([look_up(word) for words in sentences for word in words], dtype=np.int64)
        owners = np.repeat(np.arange(len(sentences)), [len(words) for words in sentences])
        known = len(self._numbers)
        places, times = np.unique(owners * known + tokens, return_counts=True)
        owners, numbers = np.divmod(places, known)
        self._sentences = _add(self._sentences, np.bincount(numbers, minlength=known))
        self._tokens = _add(self._tokens, np.bincount(tokens, minlength=known))
        kept = numbers < self.width
        return csr_matrix(
            (times[kept], (owners[kept], numbers[kept])), shape=(len(sentences), self.width + 1)
        )

    def vocabulary(self) -> Vocabulary:
        """What was counted."""
        sentences, tokens = (np.append(counts[: self.width], 0) for counts in (self._sentences, self._tokens))
        return Vocabulary(
            self._steps,
            self._labelled,
            sentences,
            tokens,
            ranks(np.sort(self._sentences), sentences),
            common_words(self._numbers, self._sentences),
        )


def ranks(ascending: Ints, sentences: Ints) -> Ints:
    """1 + the number of words of a text that stand in more sentences, for words that stand in so many.

    ascending: int64 [V], in how many sentences every word of the text stands, sorted.
    """
    found: Ints = 1 + len(ascending) - np.searchsorted(ascending, sentences, side="right")
    return found


def common_words(words: Iterable[str], sentences: Ints) -> Words:
    """The most frequent words that are no punctuation, at most :data:`COMMON`.

    Of words that are equally frequent the one that sorts first, whatever the order of the text.
    sentences: int64 [V], in how many sentences each of the words stands.
    """
    candidates = (
        (-number, word)
        for word, number in zip(words, sentences.tolist(), strict=True)
        if number and any(map(str.isalnum, word))
    )
    return tuple(word for _, word in heapq.nsmallest(COMMON, candidates))


def _add(before: Ints, more: Ints) -> Ints:
    """Counts plus more counts, also of words that were not there before; ``more`` is changed."""
    more[: len(before)] += before
    return more
