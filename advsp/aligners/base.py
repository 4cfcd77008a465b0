"""What every aligner program offers: a version, and links in both directions."""

from __future__ import annotations

import importlib.metadata
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple

from advsp.corpora.bitext import Link
from advsp.corpora.posteriors import Grids, Posteriors
from advsp.corpora.text_posteriors import TextPosteriors
from advsp.corpora.tokens import Words
from advsp.corpora.word_pairs import WordPairs, read_word_pairs
from advsp.support.errors import InputError
from advsp.support.state import State

#: Called now and then with a few words on what a program is doing.
Tell = Callable[[str], None]


@dataclass(frozen=True)
class AlignerText:
    """Parallel text as programs read it.

    UTF-8, one sentence a line, none of them empty, words apart by single blanks and without any other
    white space, of whatever kind.

    Attributes
    ----------
    source, target: absolute paths; line i of one file is the translation of line i of the other.
    pairs: number of lines of each.
    labelled: so many pairs stand first whose links are wanted.
    """

    source: Path
    target: Path
    pairs: int
    labelled: int

    @cached_property
    def word_pairs(self) -> WordPairs:
        """The text as numbers, with all letters of its words; read once for all programs that ask."""
        return read_word_pairs(self.source, self.target)


class Outcome(NamedTuple):
    """What there may be beside links.

    Attributes
    ----------
    posteriors: of the labelled pairs.
    model: what the program has learnt.
    everywhere: posteriors of all pairs of the text; without them the links of all pairs count as these.
    """

    posteriors: Posteriors | None = None
    model: State | None = None
    everywhere: TextPosteriors | None = None


class Aligned(NamedTuple):
    """What a model says of sentence pairs: links by direction, source word first, and posteriors."""

    links: Mapping[str, list[frozenset[Link]]]
    posteriors: Grids


class AlignerModel(ABC):
    """What a program has learnt from a text, for pairs that it has not seen."""

    @abstractmethod
    def align(self, pairs: Sequence[tuple[Words, Words]]) -> Aligned:
        """Links and posteriors of sentence pairs, spelled as the program's text, every side with a word."""


class AlignerProgram(ABC):
    """A program that says which words are translations of each other, having seen text alone.

    A subclass is a dataclass; its fields are the options that a user can give.
    """

    #: The distribution that the program comes with, and how a user installs it; a program of this
    #: project's own has none, and a :meth:`version` instead.
    package: ClassVar[str]
    install: ClassVar[str]
    #: Whether an :class:`Outcome` has a model, which :meth:`learnt` reads.
    keeps_model: ClassVar[bool] = False

    @abstractmethod
    def align(self, text: AlignerText, forward: Path, reverse: Path, tell: Tell) -> Outcome:
        """Write the links of every pair, a line each: ``i-j``, source word first, words from 0.

        ``forward`` has at most one source word for every target word, ``reverse`` the other way round.
        Both paths are absolute and in a folder of the program's own, which is removed afterwards with
        whatever else is written there.  A program with posteriors of all pairs need not write the links
        of pairs that are not labelled: their lines may be blank.

        Raises
        ------
        InputError: the program failed; it says what the program said.
        """

    def learnt(self, state: State) -> AlignerModel:
        """The model that an outcome had, where the program keeps one."""
        raise NotImplementedError(f"{type(self).__name__} keeps no model")

    @classmethod
    def version(cls) -> str:
        """The version that is installed.

        Raises
        ------
        InputError: none is.
        """
        try:
            return importlib.metadata.version(cls.package)
        except importlib.metadata.PackageNotFoundError:
            raise InputError(f"the package {cls.package!r} is not installed", hint=cls.install) from None
