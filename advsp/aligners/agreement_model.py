"""What alignment by agreement has learnt, for sentences that it has not seen.

A word that the text does not have is, as a given one, equally often translated by every word of the other
side; as a said one it comes from none as seldom as the rarest word does.  So an unknown word is linked to an
unknown one, if position allows, and otherwise to none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from advsp.aligners.base import Aligned, AlignerModel
from advsp.aligners.grids import aligned, find_grids
from advsp.aligners.joint import STEP, TYPE, Beliefs, Direction, Settings
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.tokens import Words
from advsp.corpora.word_pairs import LONGEST, Known, WordPairs
from advsp.support.arrays import Array
from advsp.support.state import State
from advsp.support.threads import single_threaded

#: The arrays of one direction, and what they are called where they are kept.
_OF_DIRECTION = ("totals", "null", "jumps", "start")


class AgreementModel(AlignerModel):
    """Beliefs about the words of a text, and a little about all others.

    Parameters
    ----------
    state: of :func:`state_of`.
    settings: of the models.
    moving: whether posteriors are those of the HMM, or of Model 1.
    threshold: the link of a word is more probable than this, and than that it has none.
    letters: words are the same if they begin with the same so many letters.
    """

    def __init__(
        self, state: State, settings: Settings, moving: bool, threshold: float, letters: int
    ) -> None:
        source, target = (tuple(words) for words in state.values["words"])
        arrays = state.arrays
        self._settings, self._moving, self._threshold = settings, moving, threshold
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
        batches = self._known.batches(pairs)
        found = (self._beliefs.posteriors(batch, self._settings, self._moving) for batch in batches)
        return aligned(find_grids(found, shapes), self._threshold)


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
