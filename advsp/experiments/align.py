"""Links of new sentence pairs, by a trained system; text longer than memory passes through piece by piece."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.links import NAACL, PHARAOH, Links, Notation, links_as_text
from advsp.corpora.parallel_text import TextFiles, stream_pairs
from advsp.corpora.tokens import Words
from advsp.experiments.link_evidence import LinkEvidence, gather
from advsp.experiments.system_in_use import SystemInUse
from advsp.features.bitext.featuriser import BitextFeatures
from advsp.features.bitext.text_counts import load_counts
from advsp.features.bitext.text_links import load_text_links
from advsp.support.errors import InputError
from advsp.support.files import atomic
from advsp.support.progress import Reporter
from advsp.support.words import counted
from advsp.tasks import tasks
from advsp.tasks.base import ALL
from advsp.training.instances import EdgeInstances

#: Sentence pairs that are aligned at a time.
BATCH = 500


@dataclass(frozen=True)
class Request:
    """What is to be aligned, and what is to be written.

    Attributes
    ----------
    text: parallel text.
    output: file to write, None for standard output.
    form: name of a format in :data:`FORMATS`.
    probabilities: whether to write how probable the links are.
    links: name of an aligner, or of one of its directions, to the file of its links.
    notation: of these files.
    bitext: the prepared bitext; None for that of the run.
    """

    text: TextFiles
    output: Path | None = None
    form: str = "pharaoh"
    probabilities: bool = False
    links: Mapping[str, Path] = field(default_factory=dict)
    notation: Notation = PHARAOH
    bitext: Path | None = None


def align_files(system: SystemInUse, request: Request, reporter: Reporter) -> None:
    """Align parallel text by a trained system; the output is there once all is well.

    Raises
    ------
    InputError: the system aligns nothing; links that its features need are missing; no prepared bitext, or
        another one than the run's; what :func:`~advsp.corpora.parallel_text.stream_pairs` and
        :class:`~advsp.corpora.links.LinkStream` raise.
    """
    for path in (*request.text.paths, *request.links.values()):
        if not path.exists():
            raise InputError("no such file", file=path)
    aligner = Aligner(system, request.links, request.notation, request.bitext, reporter)
    reporter.say(system.describe())
    for line in aligner.evidence.describe():
        reporter.say(line)
    progress = reporter.start("aligning", sum(1 for _ in stream_pairs(request.text)))
    write = FORMATS[request.form]
    linked = 0
    with nullcontext(sys.stdout) if request.output is None else atomic(request.output) as stream:
        pairs = 0
        for pairs, one in enumerate(aligner.align(stream_pairs(request.text)), 1):
            stream.write(write(pairs, one, request.probabilities))
            linked += len(one.links)
            progress(1)
    reporter.stop()
    reporter.say(f"{counted(pairs, 'pair')}, {counted(linked, 'link')}")


@dataclass(frozen=True)
class Aligned:
    """A sentence pair with its links.

    Attributes
    ----------
    source, target: its words.
    links: of the system, each with its probability.
    """

    source: Words
    target: Words
    links: Mapping[Link, float]


class Aligner:
    """Aligns sentence pairs by a trained system.

    Parameters
    ----------
    system: how it decides.
    links: name of an aligner, or of one of its directions, to the file of its links for these pairs.
    notation: of these files.
    bitext: the prepared bitext; None for that of the run.
    reporter: shows how far links of the whole text are counted, where they are not kept.

    Raises
    ------
    InputError: the run is none of alignment; links are missing, or not used; no prepared bitext there, or
        another one than the run was trained on.
    """

    def __init__(
        self,
        system: SystemInUse,
        links: Mapping[str, Path] | None = None,
        notation: Notation = PHARAOH,
        bitext: Path | None = None,
        reporter: Reporter | None = None,
    ) -> None:
        run = system.run
        if (task := tasks.get(run.config.corpus.kind).task) != "alignment":
            raise InputError(f"is a run of {task}, not of alignment", file=run.folder.path)
        self.system = system
        self.folder = Path(run.config.corpus.path) if bitext is None else bitext
        self.features = BitextFeatures.load(system.features)
        self.evidence: LinkEvidence = gather(self.features, self.folder, links or {}, notation)
        self._counts = load_counts(self.folder)
        everywhere = self.features.feature_set.everywhere
        self._links = load_text_links(self.folder, everywhere, reporter) if everywhere else None
        known = self._counts.statistics([])
        ours = self.features.statistics
        if (known.pairs, known.source.common, known.target.common) != (
            ours.pairs,
            ours.source.common,
            ours.target.common,
        ):
            raise InputError(
                "is another text than the run was trained on",
                file=self.folder,
                hint="train anew, or name the bitext that it was trained on",
            )
        self._counted = frozenset(
            SentencePair(*words)
            for split in run.config.corpus.splits
            for words in _words(run.folder.instances(system.point.view, split))
        )

    def align(self, pairs: Iterable[tuple[Words, Words]]) -> Iterator[Aligned]:
        """The pairs with their links, in order, as they are asked for; a side may be without words."""
        left = iter(pairs)
        while batch := list(islice(left, BATCH)):
            yield from self._aligned(batch)
        self.evidence.finish()

    def _aligned(self, batch: Sequence[tuple[Words, Words]]) -> Iterator[Aligned]:
        links, posteriors = self.evidence.take(batch)
        full = [place for place, (source, target) in enumerate(batch) if source and target]
        found: dict[int, dict[Link, float]] = {}
        if full:
            statistics = self._counts.statistics(batch[place] for place in full)
            links_of_text = None
            if self._links is not None:
                words = statistics.source.words, statistics.target.words
                links_of_text = self._links.for_words(*words)
            instances = self.features.knowing(statistics, links_of_text).transform(
                [SentencePair(*batch[place]) for place in full],
                {name: [of[place] for place in full] for name, of in links.items()},
                {name: [of[place] for place in full] for name, of in posteriors.items()},
                self._counted,
            )
            found = dict(zip(full, self._decided(instances), strict=True))
        for place, (source, target) in enumerate(batch):
            yield Aligned(source, target, found.get(place, {}))

    def _decided(self, instances: EdgeInstances) -> Iterator[dict[Link, float]]:
        said = self.system.decode(instances)
        claimed, marginal = self.system.claims(said)[ALL], said[ALL].marginal
        for pair in range(len(instances)):
            rows, shape = instances.rows(pair), instances.shapes[pair]
            where = np.argwhere(claimed[rows].reshape(shape)).tolist()
            probable = marginal[rows].reshape(shape)
            yield {(i, j): float(probable[i, j]) for i, j in where}


def _words(instances: object) -> Iterator[tuple[Words, Words]]:
    assert isinstance(instances, EdgeInstances)
    return zip(instances.source, instances.target, strict=True)


def _pharaoh(number: int, pair: Aligned, probabilities: bool) -> str:
    return _as_text(number, pair, PHARAOH, probabilities)


def _naacl(number: int, pair: Aligned, probabilities: bool) -> str:
    return _as_text(number, pair, NAACL, probabilities)


def _as_text(number: int, pair: Aligned, notation: Notation, probabilities: bool) -> str:
    confidences = pair.links if probabilities else None
    return links_as_text(number, Links(frozenset(pair.links)), notation, confidences)


def _jsonl(number: int, pair: Aligned, probabilities: bool) -> str:
    links = [
        [i, j, round(probable, 6)] if probabilities else [i, j]
        for (i, j), probable in sorted(pair.links.items())
    ]
    record = {"source": list(pair.source), "target": list(pair.target), "links": links}
    return json.dumps(record, ensure_ascii=False) + "\n"


#: Format to what a pair is in it: its number from 1, the pair, and whether probabilities are wanted.
FORMATS: dict[str, Callable[[int, Aligned, bool], str]] = {
    "pharaoh": _pharaoh,
    "naacl": _naacl,
    "jsonl": _jsonl,
}
