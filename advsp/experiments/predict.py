"""Tags for new text, by a trained system; text longer than memory passes through piece by piece."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO

import numpy as np

from advsp.corpora.conll import Sentence
from advsp.corpora.runs import of_masks, to_tags
from advsp.corpora.schemes import OUTSIDE
from advsp.corpora.text_stream import STANDARD_INPUT
from advsp.corpora.untagged import Layout, Untagged, read_untagged
from advsp.experiments.system_in_use import SystemInUse
from advsp.learners.beginnings import beginnings
from advsp.support.arrays import ranges
from advsp.support.errors import InputError
from advsp.support.files import atomic
from advsp.support.progress import Progress, Reporter
from advsp.support.words import counted
from advsp.tasks import tasks
from advsp.tasks.tagging import SavedFeatures, load_features

#: Sentences that are tagged at a time.
BATCH = 1000


@dataclass(frozen=True)
class Request:
    """What is to be tagged, and what is to be written.

    Attributes
    ----------
    files: to be read one after the other; none for standard input.
    output: file to write, None for standard output.
    layout: how sentences stand in the files.
    word: column of the word; None for that of the corpus.
    encoding: of the files.
    form: name of a format in :data:`FORMATS`.
    marginals: whether to write the probability of every class.
    """

    files: Sequence[Path]
    output: Path | None = None
    layout: Layout = "columns"
    word: int | None = None
    encoding: str = "utf-8"
    form: str = "conll"
    marginals: bool = False


def tag_files(system: SystemInUse, request: Request, reporter: Reporter) -> None:
    """Tag files by a trained system; the output is there once all is well.

    Raises
    ------
    InputError: a file that is not there, before anything is written; the system tags nothing, or its features
        cannot be made of new text; what :func:`~advsp.corpora.untagged.read_untagged` raises.
    """
    for path in request.files:
        if path != STANDARD_INPUT and not path.exists():
            raise InputError("no such file", file=path)
    tagger = Tagger(system)
    features = tagger.features
    reporter.say(system.describe())
    files = list(request.files) or [STANDARD_INPUT]
    kilobytes = sum(path.stat().st_size for path in files if path.is_file()) // 1024
    progress = reporter.start("tagging, kB", kilobytes if STANDARD_INPUT not in files else 0)
    read = _Kilobytes(progress)
    word = features.word if request.word is None else request.word
    sentences = chain.from_iterable(
        read_untagged(
            path,
            request.layout,
            word,
            features.docstart,
            request.encoding,
            read,
            features.columns,
            features.form,
        )
        for path in files
    )
    write = FORMATS[request.form]
    with nullcontext(sys.stdout) if request.output is None else atomic(request.output) as stream:
        written = write(tagger.tag(sentences), stream, request.marginals)
    reporter.stop()
    contested = (
        f", {counted(tagger.contested, 'word')} claimed by several classes" if tagger.contested else ""
    )
    reporter.say(f"{counted(written, 'sentence')}{contested}")


class _Kilobytes:
    """Moves a bar of kilobytes by bytes."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._rest = progress, 0

    def __call__(self, bytes_read: int) -> None:
        whole, self._rest = divmod(self._rest + bytes_read, 1024)
        self._progress(whole)


@dataclass(frozen=True)
class Tagged:
    """A sentence with its tags.

    Attributes
    ----------
    sentence: as it was read.
    tags: n tags in the scheme of the corpus.
    marginals: class to n probabilities.
    """

    sentence: Untagged
    tags: Sequence[str]
    marginals: Mapping[str, Sequence[float]]


class Tagger:
    """Tags sentences by a trained system.

    Parameters
    ----------
    system: how it decides.

    Raises
    ------
    InputError: the run is none of tagging, or the system's features cannot be made of new text.
    """

    def __init__(self, system: SystemInUse) -> None:
        if (task := tasks.get(system.run.config.corpus.kind).task) != "tagging":
            raise InputError(f"is a run of {task}, not of tagging", file=system.run.folder.path)
        self.system = system
        self.features: SavedFeatures = load_features(system.features)
        self.contested = 0

    def tag(self, sentences: Iterable[Untagged]) -> Iterator[Tagged]:
        """The sentences with their tags, in order, as they are asked for."""
        left = iter(sentences)
        while batch := list(islice(left, BATCH)):
            yield from self._tagged(batch)

    def _tagged(self, batch: Sequence[Untagged]) -> Iterator[Tagged]:
        wanted = [sentence for sentence in batch if sentence.tagged and sentence.words]
        tags, marginals = self._decided(wanted)
        none = [OUTSIDE], {label: [0.0] for label in marginals}
        place = 0
        for sentence in batch:
            if not sentence.words:
                yield Tagged(sentence, [], {label: [] for label in marginals})
            elif not sentence.tagged:
                yield Tagged(sentence, *none)
            else:
                rows = slice(place, place + len(sentence.words))
                place = rows.stop
                yield Tagged(sentence, tags[rows], {label: found[rows] for label, found in marginals.items()})

    def _decided(self, sentences: Sequence[Untagged]) -> tuple[list[str], dict[str, list[float]]]:
        """Tags and marginals of the words of all sentences, one after the other."""
        classes = self.system.run.config.classes
        if not sentences:
            return [], {label: [] for label in classes}
        plain = [Sentence(one.words, (OUTSIDE,) * len(one.words), columns=one.columns) for one in sentences]
        instances = self.features.transform(plain)
        said = self.system.decode(instances)
        joint = self.system.decide(said)
        self.contested += joint.contested
        runs = of_masks(joint.masks, instances.offsets, beginnings(said))
        tags = to_tags(runs, classes, instances.offsets, self.features.scheme)
        # Features may put words of their own before a sentence.
        lengths = np.array([len(sentence.words) for sentence in sentences])
        own = ranges(instances.offsets[1:] - lengths, lengths)
        return [tags[t] for t in own.tolist()], {
            label: what.marginal[own].tolist() for label, what in said.items()
        }


def write_conll(tagged: Iterable[Tagged], stream: IO[str], marginals: bool) -> int:
    """Write a token a line: its columns as they were, perhaps a probability a class, and its tag.

    Returns the number of sentences.
    """
    written = 0
    for one in tagged:
        sentence = one.sentence
        lines = sentence.lines or sentence.words
        for t, (line, tag) in enumerate(zip(lines, one.tags, strict=True)):
            gap = "\t" if "\t" in line else " "
            cells = [f"{found[t]:.4f}" for found in one.marginals.values()] if marginals else []
            stream.write(gap.join([line.rstrip(" \t"), *cells, tag]) + "\n")
            if t == sentence.marks - 1:
                stream.write("\n")
        if lines:
            stream.write("\n")
        written += 1
    return written


def write_jsonl(tagged: Iterable[Tagged], stream: IO[str], marginals: bool) -> int:
    """Write a sentence a line as JSON: ``words``, ``tags``, and perhaps ``marginals`` by class.

    Returns the number of sentences.
    """
    written = 0
    for one in tagged:
        record: dict[str, object] = {"words": list(one.sentence.words), "tags": list(one.tags)}
        if marginals:
            record["marginals"] = {
                label: [round(value, 6) for value in found] for label, found in one.marginals.items()
            }
        stream.write(json.dumps(record, ensure_ascii=False) + "\n")
        written += 1
    return written


#: Format to what writes it.
FORMATS: dict[str, Callable[[Iterable[Tagged], IO[str], bool], int]] = {
    "conll": write_conll,
    "jsonl": write_jsonl,
}
