"""What smoothed alignment by agreement has learnt, for sentences that it has not seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from advsp.aligners.base import Aligned, AlignerModel
from advsp.aligners.grids import InBatch, aligned, find_grids
from advsp.aligners.smoothed_joint import Beliefs, Direction, Settings, in_batch
from advsp.aligners.spellings import NewWords, Spelling, Spellings
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.tokens import Words
from advsp.support.arrays import Array
from advsp.support.state import State
from advsp.support.threads import single_threaded


class SmoothedModel(AlignerModel):
    """Beliefs of several models about the words of a text; unknown words are :class:`~.spellings.NewWords`.

    Parameters
    ----------
    states: of :func:`state_of`, one of every model.
    spellings: numbers of letters of every model, the finest first.
    settings: of all models.
    moving: whether posteriors are those of the HMM, or of Model 1.
    threshold: the link of a word is more probable than this, and than that it has none.
    """

    def __init__(
        self,
        states: Sequence[State],
        spellings: Sequence[Sequence[int]],
        settings: Settings,
        moving: bool,
        threshold: float,
    ) -> None:
        self._settings, self._moving, self._threshold = settings, moving, threshold
        self._models = [
            _model(state, letters, settings) for state, letters in zip(states, spellings, strict=True)
        ]

    @single_threaded
    def align(self, pairs: Sequence[tuple[Words, Words]]) -> Aligned:
        shapes = [(len(source), len(target)) for source, target in pairs]
        each = [find_grids(self._find(*model, pairs), shapes) for model in self._models]
        mean = [
            (sum(of[0] for of in found) / len(each), sum(of[1] for of in found) / len(each))
            for found in zip(*each, strict=True)
        ]
        return aligned(mean, self._threshold)

    def _find(
        self, new: NewWords, beliefs: Beliefs, pairs: Sequence[tuple[Words, Words]]
    ) -> Iterator[InBatch]:
        for batch, (forward, reverse) in new.batches(pairs):
            ratios = np.ascontiguousarray(forward.swapaxes(0, 1)), reverse
            yield in_batch(batch, beliefs.find(batch, ratios, self._settings, self._moving))


def state_of(finest: Spelling, beliefs: Beliefs) -> State:
    """What is kept of a text in the finest spelling of a model, and of what it believes.

    Types that were never found linked are left out: they count as one that the text does not have.
    """
    kept = np.flatnonzero(beliefs.counts)
    arrays: dict[str, Array] = {
        "counts": beliefs.counts[kept],
        "source_of": finest.source_of[kept],
        "target_of": finest.target_of[kept],
        "source_shares": finest.shares[0],
        "target_shares": finest.shares[1],
    }
    for side, direction in zip(DIRECTIONS, beliefs.directions, strict=True):
        arrays |= {f"{side}_{name}": array for name, array in direction.arrays().items()}
    return State({"words": [list(words) for words in finest.vocabularies]}, arrays)


def _model(state: State, letters: Sequence[int], settings: Settings) -> tuple[NewWords, Beliefs]:
    source, target = (tuple(words) for words in state.values["words"])
    arrays = state.arrays
    finest = Spelling(
        (source, target),
        arrays["source_of"],
        arrays["target_of"],
        (arrays["source_shares"], arrays["target_shares"]),
    )
    forward, reverse = (
        Direction.of(
            {
                name.removeprefix(f"{side}_"): array
                for name, array in arrays.items()
                if name.startswith(f"{side}_")
            }
        )
        for side in DIRECTIONS
    )
    counts = arrays["counts"]
    new = NewWords(Spellings.above(finest, letters[1:]), counts, letters, settings.strengths)
    return new, Beliefs(counts, (forward, reverse))
