"""Sentence pairs and the links between their words."""

from __future__ import annotations

from dataclasses import dataclass

#: Positions of a source and a target word, both from 0.
Link = tuple[int, int]


@dataclass(frozen=True)
class SentencePair:
    """A sentence, its translation, and the gold links between their words.

    Attributes
    ----------
    source, target: the words of the two sides, e.g. English and French.
    sure: links that are certain.
    possible: links that may be there or not; none of them is sure.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: frozenset[Link] = frozenset()
    possible: frozenset[Link] = frozenset()

    @property
    def shape(self) -> tuple[int, int]:
        """Number of source and of target words."""
        return len(self.source), len(self.target)
