"""Reader of ready-made feature files, as the paper's authors released them.

One token a line: ``tag qid:SENTENCE item item ...`` with items ``global:TYPE:local:value``.  ``TYPE``
is ``U`` (unigram: node) or ``B`` (bigram: edge), ``local`` the 1-based feature number within its type;
``global`` numbers both types together and says nothing more.  ``#`` starts a comment.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from advsp.corpora.schemes import to_iob2
from advsp.corpora.text import read_lines
from advsp.support.errors import InputError
from advsp.training.instances import ChainInstances

_NO_WORD = "_"
_MAX_FEATURES = 2**31 - 1


def read_feature_file(
    path: str | Path,
    *,
    tag_names: Sequence[str] = ("PER", "LOC", "ORG", "MISC", "O"),
    node_features: int | None = None,
    edge_features: int | None = None,
) -> ChainInstances:
    """Read a feature file, plain or gzipped.

    Features of value 0 are left out of the matrices, but count for the number of columns: the released
    files end every line with the largest number of each type that way.  Tag ``i`` of the file is
    ``tag_names[i - 1]``.  The files hold no words; every word is ``_``.  Neighbours of one class are
    one entity in ``gold``.

    Parameters
    ----------
    tag_names: names of the file's tags 1, 2, ..., ``O`` among them.
    node_features, edge_features: number of columns; None for the largest feature number in the file,
        which is then the width of ``node`` and ``edge`` in the result.

    Raises
    ------
    InputError: what :func:`~advsp.corpora.text.read_lines` raises; no tokens; with its line: a tag out
        of range, a missing ``qid:``, a sentence that goes on after another one, an item that is not of
        the form above, a feature number out of range or twice in a line.
    """
    rows = {"U": _Rows(node_features), "B": _Rows(edge_features)}
    tags = array("b")
    starts: dict[str, int] = {}
    sentence = None
    for number, line in enumerate(read_lines(path), 1):
        fields = line.partition("#")[0].split()
        if not fields:
            continue
        try:
            tag, mark = _head(fields, len(tag_names))
            if starts.setdefault(mark, len(tags)) != len(tags) and mark != sentence:
                raise InputError(f"{mark} goes on after {sentence} has begun")
            sentence = mark
            for item in fields[2:]:
                _add(item, rows)
        except InputError as error:
            raise InputError(error.problem, file=path, line=number, hint=error.hint) from None
        tags.append(tag)
        for row in rows.values():
            row.end()
    if not tags:
        raise InputError("no tokens found", file=path)
    offsets = [*starts.values(), len(tags)]
    bounds = list(pairwise(offsets))
    classes = [tag_names[tag] for tag in tags]
    return ChainInstances(
        node=rows["U"].matrix(),
        edge=rows["B"].matrix(),
        tags=np.array(tags, dtype=np.int8),
        offsets=np.array(offsets, dtype=np.int64),
        tag_names=tuple(tag_names),
        words=tuple((_NO_WORD,) * (end - start) for start, end in bounds),
        gold=tuple(to_iob2(classes[start:end], "io") for start, end in bounds),
    )


class _Rows:
    """The features of one type, row by row."""

    def __init__(self, width: int | None) -> None:
        self._width, self._largest = width, 0
        self._columns, self._values, self._ends = array("i"), array("d"), array("i", [0])
        self._row: dict[int, float] = {}

    def add(self, local: int, value: float) -> None:
        """Note feature ``local``, counted from 1, of the row at hand."""
        limit = _MAX_FEATURES if self._width is None else self._width
        if not 1 <= local <= limit:
            raise InputError(f"found feature number {local}, expected 1 to {limit}")
        self._largest = max(self._largest, local)
        if value:
            if local - 1 in self._row:
                raise InputError(f"feature number {local} stands twice in a line")
            self._row[local - 1] = value

    def end(self) -> None:
        """The row at hand is complete."""
        for column in sorted(self._row):
            self._columns.append(column)
            self._values.append(self._row[column])
        self._ends.append(len(self._columns))
        self._row.clear()

    def matrix(self) -> csr_matrix:
        """CSR [rows, width], float64, columns ascending."""
        width = self._largest if self._width is None else self._width
        parts = np.array(self._values), np.array(self._columns), np.array(self._ends)
        return csr_matrix(parts, shape=(len(self._ends) - 1, width))


def _head(fields: list[str], tags: int) -> tuple[int, str]:
    """The 0-based tag and the sentence mark of a line."""
    if not (fields[0].isdecimal() and 1 <= int(fields[0]) <= tags):
        raise InputError(f"found tag {fields[0]!r}, expected a number from 1 to {tags}")
    if len(fields) < 2 or not fields[1].removeprefix("qid:") or not fields[1].startswith("qid:"):
        raise InputError(f"found {' '.join(fields[1:2])!r} after the tag, expected qid:SENTENCE")
    return int(fields[0]) - 1, fields[1]


def _add(item: str, rows: dict[str, _Rows]) -> None:
    """Note one item; its type says in which rows."""
    try:
        _, kind, local, number = item.split(":")
        row, feature, value = rows[kind], int(local), float(number)
        if not math.isfinite(value):
            raise ValueError
    except (ValueError, KeyError):
        hint = "TYPE is U or B, local a whole number, value a finite one"
        raise InputError(f"item {item!r} is not global:TYPE:local:value", hint=hint) from None
    row.add(feature, value)
