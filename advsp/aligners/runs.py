"""Aligner programs on a bitext: they are given its text, and what they predict is kept.

A program sees the words of all labelled pairs, spelled as in the unlabelled text, and that text after
them; nobody's links are shown to it.  Its predictions for the labelled pairs are kept, and a program that
would be given the same text again is not run again: what it draws by chance stays what it was.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from datetime import timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from advsp.aligners import cache, programs
from advsp.aligners.base import AlignerModel, AlignerProgram, AlignerText, Outcome
from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.bitext_sources import AlignerRun, read_predicted
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.links import PHARAOH, Notation
from advsp.corpora.parallel_text import TextFiles, stream_pairs
from advsp.corpora.posteriors import Posteriors
from advsp.corpora.text_posteriors import Cells, read_text_links
from advsp.corpora.text_stream import stream_lines
from advsp.corpora.tokens import Normaliser, Words
from advsp.support.errors import InputError
from advsp.support.files import sha256
from advsp.support.progress import Reporter
from advsp.support.state import State
from advsp.support.words import counted

T = TypeVar("T")

#: What some programs take for the end of a word although no reader of ours does: a no-break space, say.
_WHITE_SPACE = re.compile(r"[^\S ]")

_DOES_WITHOUT = "--set run={} does without"

_AGAIN = "delete it; the program is then run again"
_PREPARE_AGAIN = "prepare it again with `advsp prepare-hansards`"


@dataclass(frozen=True)
class NamedProgram:
    """A program that is installed, and the name of the aligner that it is here.

    Attributes
    ----------
    record: program, version and options, as they are written down.
    """

    name: str
    program: AlignerProgram
    record: Mapping[str, Any]

    def __str__(self) -> str:
        return f"{self.record['program']} {self.record['version']}"


@dataclass(frozen=True, eq=False)
class Run:
    """What a program has predicted for the labelled pairs.

    Attributes
    ----------
    record: program, version, options and text, as they are written down.
    links: those of every pair, by direction.
    posteriors: those of all labelled pairs; None if the program has none.
    everywhere: by direction the file of the posteriors of all pairs of the text, or of its links.
    """

    record: Mapping[str, Any]
    links: Mapping[str, list[frozenset[Link]]]
    posteriors: Posteriors | None
    everywhere: Mapping[str, Path]


def find_programs(runs: Mapping[str, AlignerRun]) -> list[NamedProgram]:
    """The programs that are to be run.

    Raises
    ------
    InputError: no such program, or it is not installed.
    """
    found: list[NamedProgram] = []
    for name, run in runs.items():
        program = programs.get(run.program)(**run.options)
        assert is_dataclass(program)
        try:
            version = program.version()
        except InputError as error:
            raise InputError(f"aligner {name} cannot be run: {error.problem}", hint=error.hint) from None
        record = {"program": run.program, "version": version, "options": asdict(program)}
        found.append(NamedProgram(name, program, record))
    return found


def keeps_model(record: Mapping[str, Any]) -> bool:
    """Whether the program of a run keeps what it has learnt."""
    return programs.get(record["program"]).keeps_model


def load_model(record: Mapping[str, Any], kept: Path) -> AlignerModel:
    """What a program has learnt in a run.

    Parameters
    ----------
    record: of the run, as a prepared bitext has it.
    kept: the folder in which runs are kept.

    Raises
    ------
    InputError: no model is kept of that run, or what was kept has changed.
    """
    program = programs.get(record["program"])(**record["options"])
    entry = cache.entry(kept, record)
    found = cache.recall(entry, record)
    if found is None or found.model is None:
        raise InputError("holds no model of the aligner", file=entry, hint=_PREPARE_AGAIN)
    return program.learnt(State.load(found.model, "the model of an aligner", _PREPARE_AGAIN))


def write_text(
    folder: Path,
    labelled: Sequence[SentencePair],
    unlabelled: TextFiles | None,
    normalisers: Mapping[str, Normaliser],
) -> AlignerText:
    """Write the text that programs are given to ``folder``; one pair at a time is in memory.

    Parameters
    ----------
    labelled: the pairs that stand first; their words are spelled by the normalisers, one for one.
    unlabelled: normalised text.
    normalisers: for ``source`` and ``target``.
    """
    # Programs run elsewhere: a path must not depend on the current folder.
    source, target, count = folder.absolute() / "source", folder.absolute() / "target", 0
    with (
        open(source, "w", encoding="utf-8", newline="\n") as left,
        open(target, "w", encoding="utf-8", newline="\n") as right,
    ):
        for count, words in enumerate(_all_words(labelled, unlabelled, normalisers), 1):
            left.write(_line(words[0]))
            right.write(_line(words[1]))
    return AlignerText(source, target, count, len(labelled))


def predict(
    named: NamedProgram, text: AlignerText, labelled: Sequence[SentencePair], kept: Path, reporter: Reporter
) -> Run:
    """What a program predicts for the labelled pairs, which stand first in the text.

    It is run unless ``kept`` has what it predicted for this text, and the reporter hears which it was.

    Raises
    ------
    InputError: the program failed, or what it wrote are not links of this text; nothing is kept then.
    """
    digests = {"source": sha256(text.source), "target": sha256(text.target)}
    record = {**named.record, "text": {"pairs": text.pairs, "labelled": len(labelled), **digests}}
    entry = cache.entry(kept, record)
    try:
        found = cache.recall(entry, record)
    except InputError as error:
        reporter.say(f"aligner {named.name}: {error}; it is not used")
        found = None
    if found is not None and found.model is None and named.program.keeps_model:
        reporter.say(f"aligner {named.name}: {named} was run on this text before, but kept no model")
        found = None
    if found is not None and not found.everywhere:
        reporter.say(f"aligner {named.name}: {named} was run on this text before, but for these pairs alone")
        found = None
    if found is not None:
        reporter.say(f"aligner {named.name}: {named} was run on this text before; its links are from {entry}")
        links = {name: read_predicted(file, labelled, PHARAOH) for name, file in found.links.items()}
        posteriors = None if found.posteriors is None else Posteriors.load(found.posteriors, _AGAIN)
        return Run(record, links, posteriors, found.everywhere)
    links, outcome = _run(named, text, labelled, reporter)
    cache.keep(entry, record, links, outcome)
    found = cache.recall(entry, record)
    assert found is not None
    return Run(record, links, outcome.posteriors, found.everywhere)


def read_recorded(
    files: Mapping[str, Path],
    notation: Notation,
    shapes: Sequence[tuple[int, int]],
    labelled: Sequence[SentencePair],
    written: Mapping[str, Path],
) -> Run:
    """What an aligner predicted that was run on this text before, elsewhere.

    Parameters
    ----------
    files: by direction its links of all pairs of the text.
    shapes: numbers of source and of target words of all these pairs.
    written: by direction the file that is to have them as posteriors.

    Raises
    ------
    InputError: what :func:`~advsp.corpora.text_posteriors.read_text_links` raises.
    """
    found = read_text_links(**files, shapes=shapes, notation=notation)
    found.save(**written)
    ends = Cells(*np.array([pair.shape for pair in labelled], dtype=np.int64).reshape(-1, 2).T).ends
    links = {}
    for direction, cells in (("forward", found.forward), ("reverse", found.reverse)):
        grids = (
            cells[first:last].reshape(pair.shape)
            for first, last, pair in zip(ends, ends[1:], labelled, strict=False)
        )
        links[direction] = [frozenset((i, j) for i, j in np.argwhere(grid).tolist()) for grid in grids]
    record = {
        "files": {direction: {"file": path.name, "sha256": sha256(path)} for direction, path in files.items()}
    }
    return Run(record, links, None, written)


def _run(
    named: NamedProgram, text: AlignerText, labelled: Sequence[SentencePair], reporter: Reporter
) -> tuple[dict[str, list[frozenset[Link]]], Outcome]:
    alone = ", the labelled ones alone" if text.pairs == text.labelled else ""
    reporter.say(f"aligner {named.name}: running {named} on {counted(text.pairs, 'pair')}{alone}")
    progress = reporter.start(f"aligner {named.name}", 0)
    started = time.monotonic()
    with tempfile.TemporaryDirectory(dir=text.source.parent) as folder:
        files = {direction: Path(folder) / direction for direction in DIRECTIONS}
        try:
            outcome = named.program.align(text, **files, tell=lambda words: progress(0, words))
        except InputError as error:
            problem, hint = f"aligner {named.name}: {error.problem}", error.hint or _DOES_WITHOUT
            raise InputError(problem, file=error.file, hint=hint) from None
        finally:
            reporter.stop()
        seconds = round(time.monotonic() - started)
        reporter.say(f"aligner {named.name}: done in {timedelta(seconds=seconds)}")
        if outcome.everywhere is None:
            shapes = read_shapes(text)
            whole = _usable(named, lambda: read_text_links(**files, shapes=shapes, notation=PHARAOH))
            outcome = outcome._replace(everywhere=whole)
        links = {
            name: _usable(named, partial(_read, file, text.pairs, labelled)) for name, file in files.items()
        }
        return links, outcome


def _usable(named: NamedProgram, read: Callable[[], T]) -> T:
    """What is read of a file that a program wrote."""
    try:
        return read()
    except InputError as error:
        wrote = f"{error.file.name} links" if isinstance(error.file, Path) else "links"
        problem = f"aligner {named.name}: {named} wrote {wrote} that cannot be used: {error.problem}"
        raise InputError(problem, hint=_DOES_WITHOUT) from None


def _read(file: Path, pairs: int, labelled: Sequence[SentencePair]) -> list[frozenset[Link]]:
    """The links of the labelled pairs, which stand first among those of all pairs of the text."""
    lines = stream_lines(file)
    head = list(islice(lines, len(labelled)))
    if (found := len(head) + sum(1 for _ in lines)) != pairs:
        raise InputError(f"found {counted(found, 'line')}, the text has {counted(pairs, 'pair')}", file=file)
    file.write_text("".join(f"{line}\n" for line in head), encoding="utf-8")
    return read_predicted(file, labelled, PHARAOH)


def read_shapes(text: AlignerText) -> list[tuple[int, int]]:
    """Numbers of source and of target words of all pairs."""
    lengths = []
    for path in (text.source, text.target):
        with open(path, encoding="utf-8", newline="\n") as lines:
            lengths.append([line.count(" ") + 1 for line in lines])
    return list(zip(*lengths, strict=True))


def _all_words(
    labelled: Sequence[SentencePair], unlabelled: TextFiles | None, normalisers: Mapping[str, Normaliser]
) -> Iterator[tuple[Words, Words]]:
    source, target = normalisers["source"], normalisers["target"]
    for pair in labelled:
        yield source.spell(pair.source), target.spell(pair.target)
    if unlabelled:
        yield from stream_pairs(unlabelled)


def _line(words: Words) -> str:
    return " ".join(readable(words)) + "\n"


def readable(words: Words) -> Words:
    """Words as programs read them: without white space of any kind."""
    return tuple(_WHITE_SPACE.sub("_", word) for word in words)
