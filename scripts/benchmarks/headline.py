"""A line of the table of docs/performance.md: what took how long, and how much longer something else took."""

from __future__ import annotations

from typing import NamedTuple


class Headline(NamedTuple):
    """One comparison.

    Attributes
    ----------
    what: what was measured.
    ours: our time.
    other: the time that it is compared with.
    ratio: the other's time by ours.
    """

    what: str
    ours: str
    other: str
    ratio: str
