"""What the sections of a run have in common: settings, corpora, trained weights, remarks and progress."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from advsp.support.progress import Reporter, Silent
from benchmarks.corpora import CLASSES, ROOT, Bitext, Featurised, Tagging
from benchmarks.engines import fastest
from benchmarks.models import train
from benchmarks.settings import Settings


@dataclass
class Workbench:
    """Shared by all sections; what is costly is made when it is first asked for.

    Attributes
    ----------
    settings: how much is measured.
    scratch: a folder for files that nobody keeps.
    root: the checkout, whose ``data`` holds the corpora.
    reporter: lines and bars.
    remarks: what a reader of the numbers must know, e.g. what was left out.
    """

    settings: Settings
    scratch: Path
    root: Path = ROOT
    reporter: Reporter = field(default_factory=Silent)
    remarks: list[str] = field(default_factory=list)

    def remark(self, text: str) -> None:
        """Say something once, and keep it with the numbers."""
        if text not in self.remarks:
            self.remarks.append(text)
            self.reporter.say(f"note: {text}")

    @cached_property
    def tagging(self) -> Tagging:
        """The corpus of named entities."""
        corpus = Tagging(self.scratch, self.root)
        if not corpus.real:
            self.remark("data/conll2003 is not prepared; the sample corpus stands in for it")
        return corpus

    @cached_property
    def bitext(self) -> Bitext:
        """The corpus of word alignment."""
        corpus = Bitext(self.scratch, self.root)
        if not corpus.real:
            self.remark("data/hansards is not prepared; the sample bitext stands in for it")
        return corpus

    @cached_property
    def sizes(self) -> list[int]:
        """Numbers of training sentences; the sample corpus has no more than 400."""
        sizes = self.tagging.sizes(self.settings.sentences)
        return sizes if len(sizes) > 1 else self.tagging.sizes((100, 200, 400))

    def featurised(self, sentences: int) -> Featurised:
        """The first sentences of the corpus, read once."""
        if sentences not in self._featurised:
            self._featurised[sentences] = self.tagging.featurise(sentences)
        return self._featurised[sentences]

    def weights(self, sentences: int) -> dict[str, np.ndarray]:
        """Trained weights of every class on so many sentences, trained once by the fastest engine."""
        if sentences not in self._weights:
            data, passes = self.featurised(sentences).train, self.settings.passes
            progress = self.reporter.start(
                f"training on {sentences} sentences", len(CLASSES) * passes * len(data)
            )
            try:
                self._weights[sentences] = {
                    name: train(data, name, fastest(), passes, self.settings.seed, progress)
                    for name in CLASSES
                }
            finally:
                self.reporter.stop()
        return self._weights[sentences]

    def __post_init__(self) -> None:
        self._featurised: dict[int, Featurised] = {}
        self._weights: dict[int, dict[str, np.ndarray]] = {}
