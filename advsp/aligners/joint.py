"""Two directions that learn from each other: what they believe, what they count, and training in turns.

The forward direction says the target sentence, given the source; the reverse direction the other way round.
Both believe in the same counts of types, and differ in the words over which these are shares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from advsp.aligners.grids import InBatch
from advsp.aligners.hmm import hmm, model1
from advsp.corpora.word_pairs import Batch, WordPairs
from advsp.support.arrays import Floats, Integers, Ints

#: Added to the counts of a type, of a word without a link, of a jump or a first position.
TYPE, NULL, STEP = 1e-12, 1e-3, 0.5

#: By how many words jumps first miss the next position, and first positions the first one.
_MISS = 2.0


class Settings(NamedTuple):
    """What does not change in training.

    Attributes
    ----------
    null: prior probability that a word comes from none.
    jump: longest jump that is told from longer ones.
    """

    null: float
    jump: int


@dataclass(frozen=True, eq=False)
class Direction:
    """What one direction believes beside the types; V words of the given side and W of the said one.

    Attributes
    ----------
    totals: float64 [V], counts of the types of each given word.
    null: float64 [W], probability that a word which comes from none is this one.
    jumps: float64 [2 K + 1], weights of jumps from -K to K, where longer ones count as K.
    start: float64 [L], weights of first positions.
    """

    totals: Floats
    null: Floats
    jumps: Floats
    start: Floats

    def transition(self, length: int) -> Floats:
        """Probabilities of positions, the columns, after positions, the rows; float64 [length, length]."""
        weights = self.jumps[_jumps(length, len(self.jumps) // 2)]
        probabilities: Floats = weights / weights.sum(axis=1, keepdims=True)
        return probabilities


class Found(NamedTuple):
    """What one direction finds in a batch.

    Attributes
    ----------
    posterior: float64 [given, said, B].
    steps: jumps and first positions, as in :class:`Direction`, the latter for the given length alone; None
        for Model 1, which has none.
    """

    posterior: Floats
    steps: tuple[Floats, Floats] | None = None


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What both directions believe.

    Attributes
    ----------
    types: float64 [U], how often the two words of a type were found linked.
    directions: forward and reverse.
    """

    types: Floats
    directions: tuple[Direction, Direction]

    @classmethod
    def first(cls, pairs: WordPairs, settings: Settings) -> Self:
        """Every type counts alike; a word comes from none as often as it stands in the text."""
        types = np.ones(len(pairs.source_of))
        frequencies = [np.zeros(words) for words in pairs.words]
        for batch in pairs.batches:
            for counts, words in zip(frequencies, (batch.source, batch.target), strict=True):
                np.add.at(counts, words, 1.0)
        jumps = np.exp(-np.abs(np.arange(-settings.jump, settings.jump + 1) - 1) / _MISS)
        forward, reverse = (
            Direction(totals, said / max(said.sum(), 1), jumps, np.exp(-np.arange(longest) / _MISS))
            for totals, said, longest in zip(
                _totals(pairs, types), reversed(frequencies), _longest(pairs), strict=True
            )
        )
        return cls(types, (forward, reverse))

    def find(self, batch: Batch, settings: Settings, moving: bool) -> tuple[Found, Found]:
        """What each direction finds, under the HMM if ``moving``, under Model 1 otherwise."""
        counts = self.types[batch.types]
        forward, reverse = self.directions
        return (
            _find(forward, counts, batch.source, batch.target, settings, moving),
            _find(reverse, counts.swapaxes(0, 1), batch.target, batch.source, settings, moving),
        )

    def posteriors(self, batch: Batch, settings: Settings, moving: bool) -> InBatch:
        """What both directions find, with the source word first."""
        forward, reverse = self.find(batch, settings, moving)
        return InBatch(batch.pairs, forward.posterior, reverse.posterior.swapaxes(0, 1))


class Counts:
    """What both directions have found in the batches so far."""

    def __init__(self, pairs: WordPairs, settings: Settings) -> None:
        self._pairs = pairs
        self._types = np.full(len(pairs.source_of), TYPE)
        self._null = [np.full(words, NULL) for words in reversed(pairs.words)]
        self._jumps = [np.full(2 * settings.jump + 1, STEP) for _ in pairs.words]
        self._start = [np.full(longest, STEP) for longest in _longest(pairs)]

    def add(self, batch: Batch, found: tuple[Found, Found]) -> None:
        """Count what was found in a batch: types by the product of both posteriors."""
        forward, reverse = found
        agreed = forward.posterior * reverse.posterior.swapaxes(0, 1)
        np.add.at(self._types, batch.types.ravel(), agreed.ravel())
        for side, (direction, said) in enumerate(zip(found, (batch.target, batch.source), strict=True)):
            # What is missing to 1 may be a rounding error below 0.
            np.add.at(self._null[side], said, np.maximum(1 - direction.posterior.sum(axis=0), 0))
            if direction.steps is not None:
                jumps, start = direction.steps
                self._jumps[side] += jumps
                self._start[side][: len(start)] += start

    def beliefs(self, before: Beliefs, moving: bool) -> Beliefs:
        """What is believed now; jumps and first positions stay as before unless ``moving``."""
        forward, reverse = (
            Direction(
                totals,
                null / null.sum(),
                self._jumps[side] if moving else old.jumps,
                self._start[side] if moving else old.start,
            )
            for side, (totals, null, old) in enumerate(
                zip(_totals(self._pairs, self._types), self._null, before.directions, strict=True)
            )
        )
        return Beliefs(self._types, (forward, reverse))


def train(pairs: WordPairs, settings: Settings, iterations: tuple[int, int]) -> Iterator[Beliefs]:
    """Beliefs after so many iterations of Model 1, and then of the HMM, one after the other."""
    beliefs = Beliefs.first(pairs, settings)
    for moving, times in zip((False, True), iterations, strict=True):
        for _ in range(times):
            counts = Counts(pairs, settings)
            for batch in pairs.batches:
                counts.add(batch, beliefs.find(batch, settings, moving))
            beliefs = counts.beliefs(beliefs, moving)
            yield beliefs


def _find(
    beliefs: Direction,
    counts: Floats,
    given: Ints,
    said: Ints,
    settings: Settings,
    moving: bool,
) -> Found:
    """What a direction finds; ``counts`` are those of types, float64 [given, said, B]."""
    emission = counts * (1 / beliefs.totals[given])[:, None]
    null = beliefs.null[said]
    if not moving:
        return Found(model1(emission, null, settings.null))
    length = len(given)
    start = beliefs.start[:length] / beliefs.start[:length].sum()
    found = hmm(emission, null, settings.null, beliefs.transition(length), start)
    jumps = _jumps(length, settings.jump).ravel()
    moves = _sums(jumps, found.moves.ravel(), 2 * settings.jump + 1)
    return Found(found.posterior, (moves, found.start))


def _jumps(length: int, longest: int) -> Ints:
    """The numbers of jumps from positions, the rows, to positions, the columns; int64 [length, length]."""
    positions = np.arange(length)
    jumps: Ints = np.clip(positions - positions[:, None], -longest, longest) + longest
    return jumps


def _totals(pairs: WordPairs, types: Floats) -> tuple[Floats, Floats]:
    """Counts of types by their source and by their target words."""
    return (
        _sums(pairs.source_of, types, pairs.words[0]),
        _sums(pairs.target_of, types, pairs.words[1]),
    )


def _sums(places: Integers, numbers: Floats, length: int) -> Floats:
    """The sums of the numbers that have one place, float64 [length]."""
    # They are float64 already, which numpy's types do not know.
    return np.bincount(places, numbers, minlength=length).astype(np.float64, copy=False)


def _longest(pairs: WordPairs) -> tuple[int, int]:
    """Words of the longest source and of the longest target sentence among the batches."""
    return (
        max((len(batch.source) for batch in pairs.batches), default=0),
        max((len(batch.target) for batch in pairs.batches), default=0),
    )
