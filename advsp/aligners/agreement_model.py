"""What alignment by agreement has learnt, for sentences that it has not seen.

A word that the text does not have is, as a given one, equally often translated by every word of the other
side; as a said one it comes from none as seldom as the rarest word does.  So an unknown word is linked to an
unknown one, if position allows, and otherwise to none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from advsp.aligners.base import Aligned, AlignerModel
from advsp.aligners.joint import STEP, TYPE, Beliefs, Direction, Settings
from advsp.aligners.word_pairs import LONGEST, Batch, Known, WordPairs
from advsp.corpora.bitext import Link
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.tokens import Words
from advsp.support.arrays import Array, Floats
from advsp.support.state import State
from advsp.support.threads import single_threaded

#: The arrays of one direction, and what they are called where they are kept.
_OF_DIRECTION = ("totals", "null", "jumps", "start")


@dataclass(frozen=True, eq=False)
class Decision:
    """How posteriors become links.

    Attributes
    ----------
    settings: of the models.
    moving: whether posteriors are those of the HMM, or of Model 1.
    threshold: the link of a word is more probable than this, and than that it has none.
    """

    settings: Settings
    moving: bool
    threshold: float

    def posteriors(
        self, beliefs: Beliefs, batches: Iterator[Batch], shapes: Sequence[tuple[int, int]]
    ) -> list[tuple[Floats, Floats]]:
        """For every pair its forward and reverse posteriors, float64 [n, m] each; 0 where no batch has it."""
        found = [(np.zeros(shape), np.zeros(shape)) for shape in shapes]
        for batch in batches:
            forward, reverse = beliefs.find(batch, self.settings, self.moving)
            for column, pair in enumerate(batch.pairs):
                # Rounding errors may have made them a little greater than 1.
                np.minimum(forward.posterior[:, :, column], 1, out=found[pair][0])
                np.minimum(reverse.posterior[:, :, column].T, 1, out=found[pair][1])
        return found

    def links(self, posteriors: tuple[Floats, Floats]) -> tuple[list[Link], list[Link]]:
        """Forward and reverse links of a pair, source word first."""
        forward, reverse = posteriors
        return self._best(forward), [(i, j) for j, i in self._best(reverse.T)]

    def _best(self, posterior: Floats) -> list[Link]:
        """For every word that is said, a column, its most probable position, a row; the first of equals."""
        best = posterior.max(axis=0)
        linked = best > np.maximum(1 - posterior.sum(axis=0), self.threshold)
        return list(zip(posterior.argmax(axis=0)[linked].tolist(), np.flatnonzero(linked).tolist()))


class AgreementModel(AlignerModel):
    """Beliefs about the words of a text, and a little about all others.

    Parameters
    ----------
    state: of :func:`state_of`.
    decision: how posteriors are found and become links.
    letters: words are the same if they begin with the same so many letters.
    """

    def __init__(self, state: State, decision: Decision, letters: int) -> None:
        source, target = (tuple(words) for words in state.values["words"])
        arrays = state.arrays
        self._decision = decision
        self._known = Known((source, target), arrays["source_of"], arrays["target_of"], letters)
        directions = (Direction(*(arrays[f"{side}_{name}"] for name in _OF_DIRECTION)) for side in DIRECTIONS)
        forward, reverse = (
            _with_unknown(direction, said)
            for direction, said in zip(directions, (len(target), len(source)), strict=True)
        )
        self._beliefs = Beliefs(np.append(arrays["types"], TYPE), (forward, reverse))

    @single_threaded
    def align(self, pairs: Sequence[tuple[Words, Words]]) -> Aligned:
        shapes = [(len(source), len(target)) for source, target in pairs]
        found = self._decision.posteriors(self._beliefs, self._known.batches(pairs), shapes)
        both = [self._decision.links(grids) for grids in found]
        links = {direction: [frozenset(of[side]) for of in both] for side, direction in enumerate(DIRECTIONS)}
        return Aligned(links, [(of[0].astype(np.float32), of[1].astype(np.float32)) for of in found])


def state_of(pairs: WordPairs, beliefs: Beliefs) -> State:
    """What is kept of a text and the beliefs learnt from it."""
    arrays: dict[str, Array] = {
        "types": beliefs.types,
        "source_of": pairs.source_of,
        "target_of": pairs.target_of,
    }
    for side, direction in zip(DIRECTIONS, beliefs.directions, strict=True):
        arrays |= {f"{side}_{name}": getattr(direction, name) for name in _OF_DIRECTION}
    return State({"words": [list(words) for words in pairs.vocabularies]}, arrays)


def _with_unknown(direction: Direction, said: int) -> Direction:
    """A direction that knows of unknown words and longer sentences; ``said``: number of known said words."""
    longer = np.full(max(0, LONGEST - len(direction.start)), STEP)
    return replace(
        direction,
        totals=np.append(direction.totals, TYPE * max(said, 1)),
        null=np.append(direction.null, direction.null.min(initial=1.0)),
        start=np.append(direction.start, longer),
    )
