"""Feature names to columns."""

from __future__ import annotations

from collections.abc import Iterable


class FeatureIndex:
    """Numbers names 0, 1, ... in the order of their first appearance, until it is frozen.

    Parameters
    ----------
    names: names that are known from the start, in column order, each once.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._columns = {name: column for column, name in enumerate(names)}
        self._frozen = False

    def freeze(self) -> None:
        """From now on names that are not known are dropped."""
        self._frozen = True

    def columns(self, names: set[str]) -> list[int]:
        """The columns of one row's features, ascending.

        Names that are new get the next columns, by code points among themselves; a frozen index
        drops them.
        """
        known = self._columns
        if not self._frozen:
            for name in sorted(names.difference(known)):
                known[name] = len(known)
        return sorted([column for column in map(known.get, names) if column is not None])

    def names(self) -> list[str]:
        """All names in column order; ``FeatureIndex(index.names())`` numbers them alike."""
        return list(self._columns)

    def __len__(self) -> int:
        return len(self._columns)
