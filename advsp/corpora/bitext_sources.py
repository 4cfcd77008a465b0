"""What a bitext is prepared from: labelled texts cut into splits, links of aligners, unlabelled text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.directions import DIRECTIONS
from advsp.corpora.links import NAACL, PHARAOH, Notation, read_links
from advsp.corpora.parallel_text import TextFiles, read_pairs
from advsp.support.errors import InputError

SIDES = ("source", "target")

#: What is counted in a split, and may be expected of it.
COUNTS = ("pairs", "sure", "possible", "edges")

_SPLIT_NAME = re.compile(r"[A-Za-z0-9][\w-]*", re.ASCII)
_ALIGNER_NAME = re.compile(r"[A-Za-z0-9][\w.+-]*", re.ASCII)


@dataclass(frozen=True)
class LabelledText:
    """A parallel text with links.

    Attributes
    ----------
    text: the sentences.
    links: the link file.
    numbers: what a naacl file calls the pairs, in their order; None for 1, 2, ...
    """

    text: TextFiles
    links: Path
    numbers: Sequence[int] | None = None

    @property
    def paths(self) -> list[Path]:
        """All files."""
        return [*self.text.paths, self.links]


@dataclass(frozen=True)
class Part:
    """Pairs ``first`` to ``last`` of a labelled text, counted from 1, both included; None for its end."""

    text: str
    first: int = 1
    last: int | None = None


@dataclass(frozen=True)
class AlignerRun:
    """An aligner program by its registered name, and its options."""

    program: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class BitextSources:
    """The files, and how they are read.

    Attributes
    ----------
    labelled: the labelled texts by name.
    splits: the splits, and what they are made of; without any, every labelled text is one.
    notation: how the links of the labelled texts are written.
    aligners: by aligner and split, the file of the links it predicts; not every split needs one.
    aligner_notation: how those are written.
    run: aligners that are programs to be run, by name; ``m`` predicts ``m.forward`` and ``m.reverse``.
    recorded: aligners that were run on all of the text before, by name and direction the files of their
        links: a line a pair, the labelled ones of all splits, then those of the unlabelled text that are
        kept.
    unlabelled: text to count words in; pairs with an empty side are left out.
    distinct: leave out pairs of that text that are repeated, word by word as its files have them.
    normalise: the steps that make that text agree with the labelled one, for ``source`` and ``target``.

    Raises
    ------
    InputError: no labelled text; the name of a split or an aligner that cannot name a file; two aligners
        of one name; a split, a labelled text or a side that is not there.
    """

    labelled: Mapping[str, LabelledText]
    splits: Mapping[str, Part] = field(default_factory=dict)
    notation: Notation = NAACL
    aligners: Mapping[str, Mapping[str, Path]] = field(default_factory=dict)
    aligner_notation: Notation = PHARAOH
    run: Mapping[str, AlignerRun] = field(default_factory=dict)
    recorded: Mapping[str, Mapping[str, Path]] = field(default_factory=dict)
    unlabelled: TextFiles | None = None
    distinct: bool = True
    normalise: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.labelled:
            raise InputError("no labelled text given", hint="at least one, with sentences and links")
        for split, part in self.parts.items():
            if not _SPLIT_NAME.fullmatch(split):
                raise InputError(f"split name {split!r} cannot name a file", hint="letters, digits, - and _")
            _check_known(f"split {split}: labelled text", part.text, self.labelled)
        for name in (*self.aligners, *self.run, *self.recorded):
            if not _ALIGNER_NAME.fullmatch(name):
                hint = "letters, digits, . + - and _"
                raise InputError(f"aligner name {name!r} cannot name a file", hint=hint)
        for name, files in self.aligners.items():
            for split in files:
                _check_known(f"aligner {name}: split", split, self.parts)
        self._check_whole()
        for side in self.normalise:
            _check_known("normalisation: side", side, SIDES)

    def _check_whole(self) -> None:
        """No other name, nor what it is up to its last dot, is that of an aligner with links of all pairs."""
        for name in self.whole:
            others = [run_directions(other).values() for other in self.whole if other != name]
            for other in chain(self.aligners, *others):
                if name in (other, other.rpartition(".")[0]):
                    if name not in self.run:
                        raise InputError(f"aligner {name!r} is recorded, and {other!r} has that name already")
                    raise InputError(
                        f"aligner {name!r} is to be run, and {other!r} has that name already",
                        hint=f"give it another one: --set 'run={{mine: {self.run[name].program}}}'",
                    )
        if both := set(self.run) & set(self.recorded):
            raise InputError(f"aligner {min(both)!r} is to be run and recorded", hint="give one another name")

    @property
    def whole(self) -> list[str]:
        """The aligners that have links of all pairs."""
        return [*self.run, *self.recorded]

    @property
    def parts(self) -> Mapping[str, Part]:
        """What the splits are made of, also where none are named."""
        return self.splits or {name: Part(name) for name in self.labelled}

    @property
    def paths(self) -> list[Path]:
        """All files."""
        return [
            *(path for text in self.labelled.values() for path in text.paths),
            *(path for files in self.aligners.values() for path in files.values()),
            *(path for files in self.recorded.values() for path in files.values()),
            *(self.unlabelled.paths if self.unlabelled else ()),
        ]

    def read_splits(self) -> dict[str, list[SentencePair]]:
        """The labelled pairs of every split.

        Raises
        ------
        InputError: what :func:`read_labelled` raises; a split outside its text; a pair in two splits.
        """
        texts = {name: read_labelled(text, self.notation) for name, text in self.labelled.items()}
        splits: dict[str, list[SentencePair]] = {}
        taken: dict[tuple[str, int], str] = {}
        for split, part in self.parts.items():
            pairs = texts[part.text]
            last = len(pairs) if part.last is None else part.last
            if not 1 <= part.first <= last <= len(pairs):
                raise InputError(
                    f"split {split}: pairs {part.first} to {last} asked for, "
                    f"the text {part.text!r} has pairs 1 to {len(pairs)}"
                )
            for number in range(part.first, last + 1):
                if (other := taken.setdefault((part.text, number), split)) != split:
                    hint = "a pair may be in one split only"
                    raise InputError(
                        f"pair {number} of {part.text!r} is in {other} and in {split}", hint=hint
                    )
            splits[split] = pairs[part.first - 1 : last]
        return splits

    def read_predicted(
        self, splits: Mapping[str, Sequence[SentencePair]]
    ) -> dict[str, dict[str, list[frozenset[Link]]]]:
        """The links that aligners predict, by aligner and split; ``splits`` is what they were given.

        Raises
        ------
        InputError: what :func:`read_predicted` raises.
        """
        return {
            name: {
                split: read_predicted(path, splits[split], self.aligner_notation)
                for split, path in files.items()
            }
            for name, files in self.aligners.items()
        }


def never_first(files: Mapping[Path, Sequence[frozenset[Link]]], notation: Notation) -> list[Path]:
    """Files of links that are declared to count from 0, and of which no link has a 0 on either side.

    files: to the links of all their pairs.
    """
    return [
        path
        for path, pairs in files.items()
        if notation.base == 0 and any(pairs) and not any(0 in link for links in pairs for link in links)
    ]


def run_directions(name: str) -> dict[str, str]:
    """By direction, what the links are called that an aligner predicts when it is run."""
    return {direction: f"{name}.{direction}" for direction in DIRECTIONS}


def read_labelled(text: LabelledText, notation: Notation) -> list[SentencePair]:
    """The pairs of a labelled text.

    Raises
    ------
    InputError: what :func:`~advsp.corpora.parallel_text.read_pairs` and
        :func:`~advsp.corpora.links.read_links` raise.
    """
    pairs = read_pairs(text.text)
    shapes = [(len(source), len(target)) for source, target in pairs]
    links = read_links(text.links, shapes, notation, numbers=text.numbers, encoding=text.text.encoding)
    return [SentencePair(*pair, found.sure, found.possible) for pair, found in zip(pairs, links, strict=True)]


def read_predicted(
    path: str | Path, pairs: Sequence[SentencePair], notation: Notation
) -> list[frozenset[Link]]:
    """The links that an aligner predicts for every pair: predicted or not, but never possible.

    Raises
    ------
    InputError: what :func:`~advsp.corpora.links.read_links` raises; a link that is marked possible.
    """
    links = read_links(path, [pair.shape for pair in pairs], notation)
    for number, found in enumerate(links, 1):
        if found.possible:
            raise InputError(
                f"pair {number} has links that are marked possible",
                file=path,
                hint="an aligner predicts a link or it does not; is this a file of gold links?",
            )
    return [found.sure for found in links]


def count(pairs: Sequence[SentencePair]) -> dict[str, int]:
    """The :data:`COUNTS` of labelled pairs, and their ``source_words`` and ``target_words``."""
    shapes = [pair.shape for pair in pairs]
    return {
        "pairs": len(shapes),
        "sure": sum(len(pair.sure) for pair in pairs),
        "possible": sum(len(pair.possible) for pair in pairs),
        "edges": sum(source * target for source, target in shapes),
        "source_words": sum(source for source, _ in shapes),
        "target_words": sum(target for _, target in shapes),
    }


def _check_known(what: str, name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise InputError(f"{what} {name!r} is not there", hint=f"known: {', '.join(known)}")
