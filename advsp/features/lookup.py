"""Features of many sentences at a time.

Words repeat: a name is made, and its column looked up, once for every value that its template reads, or every
combination of values, and not once a token.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

import numpy as np
from scipy.sparse import csr_matrix

from advsp.features.index import FeatureIndex
from advsp.features.templates import Template
from advsp.support.arrays import Ints, ShortInts, ranges

#: Distinct texts, and combinations of texts that a template reads, that are remembered; beyond that all is
#: forgotten, so that memory stays flat.
_MOST_TEXTS, _MOST_COMBINATIONS = 1 << 17, 1 << 20
#: Texts whose numbers are put together to one number, by threes at most.
_MOST_NUMBERS = 1 << 20


class Lookup:
    """Makes the matrices of sentences.

    Parameters
    ----------
    templates: the templates of every matrix.
    indices: the columns of every matrix; names that are new to one that is not frozen join it.
    """

    def __init__(self, templates: Sequence[Sequence[Template]], indices: Sequence[FeatureIndex]) -> None:
        self._templates, self._indices = templates, indices
        values = [value for some in templates for template in some for value in template.values]
        self._reach = max((abs(value.offset) for value in values), default=0)
        self._outside = sorted({(value.column, value.outside) for value in values})
        self._forget()

    def _forget(self) -> None:
        self._texts = {column: _Texts() for column, _ in self._outside}
        self._made: list[dict[Hashable, _Made]] = [{} for _ in self._templates]

    def matrices(self, sentences: Sequence[Mapping[str, Sequence[str]]]) -> list[csr_matrix]:
        """CSR [T, columns], float64, ones at the features of every token of some sentences.

        Parameters
        ----------
        sentences: of each, name of a column to its values.
        """
        if any(len(texts) > _MOST_TEXTS for texts in self._texts.values()) or any(
            len(made) > _MOST_COMBINATIONS for some in self._made for made in some.values()
        ):
            self._forget()
        lengths = np.array([len(next(iter(columns.values()))) for columns in sentences], dtype=np.int64)
        read = {place: self._numbered(*place, sentences) for place in self._outside}
        # Before every sentence are as many places outside as a template may reach.
        starts = np.cumsum(lengths + self._reach) - lengths
        places = ranges(starts, lengths)
        return [
            self._matrix(made, templates, index, read, places)
            for made, templates, index in zip(self._made, self._templates, self._indices, strict=True)
        ]

    def _numbered(self, column: str, outside: str, sentences: Sequence[Mapping[str, Sequence[str]]]) -> Ints:
        """Numbers of the texts of a column, those outside the sentences among them."""
        flat: list[str] = []
        between = [outside] * self._reach
        for columns in sentences:
            flat += between
            flat += columns[column]
        return self._texts[column].numbers(flat + between)

    def _matrix(
        self,
        made: dict[Hashable, _Made],
        templates: Sequence[Template],
        index: FeatureIndex,
        read: Mapping[tuple[str, str], Ints],
        places: Ints,
    ) -> csr_matrix:
        """One matrix, from the numbers ``read`` of the texts at all ``places`` int64 [T] and around them."""
        parts = []
        for template in templates:
            at = [read[value.column, value.outside][places + value.offset] for value in template.values]
            kind = template.making, tuple(value.column for value in template.values)
            if kind not in made:
                made[kind] = _Made(template, index, [self._texts[value.column] for value in template.values])
            parts.append(made[kind].columns(at, len(places)))
        features = sum((lengths for lengths, _ in parts), start=np.zeros(len(places), dtype=np.int64))
        ends = np.concatenate([[0], np.cumsum(features)])
        columns, place = np.empty(int(ends[-1]), dtype=np.int32), ends[:-1].copy()
        for lengths, some in parts:
            columns[ranges(place, lengths)] = some
            place += lengths
        shape = len(places), len(index)
        matrix = csr_matrix((np.ones(len(columns)), columns, ends.astype(np.int32)), shape=shape)
        # Templates may make one name twice; a feature is there or not.
        matrix.sum_duplicates()
        matrix.data[:] = 1.0
        return matrix


class _Texts:
    """The texts of a column, numbered as they are met."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.texts: list[str] = []

    def __len__(self) -> int:
        return len(self.texts)

    def numbers(self, texts: Sequence[str]) -> Ints:
        """The numbers of texts [k], int64 [k]."""
        known = self._numbers
        for text in dict.fromkeys(texts):
            if text not in known:
                known[text] = len(known)
                self.texts.append(text)
        return np.array([known[text] for text in texts], dtype=np.int64)


class _Made:
    """The columns that a way to make names has given for every combination of texts it has read."""

    def __init__(self, template: Template, index: FeatureIndex, texts: Sequence[_Texts]) -> None:
        self._template, self._index, self._texts = template, index, texts
        #: A combination to the number of its row of columns.
        self._rows: dict[Hashable, int] = {}
        # For templates of one value the same as an array: text to row, -1 for none yet.
        self._table: Ints = np.empty(0, dtype=np.int64)
        self._ends, self._columns = np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int32)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def columns(self, read: Sequence[Ints], tokens: int) -> tuple[Ints, ShortInts]:
        """Number of columns int64 [T] of every token, and these columns, one token after the other.

        Parameters
        ----------
        read: numbers int64 [T] of the texts that are read, an array a value.
        tokens: T.
        """
        if not read:
            rows = self._of_nothing(tokens)
        else:
            rows = self._of_one(read[0]) if len(read) == 1 else self._of_several(read)
        starts = self._ends[rows]
        lengths = self._ends[rows + 1] - starts
        return lengths, self._columns[ranges(starts, lengths)]

    def _of_nothing(self, tokens: int) -> Ints:
        """Rows int64 [T] of a template that reads nothing."""
        if tokens and not len(self):
            self._add([()])
        return np.zeros(tokens, dtype=np.int64)

    def _of_one(self, read: Ints) -> Ints:
        """Rows int64 [T] of texts."""
        texts = self._texts[0].texts
        if len(self._table) < len(texts):
            more = np.full(2 * len(texts) - len(self._table), -1, dtype=np.int64)
            self._table = np.concatenate([self._table, more])
        new = np.unique(read[self._table[read] < 0])
        self._table[new] = len(self) + np.arange(len(new))
        self._add((texts[number],) for number in new.tolist())
        return self._table[read]

    def _of_several(self, read: Sequence[Ints]) -> Ints:
        """Rows int64 [T] of combinations of texts."""
        keys, first, inverse = self._distinct(read)
        known = self._rows
        numbers = np.array([known.get(key, -1) for key in keys], dtype=np.int64)
        new = np.flatnonzero(numbers < 0)
        numbers[new] = len(self) + np.arange(len(new))
        known.update((keys[place], int(numbers[place])) for place in new.tolist())
        texts = [
            [known.texts[number] for number in some[first[new]].tolist()]
            for known, some in zip(self._texts, read, strict=True)
        ]
        self._add(zip(*texts, strict=True))
        return numbers[inverse]

    def _distinct(self, read: Sequence[Ints]) -> tuple[list[Hashable], Ints, Ints]:
        """The distinct ones of T combinations, where each is first, and which one is where int64 [T]."""
        if len(read) > 3 or any(len(texts) > _MOST_NUMBERS for texts in self._texts):
            table, first, inverse = np.unique(
                np.stack(read, axis=1), axis=0, return_index=True, return_inverse=True
            )
            return list(map(tuple, table.tolist())), first, inverse.ravel()
        keys = read[0]
        for more in read[1:]:
            keys = keys * _MOST_NUMBERS + more
        distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        return distinct.tolist(), first, inverse

    def _add(self, combinations: Iterable[tuple[str, ...]]) -> None:
        """Add the rows of what new combinations of texts make."""
        names, look_up = self._template.names, self._index.columns
        rows = [look_up(names(texts)) for texts in combinations]
        ends = self._ends[-1] + np.cumsum([len(row) for row in rows], dtype=np.int64)
        self._ends = np.concatenate([self._ends, ends])
        flat = np.array([column for row in rows for column in row], dtype=np.int32)
        self._columns = np.concatenate([self._columns, flat])
