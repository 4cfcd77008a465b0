"""The prepared corpus: a folder that holds every split in one plain form, and a manifest to check it by.

``SPLIT.conll`` has two columns, word and IOB2 tag.  ``corpus.json`` says how the sources were read,
what was counted in them, and the SHA-256 of sources and prepared files.  It is written last: a folder
with a manifest is complete.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from advsp.corpora import manifest, schemes
from advsp.corpora.columns import DOCSTART, PLAIN, ColumnForm
from advsp.corpora.conll import ColumnFile, Sentence, read_columns, write_columns
from advsp.corpora.expected import Counts, check_counts, check_names
from advsp.corpora.folder import check_folder
from advsp.corpora.manifest import MANIFEST
from advsp.corpora.tag_models import merged
from advsp.support.errors import InputError
from advsp.support.files import sha256, write_json
from advsp.support.words import counted

FORMAT = 1

# Under these rules a prepared file still tells which sentences were -DOCSTART- lines.
_REREADABLE = ("sentence", "uncounted")
_SPLIT_NAME = re.compile(r"[\w-]+")
_COMMAND = "advsp prepare-conll"
_COUNTS = ("sentences", "tokens", "entities")
_OTHER_COUNTS = "another -DOCSTART- rule, tag scheme or version of the file gives other counts"


def prepare(
    sources: Mapping[str, str | Path],
    folder: str | Path,
    *,
    word: int = 0,
    tag: int = -1,
    scheme: str = "iob1",
    encoding: str = "utf-8",
    docstart: str = "drop",
    columns: Mapping[str, int] | None = None,
    form: ColumnForm = PLAIN,
    odd_classes: bool = False,
    hold_out: Mapping[str, float] | None = None,
    expect: Mapping[str, Counts] | None = None,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Read the sources of all splits, check their counts, write the prepared corpus; return its manifest.

    Nothing is written unless every source can be read and agrees with ``expect``.  A corpus prepared
    before in ``folder`` is replaced.

    Parameters
    ----------
    sources: split name (``train``, ``testa``, ...) to column file.
    word, tag, scheme, encoding, docstart, columns, form, odd_classes: as in
        :func:`~advsp.corpora.conll.read_columns`.
    hold_out: split name to its share of the sentences of the first source, the last ones of them in this
        order; the rest stays.
    expect: split name to the counts it must have: ``sentences``, ``tokens``, ``entities`` (class to
        number, all classes), each where given.
    progress: called with the name of every split before it is read.

    Raises
    ------
    InputError: what ``read_columns`` raises; counts other than expected; no splits, or a split name
        that cannot name a file; an ``expect`` for a split without source, or of an unknown count; a
        source that the prepared corpus would overwrite; a folder that cannot be written.
    """
    folder, expect, hold_out = Path(folder), expect or {}, hold_out or {}
    _check_request(sources, folder)
    check_names(expect, sources, _COUNTS)
    files: dict[str, ColumnFile] = {}
    about: dict[str, Any] = {
        "format": FORMAT,
        "word": word,
        "tag": tag,
        "scheme": schemes.canonical(scheme),
        "encoding": encoding,
        "docstart": docstart,
        **({"columns": dict(columns)} if columns else {}),
        **({"form": asdict(form)} if form != PLAIN else {}),
        "splits": {},
    }
    for split, source in sources.items():
        if progress:
            progress(split)
        file = read_columns(
            source,
            word=word,
            tag=tag,
            scheme=scheme,
            encoding=encoding,
            docstart=docstart,
            columns=columns,
            form=form,
            odd_classes=odd_classes,
        )
        parts = {split: file}
        if hold_out and not files:
            parts = _parted(source, split, file, hold_out)
        for name, part in parts.items():
            check_counts(source, name, part.counts, expect.get(name, {}), _OTHER_COUNTS)
            about["splits"][name] = {
                "source": Path(source).name,
                "source_sha256": sha256(source),
                **part.counts,
                "first_violations": list(part.violations[:5]),
                "merged": merged(sentence.tags for sentence in part.sentences),
            }
        files |= parts
    _write(folder, files, about)
    return about


def _parted(
    source: str | Path, split: str, file: ColumnFile, hold_out: Mapping[str, float]
) -> dict[str, ColumnFile]:
    """A file without the sentences that are held out, and these."""
    sentences = file.sentences
    sizes = {name: round(share * len(sentences)) for name, share in hold_out.items()}
    ends = np.cumsum([len(sentences) - sum(sizes.values()), *sizes.values()]).tolist()
    found = {}
    for name, start, end in zip([split, *sizes], [0, *ends], ends, strict=False):
        part = sentences[start:end]
        if not any(sentence.counted for sentence in part):
            problem = (
                f"found {counted(len(sentences), 'sentence')}, too few to hold out {' and '.join(sizes)}"
            )
            raise InputError(problem, file=source, hint="give other shares, or files of their own")
        marks = sum(sentence.words[0] == DOCSTART for sentence in part)
        found[name] = ColumnFile(part, marks, file.violations if name == split else ())
    return found


def _write(folder: Path, files: Mapping[str, ColumnFile], about: dict[str, Any]) -> None:
    """Write the files of all splits, and the manifest with their checksums."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MANIFEST).unlink(missing_ok=True)
        for split, file in files.items():
            path = _file(folder, split)
            write_columns(path, (_rows(sentence) for sentence in file.sentences))
            about["splits"][split]["sha256"] = sha256(path)
        write_json(folder / MANIFEST, about)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=folder) from None


def _rows(sentence: Sentence) -> Iterable[tuple[str, ...]]:
    """Word, further columns and tag of every token."""
    return zip(sentence.words, *sentence.columns, sentence.tags, strict=True)


def read_manifest(folder: str | Path) -> dict[str, Any]:
    """The manifest of a prepared corpus.

    Raises
    ------
    InputError: no prepared corpus there, or one of a format that this version does not read.
    """
    return manifest.read_manifest(folder, FORMAT, _COMMAND)


def load(
    folder: str | Path, split: str, *, sentences: int | None = None, docstart: str | None = None
) -> list[Sentence]:
    """The sentences of one split of a prepared corpus.

    Parameters
    ----------
    sentences: the first so many counted sentences, with the uncounted ones among and before them; all
        where there are fewer, and for None.
    docstart: read -DOCSTART- lines by this rule; None for the rule the corpus was prepared with.
        Another rule needs a corpus prepared with ``sentence`` or ``uncounted``.

    Raises
    ------
    InputError: no prepared corpus there; no such split; its file missing, or changed since it was
        prepared; a rule the prepared form does not allow.
    """
    about = read_manifest(folder)
    manifest.check_split(folder, about, split)
    path = _file(Path(folder), split)
    rule = _rule(folder, about["docstart"], docstart)
    manifest.verified(path, about["splits"][split]["sha256"], _COMMAND)
    columns = {name: place for place, name in enumerate(about.get("columns", {}), 1)}
    everything = read_columns(path, word=0, tag=-1, scheme="iob2", docstart=rule, columns=columns).sentences
    return list(everything) if sentences is None else _first(path, everything, sentences)


def behind(sentences: list[Sentence], skip: int) -> list[Sentence]:
    """The sentences behind the first ``skip`` counted ones."""
    if skip == 0:
        return sentences
    seen = 0
    for position, sentence in enumerate(sentences):
        seen += sentence.counted
        if seen == skip:
            return sentences[position + 1 :]
    return []


def _first(path: Path, everything: tuple[Sentence, ...], wanted: int) -> list[Sentence]:
    """Up to and including the ``wanted``-th counted sentence; all where there are fewer."""
    if wanted < 1:
        raise InputError(f"{counted(wanted, 'sentence')} asked for, expected at least 1", file=path)
    seen = 0
    for position, sentence in enumerate(everything):
        seen += sentence.counted
        if seen == wanted:
            return list(everything[: position + 1])
    return list(everything)


def _rule(folder: str | Path, prepared: str, asked: str | None) -> str:
    """The rule to read a prepared file by."""
    if asked is None or asked == prepared or prepared in _REREADABLE:
        return asked or prepared
    raise InputError(
        f"prepared with the -DOCSTART- rule {prepared!r}, it cannot be read under {asked!r}",
        file=folder,
        hint=f"prepare it again with {asked!r}, or with 'uncounted', which can be read under every rule",
    )


def _file(folder: Path, split: str) -> Path:
    return folder / manifest.split_file(split)


def _check_request(sources: Mapping[str, str | Path], folder: Path) -> None:
    """What can be wrong with splits and folder before a source is read."""
    if not sources:
        raise InputError("no splits given", hint="at least one split name with its file")
    for split in sources:
        if not _SPLIT_NAME.fullmatch(split):
            raise InputError(f"split name {split!r} cannot name a file", hint="letters, digits, - and _")
    check_folder(folder, sources.values(), (_file(folder, split).name for split in sources))
