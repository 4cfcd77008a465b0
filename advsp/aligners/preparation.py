"""Preparing a bitext: its sources are read and checked, aligners are run, and everything is written.

What it becomes is in :mod:`advsp.corpora.prepared_bitext`.  Only the cache of what aligner programs predicted
is older than the bitext: it is added to as soon as a program has ended, and never cleared.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from advsp.aligners.runs import (
    NamedProgram,
    Run,
    find_programs,
    predict,
    read_recorded,
    read_shapes,
    write_text,
)
from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.bitext_sources import COUNTS, SIDES, BitextSources, count, never_first, run_directions
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.expected import check_counts, check_names
from advsp.corpora.folder import check_folder, install, staged
from advsp.corpora.links import NAACL, PHARAOH, Links, Notation, write_links
from advsp.corpora.manifest import MANIFEST
from advsp.corpora.parallel_text import TextFiles, stream_pairs, write_sentences
from advsp.corpora.posteriors import Posteriors
from advsp.corpora.prepared_bitext import (
    CACHE,
    FORMAT,
    aligner_file,
    posteriors_file,
    read_manifest,
    text_posteriors_file,
    unlabelled_file,
)
from advsp.corpora.tokens import Normaliser, Unseen
from advsp.corpora.unlabelled import write_unlabelled
from advsp.support.errors import InputError
from advsp.support.files import sha256
from advsp.support.progress import Reporter, Silent

T = TypeVar("T")

#: The labelled pairs of every split.
Splits = Mapping[str, list[SentencePair]]
#: The links that aligners predict, by aligner and split.
Predicted = dict[str, dict[str, list[frozenset[Link]]]]

_OTHER_COUNTS = "another version of the files, or other splits, give other counts"


def prepare(
    sources: BitextSources,
    folder: str | Path,
    *,
    expect: Mapping[str, Mapping[str, int]] | None = None,
    reporter: Reporter | None = None,
) -> dict[str, Any]:
    """Read and check the sources, write the prepared bitext; return its manifest.

    Nothing is written unless every source can be read and agrees with ``expect``, and every aligner that
    is to be run has run.  A bitext prepared before in ``folder`` is replaced.  The unlabelled text is never
    held in memory: it is read once to check it, and once to write it.

    Parameters
    ----------
    expect: split name to the counts it must have: ``pairs``, ``sure`` and ``possible`` links, ``edges``
        (pairs of words that could be linked), each where given.
    reporter: shows what takes long, and hears whether aligners are run.

    Raises
    ------
    InputError: what the readers raise (:mod:`~advsp.corpora.parallel_text`,
        :mod:`~advsp.corpora.links`, :mod:`~advsp.corpora.bitext_sources`); counts other than expected,
        or of what is not counted; an aligner that is not installed, or fails; a source that would be
        overwritten; a folder that cannot be written.
    """
    folder, expect, reporter = Path(folder), expect or {}, reporter or Silent()
    programs = find_programs(sources.run)
    before = _previous_files(folder)
    check_names(expect, sources.parts, COUNTS)
    check_folder(folder, sources.paths, {*_outputs(sources), *before})
    normalisers = {side: Normaliser(sources.normalise.get(side, ())) for side in SIDES}
    splits = sources.read_splits()
    counts = _counted(sources, splits, expect)
    predicted = sources.read_predicted(splits)
    _warn_of_bases(sources, splits, predicted, reporter)
    total = sum(1 for _ in stream_pairs(sources.unlabelled)) if sources.unlabelled else 0
    manifest = _describe(sources, counts, predicted)
    with staged(folder) as stage:
        _write_labelled(stage, splits)
        text = None
        if sources.unlabelled:
            left, right = (stage / unlabelled_file(side) for side in SIDES)
            text = TextFiles(left, right, wrapper="none")
            progress = reporter.start("normalising", total)
            manifest["unlabelled"] |= _normalise(
                sources.unlabelled, text, normalisers, splits, distinct=sources.distinct, progress=progress
            )
            reporter.stop()
        if programs or sources.recorded:
            runs = _run(sources, programs, stage, folder / CACHE, text, normalisers, splits, reporter)
            ran = _by_direction(runs, splits)
            predicted |= ran
            manifest["run"] = {name: runs[name].record for name in sources.run}
            manifest["recorded"] = {name: runs[name].record for name in sources.recorded}
            manifest["aligners"] |= {name: _number(found) for name, found in ran.items()}
            manifest["posteriors"] = _write_posteriors(stage, runs, splits)
            manifest["everywhere"] = list(runs)
        _write_predicted(stage, predicted)
        install(stage, folder, manifest, before)
    return manifest


def _warn_of_bases(sources: BitextSources, splits: Splits, predicted: Predicted, reporter: Reporter) -> None:
    """Say which files are declared to count from 0 and never do: their links may be off by one."""
    labelled: dict[Path, list[frozenset[Link]]] = {}
    for split, part in sources.parts.items():
        links = labelled.setdefault(Path(sources.labelled[part.text].links), [])
        links += [pair.sure | pair.possible for pair in splits[split]]
    found = {
        Path(path): predicted[name][split]
        for name, files in sources.aligners.items()
        for split, path in files.items()
    }
    suspects = never_first(labelled, sources.notation) + never_first(found, sources.aligner_notation)
    for path in suspects:
        reporter.say(
            f"warning: {path}: no link has the number 0 on either side; base 0 is declared, is it 1?"
        )


def _counted(
    sources: BitextSources, splits: Splits, expect: Mapping[str, Mapping[str, int]]
) -> dict[str, dict[str, int]]:
    """What is counted in every split; it agrees with what is expected."""
    counts = {split: count(pairs) for split, pairs in splits.items()}
    for split, expected in expect.items():
        file = sources.labelled[sources.parts[split].text].links
        check_counts(file, split, counts[split], expected, _OTHER_COUNTS)
    return counts


def _describe(
    sources: BitextSources, counts: Mapping[str, Mapping[str, int]], predicted: Predicted
) -> dict[str, Any]:
    """The manifest, but for what writing will tell."""
    return {
        "format": FORMAT,
        "labelled": {
            name: {
                "files": _digests(text.paths),
                "encoding": text.text.encoding,
                "numbers": None if text.numbers is None else list(text.numbers),
            }
            for name, text in sources.labelled.items()
        },
        "links": _notation(sources.notation),
        "splits": {split: {**asdict(part), **counts[split]} for split, part in sources.parts.items()},
        "aligners": {
            name: {
                split: {"files": _digests([sources.aligners[name][split]]), **number}
                for split, number in _number(found).items()
            }
            for name, found in predicted.items()
        },
        "aligner_links": _notation(sources.aligner_notation),
        "run": {},
        "recorded": {},
        "posteriors": {},
        "everywhere": [],
        "unlabelled": None
        if sources.unlabelled is None
        else {
            "files": _digests(sources.unlabelled.paths),
            "encoding": sources.unlabelled.encoding,
            "distinct": sources.distinct,
        },
        "normalise": {side: list(sources.normalise.get(side, ())) for side in SIDES},
    }


def _notation(notation: Notation) -> dict[str, Any]:
    """A notation as it is written down; what is only said where it is so is left out."""
    return {key: value for key, value in asdict(notation).items() if key != "null" or value}


def _write_labelled(stage: Path, splits: Splits) -> None:
    for split, pairs in splits.items():
        write_sentences(stage / f"{split}.source", (pair.source for pair in pairs))
        write_sentences(stage / f"{split}.target", (pair.target for pair in pairs))
        write_links(stage / f"{split}.naacl", (Links(pair.sure, pair.possible) for pair in pairs), NAACL)


def _write_predicted(stage: Path, predicted: Predicted) -> None:
    for name, found in predicted.items():
        for split, links in found.items():
            write_links(stage / aligner_file(name, split), map(Links, links), PHARAOH)


def _write_posteriors(stage: Path, runs: Mapping[str, Run], splits: Splits) -> dict[str, list[str]]:
    """Write what there is; return, by aligner, the splits for which there is some."""
    written = {}
    shapes = [pair.shape for pairs in splits.values() for pair in pairs]
    for name, run in runs.items():
        if run.posteriors is not None:
            for split, grids in _cut(run.posteriors.grids(shapes), splits).items():
                Posteriors.of(grids).save(stage / posteriors_file(name, split))
            written[name] = list(splits)
    return written


def _number(found: Mapping[str, Sequence[frozenset[Link]]]) -> dict[str, dict[str, int]]:
    """How many links an aligner predicts for every split."""
    return {split: {"links": sum(map(len, links))} for split, links in found.items()}


def _normalise(
    unlabelled: TextFiles,
    written: TextFiles,
    normalisers: Mapping[str, Normaliser],
    splits: Splits,
    *,
    distinct: bool,
    progress: Callable[[int], None],
) -> dict[str, Any]:
    """Write the unlabelled text normalised; return what was counted, also of labelled words that it lacks."""
    pairs = list(chain.from_iterable(splits.values()))
    unseen = {
        "source": Unseen(normalisers["source"].spell(pair.source) for pair in pairs),
        "target": Unseen(normalisers["target"].spell(pair.target) for pair in pairs),
    }
    counts = write_unlabelled(unlabelled, written, normalisers, unseen, distinct=distinct, progress=progress)
    return {**counts, "unseen": {side: words.counts for side, words in unseen.items()}}


def _run(
    sources: BitextSources,
    programs: Sequence[NamedProgram],
    stage: Path,
    cache: Path,
    unlabelled: TextFiles | None,
    normalisers: Mapping[str, Normaliser],
    splits: Splits,
    reporter: Reporter,
) -> dict[str, Run]:
    """What every aligner of the whole text predicts for the pairs of all splits, in their order.

    What it has of all pairs is in the stage.
    """
    labelled = list(chain.from_iterable(splits.values()))
    with tempfile.TemporaryDirectory(dir=stage) as work:
        text = write_text(Path(work), labelled, unlabelled, normalisers)
        runs = {}
        for named in programs:
            runs[named.name] = run = predict(named, text, labelled, cache, reporter)
            for direction, file in run.everywhere.items():
                _put(file, stage / text_posteriors_file(named.name, direction))
        shapes = read_shapes(text) if sources.recorded else []
        for name, files in sources.recorded.items():
            written = {side: stage / text_posteriors_file(name, side) for side in DIRECTIONS}
            written["forward"].parent.mkdir(exist_ok=True)
            try:
                runs[name] = read_recorded(files, sources.aligner_notation, shapes, labelled, written)
            except InputError as error:
                raise InputError(
                    f"aligner {name}: {error.problem}",
                    file=error.file,
                    line=error.line,
                    hint="recorded links are of all pairs of the text; --set recorded={} does without",
                ) from None
        return runs


def _put(kept: Path, place: Path) -> None:
    """Give a file that is never written over a second name; a copy where there are no links."""
    place.parent.mkdir(exist_ok=True)
    try:
        os.link(kept, place)
    except OSError:
        shutil.copyfile(kept, place)


def _by_direction(runs: Mapping[str, Run], splits: Splits) -> Predicted:
    """The links of aligners that were run, by the name of their direction and by split."""
    return {
        name: _cut(run.links[direction], splits)
        for aligner, run in runs.items()
        for direction, name in run_directions(aligner).items()
    }


def _cut(found: Iterable[T], splits: Mapping[str, Sequence[SentencePair]]) -> dict[str, list[T]]:
    """What was found for the pairs of all splits, split by split."""
    found = iter(found)
    return {split: list(islice(found, len(pairs))) for split, pairs in splits.items()}


def _previous_files(folder: Path) -> set[str]:
    """The files of the bitext prepared before in ``folder``, if there is one."""
    try:
        names = read_manifest(folder)["files"]
    except (InputError, KeyError):
        return set()
    return {name for name in names if (folder / name).resolve().is_relative_to(folder.resolve())}


def _outputs(sources: BitextSources) -> Iterator[str]:
    """The names of all files that preparing writes."""
    yield MANIFEST
    for split in sources.parts:
        yield from (f"{split}.source", f"{split}.target", f"{split}.naacl")
    for name, files in sources.aligners.items():
        yield from (aligner_file(name, split) for split in files)
    for name in chain.from_iterable(run_directions(name).values() for name in sources.whole):
        yield from (aligner_file(name, split) for split in sources.parts)
    for name in sources.run:
        yield from (posteriors_file(name, split) for split in sources.parts)
    for name in sources.whole:
        yield from (text_posteriors_file(name, direction) for direction in DIRECTIONS)
    if sources.unlabelled:
        yield from map(unlabelled_file, SIDES)


def _digests(paths: Iterable[Path]) -> list[dict[str, str]]:
    return [{"file": Path(path).name, "sha256": sha256(path)} for path in paths]
