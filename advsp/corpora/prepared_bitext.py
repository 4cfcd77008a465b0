"""The prepared bitext: a folder of parallel text, its links and a manifest to check them by.

=============================== ===================================================================
SPLIT.source, SPLIT.target      the labelled sentences, one a line
SPLIT.naacl                     their sure and possible links
aligners/NAME.SPLIT.pharaoh     what an aligner predicts for them
aligners/NAME.SPLIT.npz         how probable an aligner finds any link (:mod:`advsp.corpora.posteriors`)
unlabelled.{source,target}.gz   unlabelled text, normalised
corpus.json                     how the sources were read, what was counted in them, SHA-256 of all
cache/                          what aligner programs predicted (:mod:`advsp.aligners.cache`)
=============================== ===================================================================

Links are written source first, numbered from 1 in naacl files and from 0 in pharaoh files.  Everything is
written to a hidden folder and moved to its place when it is complete, the manifest last.  Only the cache
is older than the corpus: it is added to as soon as a program has ended, and never cleared.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from advsp.aligners.runs import NamedProgram, Run, find_programs, predict, write_text
from advsp.corpora import manifest as manifests
from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.bitext_sources import (
    COUNTS,
    SIDES,
    BitextSources,
    LabelledText,
    count,
    read_labelled,
    read_predicted,
    run_directions,
)
from advsp.corpora.links import NAACL, PHARAOH, Links, write_links
from advsp.corpora.manifest import MANIFEST
from advsp.corpora.parallel_text import TextFiles, sentence_writer, stream_pairs, write_sentences
from advsp.corpora.posteriors import Posteriors
from advsp.corpora.tokens import Normaliser, Unseen, Words
from advsp.support.errors import InputError
from advsp.support.files import sha256, write_json
from advsp.support.progress import Reporter, Silent

#: A column corpus has a number here: neither kind is mistaken for the other.
FORMAT = "bitext 1"

_COMMAND = "advsp prepare-hansards"
_CACHE = "cache"
_STEP = 1000  # pairs between two steps of a progress bar

T = TypeVar("T")

#: The links that aligners predict, by aligner and split.
Predicted = dict[str, dict[str, list[frozenset[Link]]]]

#: For every pair its forward and reverse posteriors, float32 [n, m] each.
Grids = list[tuple[np.ndarray, np.ndarray]]


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
    folder = Path(folder)
    expect = expect or {}
    reporter = reporter or Silent()
    programs = find_programs(sources.run)
    _check_expected(sources, expect)
    _check_folder(sources, folder)
    normalisers = {side: Normaliser(sources.normalise.get(side, ())) for side in SIDES}
    splits = sources.read_splits()
    counts = {split: count(pairs) for split, pairs in splits.items()}
    for split, expected in expect.items():
        _check_counts(sources.labelled[sources.parts[split].text].links, split, counts[split], expected)
    predicted = sources.read_predicted(splits)
    total = sum(1 for _ in stream_pairs(sources.unlabelled)) if sources.unlabelled else 0
    manifest = _describe(sources, counts, predicted)
    with _stage(folder) as stage:
        _write_labelled(stage, splits)
        if sources.unlabelled:
            unseen = {
                side: Unseen(
                    normaliser.spell(getattr(pair, side)) for pairs in splits.values() for pair in pairs
                )
                for side, normaliser in normalisers.items()
            }
            progress = reporter.start("normalising", total)
            manifest["unlabelled"] |= _write_unlabelled(stage, sources, normalisers, unseen, progress)
            manifest["unlabelled"]["unseen"] = {side: words.counts for side, words in unseen.items()}
            reporter.stop()
        if programs:
            runs = _run_aligners(stage, folder, sources, programs, normalisers, splits, reporter)
            manifest["run"] = {name: run.record for name, run in runs.items()}
            ran = {
                direction: _cut(run.links[way], splits)
                for name, run in runs.items()
                for way, direction in run_directions(name).items()
            }
            manifest["aligners"] |= {
                name: {split: {"links": sum(map(len, links))} for split, links in found.items()}
                for name, found in ran.items()
            }
            predicted |= ran
            manifest["posteriors"] = _write_posteriors(stage, runs, splits)
        _write_predicted(stage, predicted)
        files = sorted(path for path in stage.rglob("*") if path.is_file())
        manifest["files"] = {path.relative_to(stage).as_posix(): sha256(path) for path in files}
        _install(stage, folder, manifest)
    return manifest


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """The manifest of a prepared bitext.

    Raises
    ------
    InputError: no prepared bitext there, or one of a format that this version does not read.
    """
    return manifests.read_manifest(folder, FORMAT, _COMMAND)


def load_pairs(folder: str | Path, split: str) -> list[SentencePair]:
    """The labelled sentence pairs of one split.

    Raises
    ------
    InputError: no prepared bitext there; no such split; a file missing, or changed since it was prepared.
    """
    manifest = read_manifest(folder)
    _check_split(folder, manifest, split)
    text = TextFiles(*(_verified(folder, manifest, f"{split}.{side}") for side in SIDES))
    return read_labelled(LabelledText(text, _verified(folder, manifest, f"{split}.naacl")), NAACL)


def load_links(
    folder: str | Path, aligner: str, split: str, pairs: Sequence[SentencePair] | None = None
) -> list[frozenset[Link]]:
    """The links that an aligner predicts for the pairs of one split.

    Parameters
    ----------
    pairs: what :func:`load_pairs` gives for the split, if it has been read already; whoever reads the
        links of several aligners need not have it read and verified for each of them.

    Raises
    ------
    InputError: what :func:`load_pairs` raises; no such aligner, or none of its links for the split; links
        that do not fit the pairs.
    """
    manifest = read_manifest(folder)
    _check_split(folder, manifest, split)
    aligners = manifest["aligners"]
    if aligner not in aligners:
        hint = f"it has {', '.join(aligners)}" if aligners else "it has no aligners"
        raise InputError(f"no aligner {aligner!r} there", file=folder, hint=hint)
    if split not in aligners[aligner]:
        hint = f"it has {', '.join(aligners[aligner])}"
        raise InputError(f"aligner {aligner!r} has no links for split {split!r}", file=folder, hint=hint)
    path = _verified(folder, manifest, _aligner_file(aligner, split))
    return read_predicted(path, load_pairs(folder, split) if pairs is None else pairs, PHARAOH)


def load_posteriors(
    folder: str | Path, aligner: str, split: str, pairs: Sequence[SentencePair] | None = None
) -> Grids:
    """How probable an aligner finds the links of the pairs of one split, forward and reverse.

    Parameters
    ----------
    aligner: by its name without a direction; :func:`list_posteriors` knows those that have some.
    pairs: as for :func:`load_links`.

    Raises
    ------
    InputError: what :func:`load_pairs` raises; no posteriors of that aligner for the split; posteriors
        that do not fit the pairs.
    """
    manifest = read_manifest(folder)
    _check_split(folder, manifest, split)
    known = list_posteriors(folder)
    if split not in known.get(aligner, ()):
        hint = f"there are those of {', '.join(known)}" if known else "there are none at all"
        raise InputError(f"no posteriors of aligner {aligner!r} for split {split!r}", file=folder, hint=hint)
    path = _verified(folder, manifest, _posteriors_file(aligner, split))
    posteriors = Posteriors.load(path, f"prepare it again with `{_COMMAND}`")
    if pairs is None:
        pairs = load_pairs(folder, split)
    try:
        return posteriors.grids([pair.shape for pair in pairs])
    except ValueError as error:
        raise InputError(f"does not fit the text: {error}", file=path) from None


def list_posteriors(folder: str | Path) -> dict[str, list[str]]:
    """The aligners that have posteriors, and for which splits.

    Raises
    ------
    InputError: no prepared bitext there.
    """
    return read_manifest(folder).get("posteriors", {})


def iterate_unlabelled(folder: str | Path) -> Iterator[tuple[Words, Words]]:
    """The unlabelled sentence pairs as (source, target), normalised, one after the other.

    Raises
    ------
    InputError: no prepared bitext there, or none with unlabelled text; a file missing, or changed since
        it was prepared.  Raised by the call, not by the first step.
    """
    manifest = read_manifest(folder)
    if manifest["unlabelled"] is None:
        raise InputError(
            "prepared without unlabelled text", file=folder, hint=f"prepare it again with `{_COMMAND}`"
        )
    return stream_pairs(TextFiles(*(_verified(folder, manifest, _unlabelled_file(side)) for side in SIDES)))


def load_normalisers(folder: str | Path) -> tuple[Normaliser, Normaliser]:
    """How the unlabelled text was normalised, source and target.

    ``spell`` of each gives labelled words as they stand in the unlabelled text, one for one.

    Raises
    ------
    InputError: no prepared bitext there.
    """
    steps = read_manifest(folder)["normalise"]
    return Normaliser(steps["source"]), Normaliser(steps["target"])


# ---- writing


def _describe(
    sources: BitextSources,
    counts: Mapping[str, Mapping[str, int]],
    predicted: Predicted,
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
        "links": asdict(sources.notation),
        "splits": {split: {**asdict(part), **counts[split]} for split, part in sources.parts.items()},
        "aligners": {
            name: {
                split: {"files": _digests([sources.aligners[name][split]]), "links": sum(map(len, links))}
                for split, links in found.items()
            }
            for name, found in predicted.items()
        },
        "aligner_links": asdict(sources.aligner_notation),
        "run": {},
        "posteriors": {},
        "unlabelled": sources.unlabelled
        and {
            "files": _digests(sources.unlabelled.paths),
            "encoding": sources.unlabelled.encoding,
            "distinct": sources.distinct,
        },
        "normalise": {side: list(sources.normalise.get(side, ())) for side in SIDES},
    }


def _write_labelled(stage: Path, splits: Mapping[str, list[SentencePair]]) -> None:
    for split, pairs in splits.items():
        write_sentences(stage / f"{split}.source", (pair.source for pair in pairs))
        write_sentences(stage / f"{split}.target", (pair.target for pair in pairs))
        write_links(stage / f"{split}.naacl", (Links(pair.sure, pair.possible) for pair in pairs), NAACL)


def _write_predicted(stage: Path, predicted: Predicted) -> None:
    for name, found in predicted.items():
        for split, links in found.items():
            write_links(stage / _aligner_file(name, split), map(Links, links), PHARAOH)


def _write_posteriors(
    stage: Path, runs: Mapping[str, Run], splits: Mapping[str, list[SentencePair]]
) -> dict[str, list[str]]:
    """Write what there is; return, by aligner, the splits for which there is some."""
    written = {}
    shapes = [pair.shape for pairs in splits.values() for pair in pairs]
    for name, run in runs.items():
        if run.posteriors is not None:
            for split, grids in _cut(run.posteriors.grids(shapes), splits).items():
                Posteriors.of(grids).save(stage / _posteriors_file(name, split))
            written[name] = list(splits)
    return written


def _write_unlabelled(
    stage: Path,
    sources: BitextSources,
    normalisers: Mapping[str, Normaliser],
    unseen: Mapping[str, Unseen],
    progress: Callable[[int], None],
) -> dict[str, int]:
    """Write the unlabelled text; return the numbers of pairs read, left out and kept, and of kept words."""
    counts = Counter(
        {name: 0 for name in ("pairs", "empty", "repeated", "kept", "source_words", "target_words")}
    )
    known: set[bytes] = set()
    with (
        sentence_writer(stage / _unlabelled_file("source")) as write_source,
        sentence_writer(stage / _unlabelled_file("target")) as write_target,
    ):
        for raw in stream_pairs(sources.unlabelled):
            counts["pairs"] += 1
            if counts["pairs"] % _STEP == 0:
                progress(_STEP)
            if not all(raw):
                counts["empty"] += 1
                continue
            if sources.distinct:
                # Sixteen bytes a pair, where the pairs themselves would fill the memory.
                digest = blake2b("\n".join(map(" ".join, raw)).encode(), digest_size=16).digest()
                if digest in known:
                    counts["repeated"] += 1
                    continue
                known.add(digest)
            source, target = (
                normaliser.normalise(words) for normaliser, words in zip(normalisers.values(), raw)
            )
            write_source(source)
            write_target(target)
            unseen["source"].see(source)
            unseen["target"].see(target)
            counts.update(kept=1, source_words=len(source), target_words=len(target))
    progress(counts["pairs"] % _STEP)
    return dict(counts)


def _run_aligners(
    stage: Path,
    folder: Path,
    sources: BitextSources,
    programs: Sequence[NamedProgram],
    normalisers: Mapping[str, Normaliser],
    splits: Mapping[str, list[SentencePair]],
    reporter: Reporter,
) -> dict[str, Run]:
    """What every aligner that is run predicts for the pairs of all splits, in their order."""
    labelled = list(chain.from_iterable(splits.values()))
    unlabelled = (
        TextFiles(*(stage / _unlabelled_file(side) for side in SIDES)) if sources.unlabelled else None
    )
    with tempfile.TemporaryDirectory(dir=stage) as work:
        text = write_text(Path(work), labelled, unlabelled, normalisers)
        return {named.name: predict(named, text, labelled, folder / _CACHE, reporter) for named in programs}


def _cut(found: Iterable[T], splits: Mapping[str, Sequence[SentencePair]]) -> dict[str, list[T]]:
    """What was found for the pairs of all splits, split by split."""
    found = iter(found)
    return {split: list(islice(found, len(pairs))) for split, pairs in splits.items()}


@contextmanager
def _stage(folder: Path) -> Iterator[Path]:
    """A hidden folder inside ``folder``; both are gone if the block fails and ``folder`` was not there."""
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=".preparing-", dir=folder))
        try:
            yield stage
        finally:
            shutil.rmtree(stage)
            if new and not any(folder.iterdir()):
                folder.rmdir()
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=folder) from None


def _install(stage: Path, folder: Path, manifest: Mapping[str, Any]) -> None:
    """Move the files to their places and remove those of the bitext that was there before."""
    before = _previous_files(folder)
    (folder / MANIFEST).unlink(missing_ok=True)
    for name in before - manifest["files"].keys():
        (folder / name).unlink(missing_ok=True)
    for name in manifest["files"]:
        (folder / name).parent.mkdir(exist_ok=True)
        os.replace(stage / name, folder / name)
    write_json(folder / MANIFEST, manifest)


def _previous_files(folder: Path) -> set[str]:
    """The files of the bitext prepared before in ``folder``, if there is one."""
    try:
        names = read_manifest(folder)["files"]
    except (InputError, KeyError):
        return set()
    return {name for name in names if (folder / name).resolve().is_relative_to(folder.resolve())}


# ---- checks


def _check_expected(sources: BitextSources, expect: Mapping[str, Mapping[str, int]]) -> None:
    for split, counts in expect.items():
        if split not in sources.parts:
            raise InputError(f"counts are expected of split {split!r}, which is not there")
        for name in counts:
            if name not in COUNTS:
                raise InputError(f"split {split}: unknown count {name!r}", hint=f"known: {', '.join(COUNTS)}")


def _check_folder(sources: BitextSources, folder: Path) -> None:
    """The folder can be written to without loss."""
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file where a folder is expected", file=folder)
    touched = {(folder / name).resolve() for name in {*_outputs(sources), *_previous_files(folder)}}
    for path in sources.paths:
        if Path(path).resolve() in touched:
            problem = "the prepared corpus would overwrite this source"
            raise InputError(problem, file=path, hint="prepare into another folder")


def _check_counts(file: Path, split: str, found: Mapping[str, int], expected: Mapping[str, int]) -> None:
    """Compare the counts that are expected with those found."""
    differences = [
        f"found {name} {found[name]}, expected {value}"
        for name, value in expected.items()
        if found[name] != value
    ]
    if differences:
        raise InputError(
            f"split {split}: {'; '.join(differences)}",
            file=file,
            hint="another version of the files, or other splits, give other counts",
        )


def _check_split(folder: str | Path, manifest: Mapping[str, Any], split: str) -> None:
    if split not in manifest["splits"]:
        hint = f"it has {', '.join(manifest['splits'])}"
        raise InputError(f"no split {split!r} there", file=folder, hint=hint)


# ---- the files of a prepared bitext


def _outputs(sources: BitextSources) -> Iterator[str]:
    """The names of all files that preparing writes."""
    yield MANIFEST
    for split in sources.parts:
        yield from (f"{split}.source", f"{split}.target", f"{split}.naacl")
    for name, files in sources.aligners.items():
        yield from (_aligner_file(name, split) for split in files)
    for name in chain.from_iterable(run_directions(name).values() for name in sources.run):
        yield from (_aligner_file(name, split) for split in sources.parts)
    for name in sources.run:
        yield from (_posteriors_file(name, split) for split in sources.parts)
    if sources.unlabelled:
        yield from map(_unlabelled_file, SIDES)


def _aligner_file(aligner: str, split: str) -> str:
    return f"aligners/{aligner}.{split}.pharaoh"


def _posteriors_file(aligner: str, split: str) -> str:
    return f"aligners/{aligner}.{split}.npz"


def _unlabelled_file(side: str) -> str:
    return f"unlabelled.{side}.gz"


def _digests(paths: Iterable[Path]) -> list[dict[str, str]]:
    return [{"file": Path(path).name, "sha256": sha256(path)} for path in paths]


def _verified(folder: str | Path, manifest: Mapping[str, Any], name: str) -> Path:
    """The path of a prepared file that is what it was when it was prepared."""
    return manifests.verified(Path(folder) / name, manifest["files"][name], _COMMAND)
