"""Numbers of things in English."""

from __future__ import annotations


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """So many of something.

    >>> counted(1, "column"), counted(0, "column"), counted(1200, "class", "classes")
    ('1 column', '0 columns', '1,200 classes')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
