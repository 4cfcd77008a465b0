"""Features that are given token by token: by name, or by name with a value.

A token is a mapping of names to values, or a sequence of names.  A text makes the feature ``name:text``, a
number is the value of the feature ``name``, True is 1 and False is 0; a sequence of texts makes one feature
each, and a mapping features of its own, ``name:inner``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Real
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_matrix

from advsp.features.index import FeatureIndex
from advsp.support.errors import InputError

#: What may be said of a token.
Item: TypeAlias = "Mapping[str, object] | Sequence[str]"


def named_values(item: Item, before: str = "") -> Iterator[tuple[str, float]]:
    """Names and values of the features of one token.

    Raises
    ------
    InputError: a value that is none of the above, or not finite.

    Examples
    --------
    >>> list(named_values({"word": "Oslo", "upper": True, "length": 4, "parts": ["Os", "lo"]}))
    [('word:Oslo', 1.0), ('upper', 1.0), ('length', 4.0), ('parts:Os', 1.0), ('parts:lo', 1.0)]
    """
    if not isinstance(item, Mapping):
        yield from ((f"{before}{name}", 1.0) for name in item)
        return
    for name, value in item.items():
        if isinstance(value, str):
            yield f"{before}{name}:{value}", 1.0
        elif isinstance(value, (Real, np.bool_)):
            if not np.isfinite(float(value)):
                raise InputError(
                    f"the feature {before}{name} has the value {value}, expected a finite number"
                )
            yield f"{before}{name}", float(value)
        elif isinstance(value, Mapping | Sequence | set | frozenset):
            inner = sorted(value) if isinstance(value, set | frozenset) else value
            yield from named_values(inner, f"{before}{name}:")
        else:
            kind = type(value).__name__
            raise InputError(f"the feature {before}{name} is a {kind}, expected a text, a number or a list")


class ItemFeatures:
    """Numbers the features of tokens; ``fit`` learns them, ``transform`` drops those that it does not know.

    Parameters
    ----------
    names: names that are known, in column order.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._index = FeatureIndex(names)

    def fit(self, sentences: Iterable[Sequence[Item]]) -> csr_matrix:
        """CSR [T, F] of sentences to learn from."""
        self._index = FeatureIndex()
        return self._matrix(sentences)

    def transform(self, sentences: Iterable[Sequence[Item]]) -> csr_matrix:
        """CSR [T, F] of any sentences."""
        self._index.freeze()
        return self._matrix(sentences)

    def names(self) -> list[str]:
        """Names of all features in column order."""
        return self._index.names()

    def _matrix(self, sentences: Iterable[Sequence[Item]]) -> csr_matrix:
        columns: list[int] = []
        values: list[float] = []
        ends = [0]
        for sentence in sentences:
            for item in sentence:
                for name, value in named_values(item):
                    found = self._index.columns((name,))
                    columns += found
                    values += [value] * len(found)
                ends.append(len(columns))
        parts = np.array(values), np.array(columns, dtype=np.int32), np.array(ends, dtype=np.int32)
        matrix = csr_matrix(parts, shape=(len(ends) - 1, len(self._index)))
        matrix.sum_duplicates()
        return matrix
