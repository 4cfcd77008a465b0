"""Feature templates: names that are made of what stands at a token and around it.

A template says what it reads, in which column and how many tokens on, and how that becomes a name; a token
has the features that its preset's templates name.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Value:
    """What stands in a column, ``offset`` tokens on.

    Attributes
    ----------
    column: name of the column, e.g. ``"word"``.
    offset: 0 for the token itself, negative for those before it.
    outside: what is read before the first token and after the last one.
    """

    column: str
    offset: int = 0
    outside: str = ""


class Template(Protocol):
    """One way to make names of features."""

    @property
    def values(self) -> tuple[Value, ...]:
        """What it reads."""

    @property
    def making(self) -> Hashable:
        """What templates have in common that make the same names of the same texts, wherever these stand."""

    def names(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        """The names that it makes of what it reads."""


@dataclass(frozen=True)
class Pattern:
    """One name, with ``%s`` for every value.

    >>> Pattern("%s...%s-PW_CTYPE|C", (Value("word", -1), Value("shape"))).names(("the", "Xxx"))
    ('the...Xxx-PW_CTYPE|C',)
    """

    pattern: str
    values: tuple[Value, ...] = ()

    @property
    def making(self) -> Hashable:
        return self.pattern

    def names(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        return (self.pattern % texts,)


@dataclass(frozen=True)
class Expansion:
    """Several names of one value, as ``expand`` makes them."""

    expand: Callable[[str], tuple[str, ...]]
    value: Value

    @property
    def values(self) -> tuple[Value, ...]:
        return (self.value,)

    @property
    def making(self) -> Hashable:
        return self.expand

    def names(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        return self.expand(*texts)
