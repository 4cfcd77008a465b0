"""Parallel text: one pair of sentences a line, words apart by blanks or tabs.

Either two files, line ``i`` of the one the translation of line ``i`` of the other, or one file with
``source ||| target`` on every line; plain or gzipped.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from advsp.corpora.text import WORD, WRITABLE
from advsp.corpora.text_stream import stream_lines
from advsp.corpora.tokens import Words
from advsp.corpora.wrappers import Wrapper, unwrapped
from advsp.support.errors import InputError
from advsp.support.files import atomic
from advsp.support.words import counted

SEPARATOR = "|||"

_LEVEL = 6  # of compression: level 9 saves one per cent of the bytes


@dataclass(frozen=True)
class TextFiles:
    """Where a parallel text is.

    Attributes
    ----------
    source, target: the files of the two sides; without ``target``, ``source`` holds both.
    encoding: of both files.
    wrapper: what stands around every sentence (:mod:`advsp.corpora.wrappers`); None if nothing is declared.
    """

    source: Path
    target: Path | None = None
    encoding: str = "utf-8"
    wrapper: Wrapper | None = None

    @property
    def paths(self) -> list[Path]:
        """The files, one or two."""
        return [self.source] if self.target is None else [self.source, self.target]


def stream_pairs(files: TextFiles) -> Iterator[tuple[Words, Words]]:
    """The sentence pairs as (source, target), one after the other; a side may be without words.

    Raises
    ------
    InputError: what :func:`~advsp.corpora.text_stream.stream_lines` and
        :func:`~advsp.corpora.wrappers.unwrapped` raise; files of different numbers of lines; a line of a
        joint file that does not have exactly one ``|||``.
    """
    if files.target is None:
        return _stream_joint(files)
    return _stream_apart(files, files.target)


def read_pairs(files: TextFiles) -> list[tuple[Words, Words]]:
    """The sentence pairs as (source, target), every side with at least one word.

    Raises
    ------
    InputError: what :func:`stream_pairs` raises; a side without words; no pairs at all.
    """
    pairs = list(stream_pairs(files))
    if not pairs:
        raise InputError("no sentences found", file=files.source)
    for number, pair in enumerate(pairs, 1):
        for side, words in zip(("source", "target"), pair, strict=True):
            if not words:
                file = files.target if files.target and side == "target" else files.source
                raise InputError(f"the {side} sentence of pair {number} has no words", file=file, line=number)
    return pairs


@contextmanager
def sentence_writer(path: str | Path) -> Iterator[Callable[[Words], None]]:
    """A function that writes one sentence; the file is there, whole, when the block has succeeded.

    A name that ends in ``.gz`` is gzipped, to bytes that depend on the sentences alone.  A word that
    would not be read back as one word is a :class:`ValueError`.
    """
    with atomic(path, "wb") as stream:
        packed = Path(path).suffix == ".gz"
        gzipped = gzip.GzipFile("", "wb", _LEVEL, stream, mtime=0) if packed else nullcontext(stream)
        with gzipped as out:

            def write(words: Words) -> None:
                if not all(map(WRITABLE.fullmatch, words)):
                    raise ValueError(f"words must be neither empty nor hold white space: {words!r}")
                out.write(f"{' '.join(words)}\n".encode())

            yield write


def write_sentences(path: str | Path, sentences: Iterable[Words]) -> None:
    """Write one side of a parallel text, one sentence a line; see :func:`sentence_writer`."""
    with sentence_writer(path) as write:
        for words in sentences:
            write(words)


def _stream_apart(files: TextFiles, target: Path) -> Iterator[tuple[Words, Words]]:
    source = files.source
    sources, targets = (
        unwrapped(stream_lines(path, files.encoding), files.wrapper, path) for path in (source, target)
    )
    for number, (left, right) in enumerate(zip_longest(sources, targets)):
        if left is None:
            raise _unequal(source, number, target, 1 + sum(1 for _ in targets))
        if right is None:
            raise _unequal(target, number, source, 1 + sum(1 for _ in sources))
        yield _words(left), _words(right)


def _unequal(shorter: Path, lines: int, longer: Path, more: int) -> InputError:
    """The error for a file that ends while the other one has ``more`` lines."""
    return InputError(
        f"ends after {counted(lines, 'line')}, {longer} has {lines + more}",
        file=shorter,
        line=lines or None,
        hint="line i of one file is the translation of line i of the other",
    )


def _stream_joint(files: TextFiles) -> Iterator[tuple[Words, Words]]:
    path = files.source
    for number, line in enumerate(unwrapped(stream_lines(path, files.encoding), files.wrapper, path), 1):
        words = _words(line)
        if (found := words.count(SEPARATOR)) != 1:
            raise InputError(
                f"found {found} separators {SEPARATOR}, expected 1",
                file=path,
                line=number,
                hint=f"a file of both sides has lines `source {SEPARATOR} target`; name two files otherwise",
            )
        middle = words.index(SEPARATOR)
        yield words[:middle], words[middle + 1 :]


def _words(line: str) -> Words:
    return tuple(WORD.findall(line))
