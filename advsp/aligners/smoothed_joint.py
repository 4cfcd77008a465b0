"""Two directions that learn from each other, smoothed: what they believe, what they count, training in turns.

As in :mod:`.joint`, types count as often as both directions find them.  What a direction makes of the
counts is smoothed in every part: emissions lean on coarser spellings (:mod:`.spellings`), words without a
link on how often words are said at all, jumps on jumps anywhere, how long a word keeps the position on how
long others do; and positions near the diagonal are more probable.  The recipe and its numbers were chosen on
the 137 pairs of the Hansards that are not tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from advsp.aligners.grids import InBatch
from advsp.aligners.spellings import Spellings, Strengths
from advsp.aligners.staying_hmm import Moves, model1, staying_hmm
from advsp.corpora.word_pairs import LONGEST, Batch, WordPairs
from advsp.support.arrays import Array, Floats, Ints, Singles

#: Added to the counts of a jump or a first position.
_STEP = 0.5
#: By how many words jumps first miss the next position, and first positions the first one.
_MISS = 2.0
#: A word never keeps the position with a greater probability.
_MOST = 0.95
#: By what the staying of a word may differ from that of others.
_FACTORS = (0.05, 8.0)


class Settings(NamedTuple):
    """What does not change in training.

    Attributes
    ----------
    null: prior probability that a word comes from none.
    jump: longest jump that is told from longer ones.
    anywhere: share of jumps that go anywhere with the same probability.
    diagonal: how fast positions away from the diagonal lose probability.
    silence: counts from none of every said word, before any is made, by its share of the text.
    staying: as how many departures the staying of all words counts for each.
    strengths: of coarser spellings.
    """

    null: float
    jump: int
    anywhere: float
    diagonal: float
    silence: float
    staying: float
    strengths: Strengths


@dataclass(frozen=True, eq=False)
class Direction:
    """What one direction believes beside emissions; V words of the given side and W of the said one.

    The last number of words stands for all that are unknown.

    Attributes
    ----------
    null: float32 [W + 1], ratio to its share of the probability that a word from none is this one.
    jumps: float64 [2 K + 1], weights of jumps from -K to K, where longer ones count as K.
    start: float64 [LONGEST], weights of first positions.
    staying: float32 [V + 1], how much more probable it is that the position is kept after this word.
    """

    null: Singles
    jumps: Floats
    start: Floats
    staying: Singles

    def moves(self, given: Ints, anywhere: float) -> Moves:
        """How positions follow each other in sentences; ``given``: int64 [I, B], their words."""
        length = len(given)
        start = (self.start[:length] / self.start[:length].sum()).astype(np.float32)
        if length == 1:
            always = np.ones(given.shape, np.float32)
            return Moves(np.zeros((1, 1), np.float32), start, always, np.zeros_like(always))
        weights = self.jumps[_jumps(length, len(self.jumps) // 2)]
        jumps = weights / weights.sum(axis=1, keepdims=True) * (1 - anywhere) + anywhere / length
        keep = jumps.diagonal().astype(np.float32)[:, None]
        stay = np.minimum(keep * self.staying[given], np.float32(_MOST))
        np.fill_diagonal(jumps, 0)
        return Moves(jumps.astype(np.float32), start, stay, (1 - stay) / (1 - keep))

    def arrays(self) -> dict[str, Array]:
        """What :meth:`of` makes it of again."""
        return {"null": self.null, "jumps": self.jumps, "start": self.start, "staying": self.staying}

    @classmethod
    def of(cls, arrays: Mapping[str, Array]) -> Self:
        """The direction whose :meth:`arrays` these are."""
        return cls(arrays["null"], arrays["jumps"], arrays["start"], arrays["staying"])


class Found(NamedTuple):
    """What one direction finds in a batch.

    Attributes
    ----------
    posterior: float32 [J, I, B].
    jumps: float64 [2 K + 1], expected jumps; None for Model 1, which has none, as have sentences of one word.
    start: float64 [I], expected first positions.
    stays, departures: float32 [I, B]; in ``departures`` every one counts as the staying that all words are
        believed to do at its position.
    """

    posterior: Singles
    jumps: Floats | None = None
    start: Floats | None = None
    stays: Singles | None = None
    departures: Singles | None = None


@dataclass(frozen=True, eq=False)
class Beliefs:
    """What both directions believe.

    Attributes
    ----------
    counts: float64 [U], how often the two words of a type were found linked, in the finest spelling.
    directions: forward and reverse.
    """

    counts: Floats
    directions: tuple[Direction, Direction]

    @classmethod
    def first(cls, pairs: WordPairs, settings: Settings) -> Self:
        """Every word is said by chance."""
        jumps = np.exp(-np.abs(np.arange(-settings.jump, settings.jump + 1) - 1) / _MISS)
        start = np.exp(-np.arange(LONGEST) / _MISS)
        forward, reverse = (
            Direction(np.ones(said + 1, np.float32), jumps, start, np.ones(given + 1, np.float32))
            for given, said in (pairs.words, pairs.words[::-1])
        )
        return cls(np.zeros(len(pairs.source_of)), (forward, reverse))

    def find(
        self, batch: Batch, ratios: tuple[Singles, Singles], settings: Settings, moving: bool
    ) -> tuple[Found, Found]:
        """What each direction finds, under the HMM if ``moving``, under Model 1 otherwise.

        Parameters
        ----------
        ratios: forward float32 [m, n, B] and reverse float32 [n, m, B], emissions, said word first; they
            are written over.
        """
        forward, reverse = self.directions
        return (
            _find(forward, ratios[0], batch.source, batch.target, settings, moving),
            _find(reverse, ratios[1], batch.target, batch.source, settings, moving),
        )


def gathered(ratios: tuple[Singles, Singles], batch: Batch) -> tuple[Singles, Singles]:
    """The ratios of a batch, said word first; ``ratios``: float32 [U] each, by type."""
    return np.take(ratios[0], batch.types.swapaxes(0, 1)), np.take(ratios[1], batch.types)


def in_batch(batch: Batch, found: tuple[Found, Found]) -> InBatch:
    """What both directions have found, with the source word first."""
    forward, reverse = found
    return InBatch(batch.pairs, forward.posterior.swapaxes(0, 1), reverse.posterior)


class Counts:
    """What both directions have found in the batches so far."""

    def __init__(self, pairs: WordPairs, settings: Settings) -> None:
        self._settings = settings
        self._types = np.zeros(len(pairs.source_of))
        self._null = [np.zeros(words) for words in reversed(pairs.words)]
        self._jumps = [np.full(2 * settings.jump + 1, _STEP) for _ in pairs.words]
        self._start = [np.full(LONGEST, _STEP) for _ in pairs.words]
        self._stays = [np.zeros(words) for words in pairs.words]
        self._departures = [np.zeros(words) for words in pairs.words]

    def add(self, batch: Batch, found: tuple[Found, Found]) -> None:
        """Count what was found in a batch: types by the product of both posteriors."""
        forward, reverse = found
        _add(self._types, batch.types, forward.posterior.swapaxes(0, 1) * reverse.posterior)
        words = batch.source, batch.target
        for side, direction in enumerate(found):
            # What is missing to 1 may be a rounding error below 0.
            silent = np.maximum(1 - direction.posterior.sum(axis=1), 0)
            _add(self._null[side], words[1 - side], silent)
            if direction.start is not None:
                self._start[side][: len(direction.start)] += direction.start
            if direction.jumps is not None:
                self._jumps[side] += direction.jumps
                _add(self._stays[side], words[side], direction.stays)
                _add(self._departures[side], words[side], direction.departures)

    def beliefs(self, before: Beliefs, spellings: Spellings, moving: bool) -> Beliefs:
        """What is believed now; jumps, first positions and staying are as before unless ``moving``."""
        shares = spellings.levels[0].shares[::-1]
        forward, reverse = (
            Direction(
                self._silence(side, shares[side]),
                self._jumps[side] if moving else old.jumps,
                self._start[side] if moving else old.start,
                self._staying(side) if moving else old.staying,
            )
            for side, old in enumerate(before.directions)
        )
        return Beliefs(self._types, (forward, reverse))

    def _silence(self, side: int, share: Floats) -> Singles:
        """The ratios of words from none, that of an unknown one last."""
        prior = self._settings.silence * len(share)
        ratio: Floats = (np.append(self._null[side] / share, 0.0) + prior) / (self._null[side].sum() + prior)
        return ratio.astype(np.float32)

    def _staying(self, side: int) -> Singles:
        """By what the staying of every given word differs from that of all, that of an unknown one last."""
        stays, departures = (np.append(of[side], 0.0) for of in (self._stays, self._departures))
        if not departures.sum():
            return np.ones(len(stays), np.float32)
        usual, prior = stays.sum() / departures.sum(), self._settings.staying
        factor = (stays + prior * usual) / (departures + prior) / usual
        bounded: Floats = np.clip(factor, *_FACTORS)
        return bounded.astype(np.float32)


def train(
    pairs: WordPairs, spellings: Spellings, settings: Settings, iterations: tuple[int, int]
) -> Iterator[Beliefs]:
    """Beliefs after so many iterations of Model 1, and then of the HMM, one after the other."""
    beliefs = Beliefs.first(pairs, settings)
    for moving, times in zip((False, True), iterations, strict=True):
        for _ in range(times):
            counts = Counts(pairs, settings)
            ratios = spellings.ratios(beliefs.counts, settings.strengths)
            for batch in pairs.batches:
                counts.add(batch, beliefs.find(batch, gathered(ratios, batch), settings, moving))
            beliefs = counts.beliefs(beliefs, spellings, moving)
            yield beliefs


def _find(
    beliefs: Direction, emission: Singles, given: Ints, said: Ints, settings: Settings, moving: bool
) -> Found:
    null = beliefs.null[said]
    if not moving:
        return Found(model1(emission, null, settings.null))
    length = len(given)
    emission *= _near_the_diagonal(len(said), length, settings.diagonal)[:, :, None]
    moves = beliefs.moves(given, settings.anywhere)
    found = staying_hmm(emission, null, settings.null, moves)
    start = found.posterior[0].sum(axis=1, dtype=np.float64)
    if length == 1:
        return Found(found.posterior, start=start)
    places = _jumps(length, settings.jump).ravel()
    jumps = np.zeros(2 * settings.jump + 1)
    _add(jumps, places, found.jumps)
    jumps[settings.jump] += found.stays.sum(dtype=np.float64)
    # What is kept on average, the word left out of account: the weights of all positions sum to 1.
    usual = 1 - moves.jumps.sum(axis=1, keepdims=True)
    return Found(found.posterior, jumps, start, found.stays, found.departures * usual)


def _near_the_diagonal(said: int, given: int, steepness: float) -> Singles:
    """By what positions are more probable than others; float32 [said, given], mean 1 over the given ones."""
    rows, columns = ((np.arange(length) + 0.5) / length for length in (said, given))
    weights = np.exp(-steepness * np.abs(rows[:, None] - columns))
    near: Singles = (weights / weights.mean(axis=1, keepdims=True)).astype(np.float32)
    return near


def _jumps(length: int, longest: int) -> Ints:
    """The numbers of jumps from positions, the rows, to positions, the columns; int64 [length, length]."""
    positions = np.arange(length)
    jumps: Ints = np.clip(positions - positions[:, None], -longest, longest) + longest
    return jumps


def _add(sums: Floats, places: Array, numbers: Singles | None) -> None:
    """Add numbers to the sums at their places, one after the other."""
    assert numbers is not None
    # numpy adds fast where numbers and sums are of one type.
    np.add.at(sums, places.ravel(), numbers.ravel().astype(np.float64))
