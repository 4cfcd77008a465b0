"""A line of the README's table: what took how long, and how much longer without something."""

from __future__ import annotations

from typing import NamedTuple


class Headline(NamedTuple):
    """One comparison.

    Attributes
    ----------
    what: what was measured.
    ours: the fastest engine and its time.
    other: what it is compared with, and its time.
    ratio: the other's time by ours.
    """

    what: str
    ours: str
    other: str
    ratio: str
