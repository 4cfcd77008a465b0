"""Word vectors: a word and its numbers a line, as word2vec writes them in text, GloVe and fastText likewise.

The first line may say how many words and numbers there are.  Numbers are apart by blanks; a word holds none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from advsp.corpora.text_stream import stream_lines
from advsp.support.arrays import Ints, Singles
from advsp.support.errors import InputError
from advsp.support.words import counted


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors of words.

    Attributes
    ----------
    words: W words, each once.
    table: float32 [W, d].
    """

    words: tuple[str, ...]
    table: Singles

    def rows(self, words: Sequence[str]) -> Ints:
        """int64 [n], rows of words in the table: as they stand, else in lower case; -1 for unknown words."""
        known = self._rows
        found = [known.get(word, known.get(word.lower(), -1)) for word in words]
        return np.array(found, dtype=np.int64)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}


def read_vectors(path: Path) -> WordVectors:
    """The vectors of a file, plain or gzipped; of a word that stands twice the first one.

    Raises
    ------
    InputError: what :func:`~advsp.corpora.text_stream.stream_lines` raises; a line without a word and as many
        finite numbers as the first one; no vectors.
    """
    rows: dict[str, Singles] = {}
    width = None
    for number, line in enumerate(stream_lines(path), 1):
        word, *numbers = line.rstrip(" ").split(" ")
        if number == 1 and len(numbers) == 1 and word.isdecimal() and numbers[0].isdecimal():
            width = int(numbers[0])
            continue
        if width is None:
            width = len(numbers)
        if len(numbers) != width or not width or not word:
            hint = "a word and its numbers a line, apart by single blanks"
            problem = f"found {counted(len(numbers), 'number')}, expected {width or 'some'}"
            raise InputError(problem, file=path, line=number, hint=hint)
        if word not in rows:
            rows[word] = _numbers(path, number, numbers)
    if not rows:
        raise InputError("no word vectors found", file=path)
    return WordVectors(tuple(rows), np.stack(list(rows.values())))


def _numbers(path: Path, line: int, texts: list[str]) -> Singles:
    try:
        with np.errstate(over="ignore"):
            found = np.array(texts, dtype=np.float32)
    except ValueError:
        wrong = next(text for text in texts if not _is_number(text))
        raise InputError(f"found {wrong!r}, expected a number", file=path, line=line) from None
    if not np.isfinite(found).all():
        wrong = texts[int(np.flatnonzero(~np.isfinite(found))[0])]
        raise InputError(f"found {wrong!r}, expected a finite number", file=path, line=line)
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
