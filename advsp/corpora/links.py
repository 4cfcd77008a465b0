"""Link files: which word of a sentence is aligned with which word of its translation.

========= ===========================================================================================
naacl     a link a line: ``pair i j [S|P] [confidence]``; sure (``S``) unless it says possible (``P``);
          the confidence is not used; a pair without links has no line
pharaoh   a pair a line, links apart by blanks: ``i-j`` is sure, ``i?j`` and ``ipj`` are possible;
          ``:confidence`` may stand behind, and is not used; a pair without links is a blank line
========= ===========================================================================================

A file does not say whether words are numbered from 0 or from 1, nor which side stands first: that is
declared, in a :class:`Notation`, and checked against the lengths of the sentences.  The format ``naacl``
is that of the shared task of HLT-NAACL 2003 (Mihalcea and Pedersen 2003).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from advsp.corpora.bitext import Link
from advsp.corpora.text import read_lines
from advsp.corpora.text_stream import stream_lines
from advsp.support.errors import InputError
from advsp.support.files import atomic
from advsp.support.words import counted

FORMATS = ("naacl", "pharaoh")
BASES = (0, 1)
ORDERS = ("source-target", "target-source")

# The format lets both last fields be missing; a fourth field that is a number is a confidence.
_NUMBER = r"[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?"
_NAACL = re.compile(rf"([0-9]+)[ \t]+([0-9]+)[ \t]+([0-9]+)(?:[ \t]+([SP]))?(?:[ \t]+{_NUMBER})?")
_PHARAOH = re.compile(rf"([0-9]+)([-?p])([0-9]+)(?::{_NUMBER})?")


@dataclass(frozen=True)
class Links:
    """The links of one pair of sentences.

    Attributes
    ----------
    sure: links that are certain.
    possible: links that may be there or not; one that is given as sure, too, is sure.
    """

    sure: frozenset[Link] = frozenset()
    possible: frozenset[Link] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "possible", self.possible - self.sure)


@dataclass(frozen=True)
class Notation:
    """How a file writes links.

    Attributes
    ----------
    format: a name in :data:`FORMATS`.
    base: the number of a sentence's first word, 0 or 1.
    order: whose word stands first in a link, ``source-target`` or ``target-source``.
    null: whether a word 0, where words are counted from 1, is no word: such a link says that a word has none.
    """

    format: str
    base: int
    order: str = "source-target"
    null: bool = False

    def __post_init__(self) -> None:
        for name, known in (("format", FORMATS), ("base", BASES), ("order", ORDERS)):
            if (value := getattr(self, name)) not in known:
                hint = f"known: {', '.join(map(str, known))}"
                raise InputError(f"unknown {name} {value!r} of a link file", hint=hint)

    def empty(self, first: int, second: int) -> bool:
        """Whether the two numbers of a link in the file say that a word has no link."""
        return self.null and self.base == 1 and 0 in (first, second)

    def position(self, first: int, second: int) -> Link:
        """The two numbers of a link in the file as positions (source, target) from 0."""
        link = first - self.base, second - self.base
        return link if self.order == "source-target" else link[::-1]

    def numbers(self, link: Link) -> tuple[int, int]:
        """Positions (source, target) from 0 as the two numbers of a link in the file."""
        first, second = link if self.order == "source-target" else link[::-1]
        return first + self.base, second + self.base


#: The notations of the shared task, and of the output of aligners.
NAACL = Notation("naacl", base=1)
PHARAOH = Notation("pharaoh", base=0)


def read_links(
    path: str | Path,
    shapes: Sequence[tuple[int, int]],
    notation: Notation,
    *,
    numbers: Sequence[int] | None = None,
    encoding: str = "utf-8",
) -> list[Links]:
    """The links of every pair of sentences; links that stand twice are one.

    Parameters
    ----------
    path: plain or gzipped.
    shapes: for every pair its numbers of source and of target words.
    numbers: what a naacl file calls the pairs, in their order; None for 1, 2, ...

    Raises
    ------
    InputError: what :func:`~advsp.corpora.text.read_lines` raises; ``numbers`` that are not one for
        every pair; with its line: a malformed field, an unknown pair, fewer or more lines than pairs, a
        link outside its sentences.  The last one names the base and the order under which all links of
        the file would lie inside, if there is one.
    """
    lines = read_lines(path, encoding)
    if notation.format == "naacl":
        numbers = range(1, len(shapes) + 1) if numbers is None else numbers
        _check_numbers(path, numbers, len(shapes))
        entries = list(_naacl_entries(path, lines, numbers))
    else:
        entries = list(_pharaoh_entries(path, lines, len(shapes)))
    sure: list[set[Link]] = [set() for _ in shapes]
    possible: list[set[Link]] = [set() for _ in shapes]
    for entry in entries:
        if notation.empty(entry.first, entry.second):
            continue
        if not entry.fits(shapes, notation):
            raise _outside(path, entry, entries, shapes, notation)
        links = sure if entry.sure else possible
        links[entry.pair].add(notation.position(entry.first, entry.second))
    return [Links(frozenset(s), frozenset(p)) for s, p in zip(sure, possible, strict=True)]


def write_links(path: str | Path, links: Iterable[Links], notation: Notation) -> None:
    """Write the links of every pair, by source and then by target word; atomically.

    A naacl file calls the pairs 1, 2, ...
    """
    with atomic(path) as stream:
        for pair, found in enumerate(links, 1):
            stream.write(links_as_text(pair, found, notation))


def links_as_text(
    pair: int, links: Links, notation: Notation, confidences: Mapping[Link, float] | None = None
) -> str:
    """The lines of one pair, with their ends; links by source and then by target word.

    Parameters
    ----------
    pair: its number in a naacl file.
    confidences: between 0 and 1, written behind the links.
    """
    marked = [(link, link in links.sure) for link in sorted(links.sure | links.possible)]
    texts = []
    for link, sure in marked:
        i, j = notation.numbers(link)
        confidence = "" if confidences is None else f"{confidences[link]:.4f}"
        if notation.format == "naacl":
            texts.append(f"{pair} {i} {j} {'S' if sure else 'P'}{' ' if confidence else ''}{confidence}\n")
        else:
            texts.append(f"{i}{'-' if sure else '?'}{j}{':' if confidence else ''}{confidence}")
    return "".join(texts) if notation.format == "naacl" else " ".join(texts) + "\n"


class LinkStream:
    """A file of predicted links that is read along with its text, so many pairs at a time.

    Parameters
    ----------
    path: plain or gzipped; links of a naacl file stand in the order of their pairs, numbered from 1.
    """

    def __init__(self, path: Path, notation: Notation, encoding: str = "utf-8") -> None:
        self._path, self._notation = path, notation
        self._lines = enumerate(stream_lines(path, encoding), 1)
        self._ahead: Entry | None = None
        self._pairs = 0

    def take(self, shapes: Sequence[tuple[int, int]]) -> list[frozenset[Link]]:
        """The links of the next pairs, for every pair its numbers of source and of target words.

        Raises
        ------
        InputError: what :func:`read_links` raises; a link that is marked possible.
        """
        read = self._naacl if self._notation.format == "naacl" else self._pharaoh
        entries = [entry._replace(pair=entry.number - 1 - self._pairs) for entry in read(len(shapes))]
        found: list[set[Link]] = [set() for _ in shapes]
        for entry in entries:
            if self._notation.empty(entry.first, entry.second):
                continue
            if not entry.fits(shapes, self._notation):
                raise _outside(self._path, entry, entries, shapes, self._notation)
            if not entry.sure:
                raise InputError(
                    f"pair {entry.number} has links that are marked possible",
                    file=self._path,
                    line=entry.line,
                    hint="an aligner predicts a link or it does not; is this a file of gold links?",
                )
            found[entry.pair].add(self._notation.position(entry.first, entry.second))
        self._pairs += len(shapes)
        return [frozenset(links) for links in found]

    def finish(self) -> None:
        """The text has ended.

        Raises
        ------
        InputError: there are links of more pairs.
        """
        more = self._ahead is not None or any(
            text.strip() or self._notation.format == "pharaoh" for _, text in self._lines
        )
        if more:
            raise InputError(
                f"goes on behind the {counted(self._pairs, 'pair')} of the text", file=self._path
            )

    def _pharaoh(self, pairs: int) -> Iterator[Entry]:
        for pair in range(self._pairs, self._pairs + pairs):
            line, text = next(self._lines, (0, None))
            if text is None:
                hint = "a pair a line; a pair without links is a blank line"
                raise InputError(
                    f"ends after {counted(pair, 'pair')}, the text goes on", file=self._path, hint=hint
                )
            yield from _pharaoh_line(self._path, line, text)

    def _naacl(self, pairs: int) -> Iterator[Entry]:
        last = self._pairs
        while True:
            entry, self._ahead = self._ahead, None
            if entry is None:
                line, text = next(self._lines, (0, None))
                if text is None:
                    return
                entry = _naacl_line(self._path, line, text)
            if entry is None:
                continue
            if entry.number < max(last, self._pairs + 1):
                hint = "links stand in the order of their pairs, which are numbered from 1"
                problem = f"pair {entry.number} stands behind pair {last}"
                raise InputError(problem, file=self._path, line=entry.line, hint=hint)
            if entry.number > self._pairs + pairs:
                self._ahead = entry
                return
            last = entry.number
            yield entry


class Entry(NamedTuple):
    """A link as it stands in the file: of the pair ``number``, which is ``pair`` counted from 0."""

    line: int
    number: int
    pair: int
    first: int
    second: int
    sure: bool
    text: str

    def fits(self, shapes: Sequence[tuple[int, int]], notation: Notation) -> bool:
        """Whether it links two words of its sentences."""
        link = notation.position(self.first, self.second)
        return all(0 <= position < length for position, length in zip(link, shapes[self.pair], strict=True))


def _check_numbers(path: str | Path, numbers: Sequence[int], pairs: int) -> None:
    """Every pair has a number of its own."""
    if len(numbers) != pairs:
        raise InputError(
            f"{counted(len(numbers), 'number')} are given for {counted(pairs, 'pair')}", file=path
        )
    if twice := [number for number, times in Counter(numbers).items() if times > 1]:
        raise InputError(
            f"the number {twice[0]} is given to {counted(numbers.count(twice[0]), 'pair')}", file=path
        )


def _naacl_line(path: str | Path, line: int, text: str) -> Entry | None:
    """The link of a line, its pair not placed; None if there is nothing."""
    text = text.strip(" \t")
    if not text:
        return None
    fields = _NAACL.fullmatch(text)
    if not fields:
        hint = "a link a line: pair i j [S|P] [confidence]"
        raise InputError(f"found {text!r}, expected a link", file=path, line=line, hint=hint)
    number, i, j = (int(field) for field in fields.groups()[:3])
    return Entry(line, number, -1, i, j, fields[4] != "P", f"{i} {j}")


def _naacl_entries(path: str | Path, lines: list[str], numbers: Sequence[int]) -> Iterator[Entry]:
    places = {number: pair for pair, number in enumerate(numbers)}
    for line, text in enumerate(lines, 1):
        entry = _naacl_line(path, line, text)
        if entry is None:
            continue
        if entry.number not in places:
            raise InputError(
                f"unknown pair {entry.number}, the pairs of the text are {_ranges(numbers)}",
                file=path,
                line=line,
                hint="state how the file numbers the pairs",
            )
        yield entry._replace(pair=places[entry.number])


def _pharaoh_line(path: str | Path, line: int, text: str) -> Iterator[Entry]:
    """The links of the pair whose number that of the line is."""
    for link in text.split():
        fields = _PHARAOH.fullmatch(link)
        if not fields:
            hint = "links apart by blanks: i-j is sure, i?j and ipj are possible"
            raise InputError(f"found {link!r}, expected a link", file=path, line=line, hint=hint)
        yield Entry(line, line, line - 1, int(fields[1]), int(fields[3]), fields[2] == "-", link)


def _pharaoh_entries(path: str | Path, lines: list[str], pairs: int) -> Iterator[Entry]:
    if len(lines) != pairs:
        raise InputError(
            f"found {counted(len(lines), 'line')}, the text has {counted(pairs, 'pair')}",
            file=path,
            line=min(len(lines), pairs + 1) or None,
            hint="a pair a line; a pair without links is a blank line",
        )
    for line, text in enumerate(lines, 1):
        yield from _pharaoh_line(path, line, text)


def pairs_of(lines: Sequence[str], form: str) -> list[int] | None:
    """What lines that look like links of a format call their pairs, each once; None if they do not.

    Lines of a pharaoh file are called 1, 2, ...
    """
    try:
        if form == "naacl":
            entries = [_naacl_line("", number, line) for number, line in enumerate(lines, 1)]
            return list(dict.fromkeys(entry.number for entry in entries if entry)) or None
        found = [list(_pharaoh_line("", number, line)) for number, line in enumerate(lines, 1)]
    except InputError:
        return None
    return list(range(1, len(lines) + 1)) if any(found) else None


def _ranges(numbers: Sequence[int]) -> str:
    """Ascending runs of numbers, e.g. ``1 to 8, 11 to 39``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first} to {last}" if last > first else str(first) for first, last in runs)


def _outside(
    path: str | Path,
    entry: Entry,
    entries: list[Entry],
    shapes: Sequence[tuple[int, int]],
    notation: Notation,
) -> InputError:
    """The error for a link outside its sentences, with its likely cause."""
    source, target = shapes[entry.pair]
    others = (replace(notation, base=base, order=order) for base in BASES for order in ORDERS)
    fitting = [o for o in others if all(other.fits(shapes, o) for other in entries)]
    hint = f"read with index base {notation.base} and order {notation.order}; "
    if fitting:
        hint += "all links fit " + ", or ".join(f"base {o.base} and order {o.order}" for o in fitting)
    elif notation.base == 1 and 0 in (entry.first, entry.second):
        hint += "word 0 stands for none in some files: null: true leaves such links out"
    else:
        hint += "no other base or order fits either; are these the links of this text?"
    return InputError(
        f"pair {entry.number}: link {entry.text} lies outside its sentences "
        f"of {source} source and {target} target words",
        file=path,
        line=entry.line,
        hint=hint,
    )
