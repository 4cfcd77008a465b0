"""What aligners link in a whole text, for all of its words: counted once, and kept.

From it :class:`~.link_statistics.LinkStatistics` is taken for the words of any sentence pairs.  A prepared
bitext keeps what was counted beside what aligner programs predicted, by the checksums of text and posteriors.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations
from pathlib import Path
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_matrix

from advsp.corpora.bitext_sources import SIDES
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.prepared_bitext import (
    CACHE,
    iterate_text,
    list_text_posteriors,
    load_text_posteriors,
    read_manifest,
    text_posteriors_file,
    unlabelled_file,
)
from advsp.corpora.text_posteriors import Cells, TextPosteriors
from advsp.corpora.tokens import Words
from advsp.corpora.word_pairs import WordPairs, number_pairs
from advsp.features.bitext.link_statistics import FORWARD, REVERSE, Bigrams, LinkStatistics, Side
from advsp.support.arrays import Array, Floats, Integers, Ints, ShortInts, Singles
from advsp.support.errors import InputError
from advsp.support.progress import Reporter, Silent
from advsp.support.state import State

#: Words of either side that have features of their own.
FREQUENT = 40
#: As how many tokens of two adjacent words those of all others count.
_PRIOR = 5.0
#: How the names of files begin in which links are kept.
_KEPT = "links-"
#: To be changed with anything that changes what is counted.
_VERSION = 1


@dataclass(frozen=True, eq=False)
class TextLinks:
    """The links of all words of a text.

    Attributes
    ----------
    words: of source and target.
    sides: what is known of them, none of them unknown.
    source_of, target_of: int32 [U], the words of all types, sorted.
    together: float32 [U], as in :class:`~.link_statistics.LinkStatistics`.
    linked: float32 [2, U], by direction.
    """

    words: tuple[Words, Words]
    sides: tuple[Side, Side]
    source_of: ShortInts
    target_of: ShortInts
    together: Singles
    linked: Singles

    def for_words(self, source: Words, target: Words) -> LinkStatistics:
        """What is known of some words, numbered as they stand here; those behind the last are unknown."""
        rows, columns = (
            _numbers(known, words) for known, words in zip(self.words, (source, target), strict=True)
        )
        together, forward, reverse = (counts[rows][:, columns] for counts in self._matrices)
        return LinkStatistics(
            together,
            (forward, reverse),
            _for_words(self.sides[0], rows),
            _for_words(self.sides[1], columns),
            (_frequent(self.words[0], self.sides[0]), _frequent(self.words[1], self.sides[1])),
        )

    @cached_property
    def _matrices(self) -> list[csr_matrix]:
        """``together`` and ``linked``, with an empty row and column behind the last one."""
        shape = len(self.words[0]) + 1, len(self.words[1]) + 1
        ends = np.searchsorted(self.source_of, np.arange(shape[0] + 1))
        return [
            csr_matrix((counts, self.target_of, ends), shape=shape)
            for counts in (self.together, *self.linked)
        ]

    def state(self) -> State:
        """What :meth:`from_state` needs."""
        arrays: dict[str, Array] = {
            name: getattr(self, name) for name in ("source_of", "target_of", "together", "linked")
        }
        for name, side in zip(SIDES, self.sides, strict=True):
            arrays |= side.arrays(name)
        return State({"words": [list(words) for words in self.words]}, arrays)

    @classmethod
    def from_state(cls, state: State) -> Self:
        """The links whose ``state`` this is."""
        source, target = (tuple(words) for words in state.values["words"])
        sides = Side.of("source", state.arrays), Side.of("target", state.arrays)
        types = (state.arrays[name] for name in ("source_of", "target_of", "together", "linked"))
        return cls((source, target), sides, *types)


def load_text_links(folder: Path, aligners: Sequence[str], reporter: Reporter | None = None) -> TextLinks:
    """The links of a prepared bitext, by the mean of some aligners; counted unless they are kept already.

    What was kept of another text, or of other posteriors, is removed when something is counted.

    Parameters
    ----------
    aligners: names of aligners that have links of all pairs.
    reporter: shows how far counting has come; nothing is shown of what is kept.

    Raises
    ------
    InputError: what the readers raise.
    """
    manifest = read_manifest(folder)
    kept = folder / CACHE / _name_of(manifest, aligners)
    try:
        return TextLinks.from_state(State.load(kept, "links of a text", ""))
    except InputError:
        pass  # not counted yet, or not to the end
    posteriors = [load_text_posteriors(folder, name) for name in sorted(aligners)]
    labelled = sum(split["pairs"] for split in manifest["splits"].values())
    about, reporter = manifest["unlabelled"], reporter or Silent()
    progress = reporter.start("counting links", labelled + (about["kept"] if about else 0))
    try:
        pairs = number_pairs(lambda side: (of[side] for of in iterate_text(folder)))
        links = count_text_links(pairs, posteriors, labelled, progress)
    finally:
        reporter.stop()
    _remove_others(folder, manifest)
    links.state().save(kept)
    return links


def _name_of(manifest: Mapping[str, Any], aligners: Iterable[str]) -> str:
    """The name under which the links by some aligners are kept, by the checksums of text and posteriors."""
    names = [unlabelled_file(side) for side in SIDES]
    names += [f"{split}.{side}" for split in manifest["splits"] for side in SIDES]
    names += [text_posteriors_file(name, side) for name in sorted(aligners) for side in DIRECTIONS]
    seen = {name: manifest["files"].get(name) for name in names}
    about = json.dumps([_VERSION, manifest["normalise"], seen], sort_keys=True)
    return f"{_KEPT}{hashlib.sha256(about.encode()).hexdigest()[:16]}"


def _remove_others(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Remove links of a text, or by posteriors, that are there no more: no aligners lead to their name."""
    everywhere = list_text_posteriors(folder)
    chosen = chain.from_iterable(combinations(everywhere, n) for n in range(1, len(everywhere) + 1))
    valid = {_name_of(manifest, aligners) for aligners in chosen}
    for file in (folder / CACHE).glob(f"{_KEPT}*"):
        if file.stem not in valid:
            file.unlink()


def count_text_links(
    pairs: WordPairs,
    posteriors: Sequence[TextPosteriors],
    labelled: int,
    progress: Callable[[int], None] | None = None,
) -> TextLinks:
    """Count the links of a text.

    Parameters
    ----------
    posteriors: of all pairs, by some aligners.
    labelled: so many pairs stand first; neighbours of theirs are not counted as such.
    progress: called with the number of pairs as they are counted.
    """
    cells = Cells(*pairs.lengths)
    types = len(pairs.source_of)
    together, linked = np.zeros(types), np.zeros((2, types))
    counters = [_Counter(words) for words in pairs.words]
    for batch in pairs.batches:
        places = cells.of(batch.pairs)
        weights = _mean(posteriors, places)
        numbers = batch.types.ravel()
        np.add.at(together, numbers, 1.0)
        for direction in (FORWARD, REVERSE):
            np.add.at(linked[direction], numbers, weights[direction].ravel().astype(np.float64))
        unlabelled = batch.pairs >= labelled
        counters[0].count(batch.source, [w.sum(axis=1) for w in weights])
        counters[1].count(batch.target, [w.sum(axis=0) for w in weights])
        forward, reverse = (w[:, :, unlabelled] for w in weights)
        counters[0].count_neighbours(batch.source[:, unlabelled], reverse)
        counters[1].count_neighbours(batch.target[:, unlabelled], forward.swapaxes(0, 1))
        if progress:
            progress(len(batch.pairs))
    return TextLinks(
        pairs.vocabularies,
        (counters[0].side(), counters[1].side()),
        pairs.source_of,
        pairs.target_of,
        together.astype(np.float32),
        linked.astype(np.float32),
    )


def _mean(posteriors: Sequence[TextPosteriors], places: Ints) -> tuple[Singles, Singles]:
    """Forward and reverse weights at some places: the mean of the aligners."""
    forward, reverse = posteriors[0].take(places)
    for of in posteriors[1:]:
        more = of.take(places)
        forward += more[0]
        reverse += more[1]
    forward /= np.float32(len(posteriors))
    reverse /= np.float32(len(posteriors))
    return forward, reverse


class _Counter:
    """Counts the words of one side, batch by batch."""

    def __init__(self, words: int) -> None:
        self._words = words
        self._tokens, self._none, self._more = np.zeros(words), np.zeros((2, words)), np.zeros((2, words))
        self._keys: list[Ints] = []
        self._joint: list[Singles] = []
        self._monotone: list[Singles] = []

    def count(self, numbers: Ints, masses: Sequence[Singles]) -> None:
        """Words, int64 [n, B], and by direction the sum of their weights, float32 [n, B]."""
        np.add.at(self._tokens, numbers.ravel(), 1.0)
        for direction, mass in enumerate(masses):
            beyond = mass.ravel().astype(np.float64) - 1
            np.add.at(self._none[direction], numbers.ravel(), np.maximum(-beyond, 0))
            np.add.at(self._more[direction], numbers.ravel(), np.clip(beyond, 0, 1))

    def count_neighbours(self, numbers: Ints, weights: Singles) -> None:
        """Words, int64 [n, B], and the weights of their links, float32 [n, m, B]."""
        if len(numbers) < 2:
            return
        self._keys.append((numbers[:-1] * (self._words + 1) + numbers[1:]).ravel())
        self._joint.append((weights[:-1] * weights[1:]).sum(axis=1).ravel())
        self._monotone.append((weights[:-1, :-1] * weights[1:, 1:]).sum(axis=1).ravel())

    def side(self) -> Side:
        """What was counted."""
        keys = np.concatenate([np.empty(0, np.int64), *self._keys])
        found, inverse = np.unique(keys, return_inverse=True)
        times = np.bincount(inverse, minlength=len(found))
        joint, monotone = (
            _smoothed(np.concatenate([np.empty(0, np.float32), *of]), inverse, times)
            for of in (self._joint, self._monotone)
        )
        tokens, none, more = (of.astype(np.float32) for of in (self._tokens, self._none, self._more))
        return Side(tokens, none, more, Bigrams(found, joint, monotone))


def _smoothed(values: Singles, places: Integers, times: Ints) -> Singles:
    """The mean value of every place, leaning on that of all; the last one is that of all."""
    usual = float(values.mean(dtype=np.float64)) if len(values) else 0.0
    sums = np.bincount(places, values, minlength=len(times))
    means: Floats = (sums + _PRIOR * usual) / (times + _PRIOR)
    return np.append(means, usual).astype(np.float32)


def _numbers(known: Words, words: Words) -> Ints:
    """The numbers of words among the known ones; that behind the last one for others, and once at the end."""
    index = {word: number for number, word in enumerate(known)}
    return np.array([*(index.get(word, len(known)) for word in words), len(known)], dtype=np.int64)


def _for_words(side: Side, numbers: Ints) -> Side:
    """What is known of words by their numbers among all; the last one is that of unknown words."""
    tokens = np.append(side.tokens, np.float32(0))[numbers]
    none, more = (np.pad(of, ((0, 0), (0, 1)))[:, numbers] for of in (side.none, side.more))
    all_words, wide = len(side.tokens) + 1, len(numbers)
    # The numbers here of all words of the text; -1 for those that are not wanted.
    here = np.full(all_words, -1, dtype=np.int64)
    here[numbers[:-1]] = np.arange(wide - 1)
    here[-1] = -1
    first, second = here[side.bigrams.keys // all_words], here[side.bigrams.keys % all_words]
    kept = np.flatnonzero((first >= 0) & (second >= 0))
    keys = first[kept] * wide + second[kept]
    order = np.argsort(keys)
    joint, monotone = (
        np.append(of[:-1][kept[order]], of[-1]) for of in (side.bigrams.joint, side.bigrams.monotone)
    )
    return Side(tokens, none, more, Bigrams(keys[order], joint, monotone))


def _frequent(words: Words, side: Side) -> Words:
    """The words that stand most often in the text, in that order; of equals the one that sorts first."""
    ranked = sorted(zip((-side.tokens).tolist(), words, strict=True))
    return tuple(word for _, word in ranked[:FREQUENT])
