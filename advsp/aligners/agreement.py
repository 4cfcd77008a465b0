"""Alignment by agreement: two HMMs, one for each direction, that are trained together.

Liang, Taskar and Klein (2006), "Alignment by Agreement".  Where expectation maximisation would count how
often a model finds two words linked, both models count the product of what the two find, so that neither
goes on believing what the other does not find (:mod:`.joint`).  That words are cut is ours: French and
English words of one stem are counted together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from annotated_types import Ge, Interval

from advsp.aligners import programs
from advsp.aligners.base import AlignerProgram, AlignerText, Tell
from advsp.aligners.joint import Beliefs, Settings, train
from advsp.aligners.word_pairs import WordPairs, read_word_pairs
from advsp.corpora.bitext import Link
from advsp.corpora.posteriors import Posteriors
from advsp.support.arrays import Floats
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

    @classmethod
    def version(cls) -> str:
        return _ALGORITHM

    @single_threaded
    def align(self, text: AlignerText, forward: Path, reverse: Path, tell: Tell) -> Posteriors:
        tell("reading")
        pairs = read_word_pairs(text, self.letters)
        settings = Settings(self.null, self.jump)
        beliefs = Beliefs.first(pairs, settings)
        for iteration, beliefs in enumerate(train(pairs, settings, (self.model1, self.hmm)), 1):
            tell(f"iteration {iteration} of {self.model1 + self.hmm}")
        found = self._find(pairs, text.labelled, beliefs, settings)
        unwanted = text.pairs - text.labelled
        _write(forward, (self._best(side) for side, _ in found), unwanted)
        _write(reverse, ([(i, j) for j, i in self._best(side.T)] for _, side in found), unwanted)
        return Posteriors.of(found)

    def _find(
        self, pairs: WordPairs, labelled: int, beliefs: Beliefs, settings: Settings
    ) -> list[tuple[Floats, Floats]]:
        """For every labelled pair its forward and reverse posteriors, float64 [n, m] each."""
        found = [(np.zeros(shape), np.zeros(shape)) for shape in list(zip(*pairs.lengths))[:labelled]]
        for batch in (batch.before(labelled) for batch in pairs.batches):
            if len(batch.pairs):
                forward, reverse = beliefs.find(batch, settings, self.hmm > 0)
                for column, pair in enumerate(batch.pairs):
                    # Rounding errors may have made them a little greater than 1.
                    np.minimum(forward.posterior[:, :, column], 1, out=found[pair][0])
                    np.minimum(reverse.posterior[:, :, column].T, 1, out=found[pair][1])
        return found

    def _best(self, posterior: Floats) -> list[Link]:
        """For every word that is said, a column, its most probable position, a row; the first of equals."""
        best = posterior.max(axis=0)
        linked = best > np.maximum(1 - posterior.sum(axis=0), self.threshold)
        return list(zip(posterior.argmax(axis=0)[linked].tolist(), np.flatnonzero(linked).tolist()))


def _write(path: Path, links: Iterable[list[Link]], blank: int) -> None:
    """Write the links of the labelled pairs, and a blank line for every other one."""
    lines = (" ".join(f"{i}-{j}" for i, j in found) + "\n" for found in links)
    path.write_text("".join(lines) + "\n" * blank, encoding="utf-8")
