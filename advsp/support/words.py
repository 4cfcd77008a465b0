"""Words for people: numbers of things, and what an output can show."""

from __future__ import annotations

from collections.abc import Iterable


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """So many of something.

    >>> counted(1, "column"), counted(0, "column"), counted(1200, "class", "classes")
    ('1 column', '0 columns', '1,200 classes')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def alternatives(names: Iterable[str]) -> str:
    """One of several names, in quotes.

    >>> alternatives(["a", "b", "c"]), alternatives(["a"])
    ("'a', 'b' or 'c'", "'a'")
    """
    *others, last = map(repr, names)
    return f"{', '.join(others)} or {last}" if others else last


def has(encoding: str, text: str) -> bool:
    """Whether a text can be written in an encoding.

    >>> has("utf-8", "▁"), has("cp1252", "▁"), has("no such encoding", "a")
    (True, False, False)
    """
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
