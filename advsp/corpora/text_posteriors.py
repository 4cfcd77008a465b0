"""How probable an aligner finds every link of a whole text, in files that are mapped into memory.

The possible links of all pairs stand one after the other, those of a pair of n source and m target words in
the order of its grid [n, m], row by row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from advsp.corpora.links import Notation, read_links
from advsp.corpora.text import read_lines
from advsp.support.arrays import Array, Ints, Singles
from advsp.support.errors import InputError
from advsp.support.files import atomic

#: float16 for probabilities, uint8 where they are 0 or 1.
Kept = NDArray[np.float16] | NDArray[np.uint8]

#: Sure links with blanks between them; no sentence has a word whose number has ten digits.
_PLAIN = re.compile(r" *+(?:[0-9]{1,9}+-[0-9]{1,9}+ ++)*+")


class Cells:
    """Where the possible links of the pairs of a text stand.

    Parameters
    ----------
    source, target: int64 [S], numbers of words of all pairs.

    Attributes
    ----------
    ends: int64 [S + 1], where the links of every pair begin, and where the last ones end.
    """

    def __init__(self, source: Ints, target: Ints) -> None:
        self._widths = target
        self.ends: Ints = np.concatenate([np.zeros(1, np.int64), np.cumsum(source * target)])

    def __len__(self) -> int:
        """The number of all possible links."""
        return int(self.ends[-1])

    def of(self, pairs: Ints) -> Ints:
        """The places of the grids of B pairs of one shape, int64 [n, m, B]."""
        first, cells = self.ends[pairs], int(self.ends[pairs[0] + 1] - self.ends[pairs[0]])
        width = int(self._widths[pairs[0]])
        places: Ints = np.arange(cells).reshape(-1, width, 1) + first
        return places

    def places(self, pairs: Ints, source: Ints, target: Ints) -> Ints:
        """The places of links, int64 [k]: of these pairs, between words of these numbers from 0."""
        return self.ends[pairs] + source * self._widths[pairs] + target


@dataclass(frozen=True, eq=False)
class TextPosteriors:
    """Probabilities of all T possible links of a text.

    Attributes
    ----------
    forward: float16 or uint8 [T], that the source word is the one that the target word translates.
    reverse: the same with the sides exchanged.

    Raises
    ------
    ValueError: arrays of other types, or of two lengths.
    """

    forward: Kept
    reverse: Kept

    def __post_init__(self) -> None:
        for array in (self.forward, self.reverse):
            if array.dtype not in (np.float16, np.uint8) or array.shape != (len(self.forward),):
                raise ValueError("expected two arrays of one length, float16 or uint8")

    def take(self, places: Ints) -> tuple[Singles, Singles]:
        """Forward and reverse probabilities at some places, float32 of their shape."""
        forward, reverse = (
            np.take(array, places).astype(np.float32) for array in (self.forward, self.reverse)
        )
        return forward, reverse

    def save(self, forward: Path, reverse: Path) -> None:
        """Write both files, atomically."""
        for path, array in ((forward, self.forward), (reverse, self.reverse)):
            with atomic(path, "wb") as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)

    @classmethod
    def load(cls, forward: Path, reverse: Path, hint: str) -> Self:
        """Map what :meth:`save` has written into memory.

        Parameters
        ----------
        hint: how to mend the files if they are not that.

        Raises
        ------
        InputError: missing, damaged, or not posteriors.
        """
        arrays: list[Array] = []
        for path in (forward, reverse):
            try:
                arrays.append(np.load(path, mmap_mode="r", allow_pickle=False))
            except FileNotFoundError:
                raise InputError("no such file", file=path, hint=hint) from None
            except (OSError, ValueError, EOFError, SyntaxError):
                raise InputError("not posteriors of a text", file=path, hint=hint) from None
        try:
            return cls(*arrays)
        except ValueError as error:
            raise InputError(f"not posteriors of a text: {error}", file=forward, hint=hint) from None


def read_text_links(
    forward: Path, reverse: Path, shapes: Sequence[tuple[int, int]], notation: Notation
) -> TextPosteriors:
    """The links of a whole text, each as probable as can be.

    Parameters
    ----------
    shapes: for every pair its numbers of source and of target words.

    Raises
    ------
    InputError: what :func:`~advsp.corpora.links.read_links` raises; a link that is marked possible.
    """
    source, target = np.array(shapes, dtype=np.int64).reshape(-1, 2).T
    cells = Cells(source, target)
    arrays = []
    for path in (forward, reverse):
        links = _read_plain(path, source, target, notation)
        if links is None:
            links = _read_strictly(path, shapes, notation)
        array = np.zeros(len(cells), np.uint8)
        array[cells.places(*links)] = 1
        arrays.append(array)
    return TextPosteriors(*arrays)


def _read_plain(path: Path, source: Ints, target: Ints, notation: Notation) -> tuple[Ints, Ints, Ints] | None:
    """Pairs, source and target positions of all links, int64 [k] each; None of a file that is not so plain.

    All numbers are read at once, which is thirty times as fast as link by link.
    """
    lines = read_lines(path, "utf-8")
    if notation.format != "pharaoh" or notation.null or len(lines) != len(source):
        return None
    counts = np.array([line.count("-") for line in lines], dtype=np.int64)
    text = " ".join(lines) + " "
    # A link is digits, a hyphen and digits, and nothing else stands between two blanks.
    if not _PLAIN.fullmatch(text):
        return None
    # Of no number at all numpy would make one.
    numbers = (
        np.fromstring(text.replace("-", " "), dtype=np.int64, sep=" ") if counts.any() else np.empty(0, int)
    )
    first, second = (numbers.reshape(-1, 2) - notation.base).T
    left, right = (first, second) if notation.order == "source-target" else (second, first)
    pairs = np.repeat(np.arange(len(lines)), counts)
    inside = (left >= 0) & (right >= 0) & (left < source[pairs]) & (right < target[pairs])
    return (pairs, left, right) if inside.all() else None


def _read_strictly(
    path: Path, shapes: Sequence[tuple[int, int]], notation: Notation
) -> tuple[Ints, Ints, Ints]:
    """The same link by link, with an error that says what is wrong."""
    found = []
    for pair, links in enumerate(read_links(path, shapes, notation)):
        if links.possible:
            raise InputError(
                f"pair {pair + 1} has links that are marked possible",
                file=path,
                hint="an aligner predicts a link or it does not; is this a file of gold links?",
            )
        found += [(pair, i, j) for i, j in links.sure]
    pairs, left, right = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return pairs, left, right
