"""Which words stand in which sentences of unlabelled text: kept, so that words of any text can be counted.

What :func:`~.statistics.count_pairs` finds by reading the text again, :class:`TextCounts` finds in an index
of it: new sentence pairs have words that nobody knew of when the text was prepared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy.sparse import csc_matrix

from advsp.corpora.bitext_sources import SIDES
from advsp.corpora.prepared_bitext import iterate_unlabelled, load_normalisers, read_manifest, unlabelled_file
from advsp.corpora.tokens import Normaliser, Words
from advsp.features.bitext.statistics import Statistics, Vocabulary, both, common_words, ranks
from advsp.support.arrays import Array, Ints
from advsp.support.errors import InputError
from advsp.support.state import State

#: Where the counts of a prepared bitext are, without ending.
FILE = "counts"

_AGAIN = "prepare it again with `advsp prepare-hansards`"
_OFTEN = 10_000  # pairs between two reports of how far counting has come


@dataclass(frozen=True, eq=False)
class SideCounts:
    """The words of one side of a text.

    Attributes
    ----------
    steps: how words of other texts are normalised before they are looked up.
    words: W different words, in the order in which they were met.
    counts: CSC int32 [S, W], how often a word stands in each of S sentences.
    """

    steps: tuple[str, ...]
    words: Words
    counts: csc_matrix

    @cached_property
    def _index(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _sentences(self) -> Ints:
        """In how many sentences every word stands, int64 [W]."""
        return _lengths(self.counts)

    @cached_property
    def _common(self) -> Words:
        return common_words(self.words, self._sentences)

    @cached_property
    def _ascending(self) -> Ints:
        return np.sort(self._sentences)

    def of(self, sentences: Iterable[Words]) -> tuple[Vocabulary, csc_matrix]:
        """The words of sentences as they stand, and where they are: CSC int32 [S, W + 1], the last empty."""
        spell = Normaliser(self.steps).spell
        words = tuple(sorted({word for sentence in sentences for word in spell(sentence)}))
        # Words that the text does not have take a column that is empty.
        places = np.array([self._index.get(word, len(self.words)) for word in (*words, "")], dtype=np.int64)
        places[-1] = len(self.words)
        columns = self._with_empty[:, places]
        here = _lengths(columns)
        tokens = np.asarray(columns.sum(axis=0, dtype=np.int64)).ravel()
        vocabulary = Vocabulary(self.steps, words, here, tokens, ranks(self._ascending, here), self._common)
        return vocabulary, columns

    @cached_property
    def _with_empty(self) -> csc_matrix:
        counts = self.counts
        ends = np.append(counts.indptr, counts.indptr[-1])
        shape = counts.shape[0], counts.shape[1] + 1
        return csc_matrix((counts.data, counts.indices, ends), shape=shape)

    def state(self) -> State:
        """What :meth:`from_state` needs."""
        values = {"steps": list(self.steps), "words": list(self.words), "sentences": self.counts.shape[0]}
        arrays: dict[str, Array] = {
            "times": self.counts.data,
            "sentences": self.counts.indices,
            "ends": self.counts.indptr,
        }
        return State(values, arrays)

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The counts whose ``state`` this is."""
        words = tuple(state.values["words"])
        arrays = tuple(state.arrays[name] for name in ("times", "sentences", "ends"))
        shape = state.values["sentences"], len(words)
        return cls(tuple(state.values["steps"]), words, csc_matrix(arrays, shape=shape))


@dataclass(frozen=True, eq=False)
class TextCounts:
    """A text in which the words of any sentence pairs can be counted.

    Attributes
    ----------
    source, target: its two sides.
    """

    source: SideCounts
    target: SideCounts

    def statistics(self, pairs: Iterable[tuple[Words, Words]]) -> Statistics:
        """What :func:`~.statistics.count_pairs` finds for the words of sentence pairs, as they stand."""
        pairs = list(pairs)
        source, left = self.source.of(pair[0] for pair in pairs)
        target, right = self.target.of(pair[1] for pair in pairs)
        together = both(left, right, 1)
        again = sum(
            (both(left, right, times) for times in range(2, min(_most(left), _most(right)) + 1)),
            start=0 * together,
        )
        return Statistics(left.shape[0], source, target, together, (together + again).tocsr())

    @classmethod
    def of(
        cls,
        pairs: Iterable[tuple[Words, Words]],
        source: Normaliser | None = None,
        target: Normaliser | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Self:
        """Read a text, normalised, once.

        Parameters
        ----------
        source, target: how words of other texts are normalised before they are looked up.
        progress: called now and then with the number of pairs just read.
        """
        sides = _Reader(source or Normaliser()), _Reader(target or Normaliser())
        pairs = iter(pairs)
        while block := list(islice(pairs, _OFTEN)):
            for side, sentences in zip(sides, zip(*block, strict=True), strict=True):
                side.read(sentences)
            if progress:
                progress(len(block))
        return cls(*(side.counts() for side in sides))


def keep_counts(folder: Path, progress: Callable[[int], None]) -> None:
    """Index the unlabelled text of a prepared bitext; remove the index where it has none."""
    if read_manifest(folder)["unlabelled"] is None:
        for ending in ("json", "npz"):
            (folder / f"{FILE}.{ending}").unlink(missing_ok=True)
        return
    counts = TextCounts.of(iterate_unlabelled(folder), *load_normalisers(folder), progress)
    state = State({"text": _text(folder)}).holding(source=counts.source.state(), target=counts.target.state())
    state.save(folder / FILE)


def load_counts(folder: Path) -> TextCounts:
    """The index of the unlabelled text of a prepared bitext, of nothing where it has none.

    Raises
    ------
    InputError: no prepared bitext there, or one whose text was not indexed, or another text.
    """
    if read_manifest(folder)["unlabelled"] is None:
        return TextCounts.of([], *load_normalisers(folder))
    text = _text(folder)
    state = State.load(folder / FILE, "word counts", _AGAIN)
    if state.values.get("text") != text:
        raise InputError("counts of another text", file=folder / f"{FILE}.json", hint=_AGAIN)
    return TextCounts(*(SideCounts.from_state(state.part(side)) for side in SIDES))


def _text(folder: Path) -> dict[str, Any]:
    """What names the unlabelled text: the checksums of its files."""
    files = read_manifest(folder)["files"]
    return {side: files.get(unlabelled_file(side)) for side in SIDES}


def _lengths(counts: csc_matrix) -> Ints:
    """How many sentences every column has."""
    found: Ints = np.diff(counts.indptr).astype(np.int64)
    return found


def _most(counts: csc_matrix) -> int:
    return int(counts.data.max(initial=0))


class _Reader:
    """Counts the words of one side, block by block."""

    def __init__(self, normaliser: Normaliser) -> None:
        self._steps = normaliser.steps
        self._numbers: defaultdict[str, int] = defaultdict(lambda: len(self._numbers))
        self._words: list[Array] = []
        self._lengths: list[Array] = []

    def read(self, sentences: Iterable[Words]) -> None:
        """The next sentences."""
        look_up = self._numbers.__getitem__
        sentences = list(sentences)
        words = list(map(look_up, chain.from_iterable(sentences)))
        self._words.append(np.array(words, dtype=np.int32))
        self._lengths.append(np.array([len(sentence) for sentence in sentences], dtype=np.int32))

    def counts(self) -> SideCounts:
        """What was counted."""
        nothing = np.empty(0, dtype=np.int32)
        words, lengths = np.concatenate([nothing, *self._words]), np.concatenate([nothing, *self._lengths])
        owners = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        shape = len(lengths), len(self._numbers)
        ones = np.ones(len(words), dtype=np.int32)
        # Words that stand in a sentence several times are summed.
        return SideCounts(self._steps, tuple(self._numbers), csc_matrix((ones, (owners, words)), shape=shape))
