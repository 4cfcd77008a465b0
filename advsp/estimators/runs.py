"""Systems of runs that the command line has trained, asked from Python."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from advsp.corpora.bitext import Link
from advsp.corpora.untagged import Untagged
from advsp.experiments.align import Aligned, Aligner
from advsp.experiments.predict import Tagged, Tagger
from advsp.experiments.system_in_use import SystemInUse, open_system
from advsp.support.errors import InputError
from advsp.tasks import tasks

#: A sentence and its translation, as words.
Pair = tuple[Sequence[str], Sequence[str]]


class RunTagger:
    """A system of a run of tagging.

    Parameters
    ----------
    system: how it decides.

    Attributes
    ----------
    classes_: its classes, an array of text.
    """

    def __init__(self, system: SystemInUse) -> None:
        self.system = system
        self._tagger = Tagger(system)
        self.classes_ = np.array(system.run.config.classes)

    def predict(self, X: Sequence[Sequence[str]]) -> list[list[str]]:
        """Tags of every sentence, a list of words, in the scheme of the run's corpus.

        Raises
        ------
        InputError: the features look at columns, which words do not have.
        """
        return [list(tagged.tags) for tagged in self._said(X)]

    def predict_marginals(self, X: Sequence[Sequence[str]]) -> list[list[dict[str, float]]]:
        """For every token of every sentence class to probability."""
        return [
            [{label: found[t] for label, found in tagged.marginals.items()} for t in range(len(tagged.tags))]
            for tagged in self._said(X)
        ]

    def _said(self, X: Sequence[Sequence[str]]) -> list[Tagged]:
        if columns := self._tagger.features.columns:
            raise InputError(
                f"the features look at the columns {', '.join(columns)}", hint="tag files: advsp predict"
            )
        return list(self._tagger.tag(Untagged(tuple(words)) for words in X))


class RunAligner:
    """A system of a run of word alignment; see :class:`RunTagger`.

    Links that features look at are those of the models that were kept with the prepared bitext.
    """

    def __init__(self, system: SystemInUse) -> None:
        self.system = system
        self.classes_ = np.array(system.run.config.classes)
        self._aligner = Aligner(system)

    def predict(self, X: Sequence[Pair]) -> list[set[Link]]:
        """Links (source, target) of every pair of sentences, words from 0."""
        return [set(aligned.links) for aligned in self._said(X)]

    def predict_marginals(self, X: Sequence[Pair]) -> list[dict[Link, float]]:
        """Links of every pair to their probabilities."""
        return [dict(aligned.links) for aligned in self._said(X)]

    def _said(self, X: Sequence[Pair]) -> list[Aligned]:
        return list(self._aligner.align((tuple(source), tuple(target)) for source, target in X))


def open_run(folder: Path, system: str | None, seed: str | None) -> RunTagger | RunAligner:
    """A system of a run.

    Raises
    ------
    InputError: no trained run there, no such system or seed, or new text cannot be given features.
    """
    used = open_system(folder, system, seed)
    if tasks.get(used.run.config.corpus.kind).task == "alignment":
        return RunAligner(used)
    return RunTagger(used)
