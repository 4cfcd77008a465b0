"""Alignment by agreement: two HMMs, one for each direction, that are trained together.

Liang, Taskar and Klein (2006), "Alignment by Agreement".  Where expectation maximisation would count how
often a model finds two words linked, both models count the product of what the two find, so that neither
goes on believing what the other does not find (:mod:`.joint`).  That words are cut is ours: French and
English words of one stem are counted together.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from annotated_types import Ge, Interval

from advsp.aligners import programs
from advsp.aligners.agreement_model import AgreementModel, state_of
from advsp.aligners.base import AlignerProgram, AlignerText, Outcome, Tell
from advsp.aligners.grids import fill, find_grids, write_decided
from advsp.aligners.joint import Beliefs, Settings, train
from advsp.corpora.posteriors import Posteriors
from advsp.corpora.text_posteriors import Cells, TextPosteriors
from advsp.support.state import State
from advsp.support.threads import single_threaded

#: To be changed with anything that changes what is predicted: what was kept before is then not found.
_ALGORITHM = "1"


@programs.register("agreement")
@dataclass(frozen=True)
class Agreement(AlignerProgram):
    """The joint HMM, which comes with this project and has posteriors.

    It draws nothing by chance, and its sums have one order: on one machine a text always gives the same
    bytes.  It runs on one core and holds the text in memory.  A pair with a sentence of more than 200 words
    gets no links.

    Attributes
    ----------
    model1: iterations of Model 1, from which the HMM starts.
    hmm: iterations of the HMM; without any, links are those of Model 1.
    null: prior probability that a word is linked to none.
    jump: jumps are told apart up to so many words, either way.
    letters: words are the same if they begin with the same so many letters; 0 for all of their letters.
    threshold: the link of a word is more probable than this, and than that it has none.
    """

    model1: Annotated[int, Ge(0)] = 5
    hmm: Annotated[int, Ge(0)] = 6
    null: Annotated[float, Interval(gt=0, lt=1)] = 0.1
    jump: Annotated[int, Ge(1)] = 40
    letters: Annotated[int, Ge(0)] = 5
    threshold: Annotated[float, Interval(ge=0, lt=1)] = 0.5

    keeps_model = True

    @classmethod
    def version(cls) -> str:
        return _ALGORITHM

    @single_threaded
    def align(self, text: AlignerText, forward: Path, reverse: Path, tell: Tell) -> Outcome:
        tell("reading")
        pairs = text.word_pairs.cut(self.letters)
        settings = self._settings
        beliefs = Beliefs.first(pairs, settings)
        for iteration, beliefs in enumerate(train(pairs, settings, (self.model1, self.hmm)), 1):
            tell(f"iteration {iteration} of {self.model1 + self.hmm}")
        labelled = (batch.before(text.labelled) for batch in pairs.batches)
        shapes = list(zip(*(lengths.tolist() for lengths in pairs.lengths), strict=True))[: text.labelled]
        found = find_grids((beliefs.posteriors(batch, settings, self.hmm > 0) for batch in labelled), shapes)
        write_decided((forward, reverse), found, self.threshold, text.pairs - text.labelled)
        everywhere = fill(
            (beliefs.posteriors(batch, settings, self.hmm > 0) for batch in pairs.batches),
            Cells(*pairs.lengths),
        )
        kept = TextPosteriors(*(side.astype(np.float16) for side in everywhere))
        return Outcome(Posteriors.of(found), state_of(pairs, beliefs), kept)

    def learnt(self, state: State) -> AgreementModel:
        return AgreementModel(state, self._settings, self.hmm > 0, self.threshold, self.letters)

    @property
    def _settings(self) -> Settings:
        return Settings(self.null, self.jump)
