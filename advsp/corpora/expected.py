"""Counts that a corpus must have: another version of its files, or way of reading them, is noticed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from advsp.support.errors import InputError

#: Counts by name; one may be that of several classes.
Counts = Mapping[str, int | Mapping[str, int]]


def check_names(expect: Mapping[str, Counts], splits: Collection[str], counts: Sequence[str]) -> None:
    """Everything that is expected can be counted.

    Raises
    ------
    InputError: a split that is not there; a count that is not among ``counts``.
    """
    for split, expected in expect.items():
        if split not in splits:
            raise InputError(f"counts are expected of split {split!r}, which is not there")
        for name in expected:
            if name not in counts:
                raise InputError(f"split {split}: unknown count {name!r}", hint=f"known: {', '.join(counts)}")


def check_counts(file: str | Path, split: str, found: Counts, expected: Counts, hint: str) -> None:
    """Compare the counts that are expected with those found.

    Raises
    ------
    InputError: naming all that differ.
    """
    differences = [
        f"found {name} {_plain(found[name])}, expected {_plain(value)}"
        for name, value in expected.items()
        if found[name] != value
    ]
    if differences:
        raise InputError(f"split {split}: {'; '.join(differences)}", file=file, hint=hint)


def _plain(count: int | Mapping[str, int]) -> str:
    """A count, or counts per class in a fixed order."""
    if isinstance(count, int):
        return str(count)
    return " ".join(f"{name} {number}" for name, number in sorted(count.items()))
