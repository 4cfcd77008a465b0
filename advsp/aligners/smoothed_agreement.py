"""Alignment by agreement, smoothed: the joint HMM at its best, with ten thousand pairs as with many more.

The two directions of Liang, Taskar and Klein (2006) count what they agree on (:mod:`.smoothed_joint`).
Several such models that cut words differently are trained one by one, and their posteriors averaged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
from annotated_types import Ge, Gt, Interval, MinLen

from advsp.aligners import programs
from advsp.aligners.base import AlignerProgram, AlignerText, Outcome, Tell
from advsp.aligners.grids import InBatch, fill, find_grids, write_decided
from advsp.aligners.smoothed_joint import Beliefs, Settings, gathered, in_batch, train
from advsp.aligners.smoothed_model import SmoothedModel, state_of
from advsp.aligners.spellings import Spellings, Strengths, ever_coarser
from advsp.corpora.posteriors import Posteriors
from advsp.corpora.text_posteriors import Cells, TextPosteriors
from advsp.corpora.word_pairs import Batch
from advsp.support.arrays import Floats, Singles
from advsp.support.errors import InputError
from advsp.support.state import State
from advsp.support.threads import single_threaded

#: To be changed with anything that changes what is predicted: what was kept before is then not found.
_ALGORITHM = "1"

Spelled = Annotated[list[Annotated[int, Ge(0)]], MinLen(1)]


@programs.register("smoothed-agreement")
@dataclass(frozen=True)
class SmoothedAgreement(AlignerProgram):
    """Joint HMMs with backed-off spellings, which come with this project and have posteriors.

    They draw nothing by chance, and their sums have one order: on one machine a text always gives the same
    bytes.  They run on one core and hold the text in memory.  A pair with a sentence of more than 200 words
    gets no links.

    Attributes
    ----------
    spellings: a list for every model, posteriors are their mean: words are the same if they begin with the
        same so many letters, 0 for all of them; rare ones lean on the next number, of fewer letters.
    backoff: as how many counts the next spelling counts.
    chance: as how many counts chance counts in the last spelling.
    model1: iterations of Model 1, from which the HMM starts.
    hmm: iterations of the HMM; without any, links are those of Model 1.
    null: prior probability that a word is linked to none.
    silence: counts of every word as linked to none, before any is made, by how often it is said.
    jump: jumps are told apart up to so many words, either way.
    anywhere: share of jumps that go anywhere with the same probability.
    diagonal: how fast positions away from the diagonal lose probability; 0 for not at all.
    staying: as how many jumps away from every word count those from all words, for how often it is kept.
    threshold: the link of a word is more probable than this, and than that it has none.
    """

    spellings: Annotated[list[Spelled], MinLen(1)] = field(default_factory=lambda: [[4, 3], [6, 4]])
    backoff: Annotated[float, Gt(0)] = 3.0
    chance: Annotated[float, Gt(0)] = 0.1
    model1: Annotated[int, Ge(0)] = 4
    hmm: Annotated[int, Ge(0)] = 4
    null: Annotated[float, Interval(gt=0, lt=1)] = 0.1
    silence: Annotated[float, Gt(0)] = 0.1
    jump: Annotated[int, Ge(1)] = 40
    anywhere: Annotated[float, Interval(gt=0, lt=1)] = 0.03
    diagonal: Annotated[float, Ge(0)] = 1.0
    staying: Annotated[float, Gt(0)] = 4.0
    threshold: Annotated[float, Interval(ge=0, lt=1)] = 0.5

    keeps_model = True

    def __post_init__(self) -> None:
        for letters in self.spellings:
            if not ever_coarser(letters):
                raise InputError(
                    f"spellings: {letters} are not ever fewer letters",
                    hint="the finest spelling stands first, e.g. [6, 4]; 0 letters are all of them",
                )

    @classmethod
    def version(cls) -> str:
        return _ALGORITHM

    @single_threaded
    def align(self, text: AlignerText, forward: Path, reverse: Path, tell: Tell) -> Outcome:
        tell("reading")
        sums: list[tuple[Floats, Floats]] = []
        everywhere: tuple[Singles, Singles] | None = None
        states: dict[str, State] = {}
        for number, letters in enumerate(self.spellings):
            pairs = text.word_pairs.cut(letters[0])
            spellings = Spellings.of(pairs, letters[1:])
            beliefs = Beliefs.first(pairs, self._settings)
            trained = train(pairs, spellings, self._settings, (self.model1, self.hmm))
            for iteration, beliefs in enumerate(trained, number * self._iterations + 1):
                tell(f"iteration {iteration} of {self._iterations * len(self.spellings)}")
            states[str(number)] = state_of(spellings.levels[0], beliefs)
            shapes = list(zip(*(lengths.tolist() for lengths in pairs.lengths), strict=True))
            labelled = [batch.before(text.labelled) for batch in pairs.batches]
            found = find_grids(self._find(labelled, spellings, beliefs), shapes[: text.labelled])
            sums = _sum(sums, found)
            more = fill(self._find(pairs.batches, spellings, beliefs), Cells(*pairs.lengths))
            if everywhere is not None:
                for one, other in zip(more, everywhere, strict=True):
                    one += other
            everywhere = more
        assert everywhere is not None
        kept = TextPosteriors(*((side / len(states)).astype(np.float16) for side in everywhere))
        mean = [(forward / len(states), reverse / len(states)) for forward, reverse in sums]
        write_decided((forward, reverse), mean, self.threshold, text.pairs - text.labelled)
        return Outcome(Posteriors.of(mean), State().holding(**states), kept)

    def learnt(self, state: State) -> SmoothedModel:
        states = [state.part(str(number)) for number in range(len(self.spellings))]
        return SmoothedModel(states, self.spellings, self._settings, self.hmm > 0, self.threshold)

    def _find(self, batches: Iterable[Batch], spellings: Spellings, beliefs: Beliefs) -> Iterator[InBatch]:
        """The posteriors of some batches."""
        ratios = spellings.ratios(beliefs.counts, self._settings.strengths)
        for batch in batches:
            if len(batch.pairs):
                yield in_batch(
                    batch, beliefs.find(batch, gathered(ratios, batch), self._settings, self.hmm > 0)
                )

    @property
    def _iterations(self) -> int:
        return self.model1 + self.hmm

    @property
    def _settings(self) -> Settings:
        return Settings(
            self.null,
            self.jump,
            self.anywhere,
            self.diagonal,
            self.silence,
            self.staying,
            Strengths(self.backoff, self.chance),
        )


def _sum(
    left: list[tuple[Floats, Floats]], right: list[tuple[Floats, Floats]]
) -> list[tuple[Floats, Floats]]:
    if not left:
        return right
    return [(a + c, b + d) for (a, b), (c, d) in zip(left, right, strict=True)]
