"""Aligners: programs that predict links unasked, most of them once in each direction.

A direction is a name of predicted links in a prepared bitext, ``m4.ef``; an aligner is two directions or
one.  Two names belong together if they are the same up to the last dot and end in directions that are
opposite: one the mirror image of the other (``ef`` and ``fe``, ``en-fr`` and ``fr-en``), ``forward`` with
``reverse`` or ``backward``, ``fwd`` with ``rev``, ``f`` with ``r``.  They are one aligner, called by what
they share: ``m4``.

Predicted links may be missing for some splits.  ``A|B`` is an aligner that is A on the splits for which
there are links of A, and B on the others.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from advsp.support.errors import InputError

#: Between aligners of which the first that has a split is taken.
OR = "|"

_OPPOSITE = ({"forward", "reverse"}, {"forward", "backward"}, {"f", "r"}, {"fwd", "rev"})

#: Names of predicted links to the splits for which there are some, as in a corpus manifest.
Available = Mapping[str, Collection[str]]


@dataclass(frozen=True)
class Aligner:
    """An aligner by the names of the links it predicts.

    Attributes
    ----------
    name: what its features are called by.
    directions: names of its predicted links, one or two.
    """

    name: str
    directions: tuple[str, ...]


def list_aligners(names: Iterable[str]) -> list[Aligner]:
    """The aligners whose predicted links have these names, in their order."""
    names = list(names)
    endings: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        stem, _, ending = name.rpartition(".")
        endings[stem].append(ending)
    aligner_of = {name: Aligner(name, (name,)) for name in names}
    for stem, found in endings.items():
        opposite = [pair for pair in combinations(found, 2) if _are_opposite(*pair)]
        # With a second pair, or links of that very name, nobody could tell what the name stands for.
        if stem and stem not in names and len(opposite) == 1:
            directions = tuple(f"{stem}.{ending}" for ending in opposite[0])
            aligner_of |= dict.fromkeys(directions, Aligner(stem, directions))
    return list(dict.fromkeys(aligner_of.values()))


def complete_aligners(available: Available, splits: Iterable[str]) -> list[Aligner]:
    """The aligners that have links for all of the splits."""
    needed = set(splits)
    return [
        aligner
        for aligner in list_aligners(available)
        if all(needed <= set(available[direction]) for direction in aligner.directions)
    ]


def find_aligner(name: str, available: Available, splits: Iterable[str]) -> Aligner:
    """The aligner of that name, which has links for all of the splits.

    Parameters
    ----------
    name: an aligner, one direction of an aligner, or several of either with ``|`` between them.

    Raises
    ------
    InputError: no such aligner; a split without links; alternatives of one and of two directions.
    """
    choices = [_find(choice, available) for choice in name.split(OR)]
    if len({len(choice.directions) for choice in choices}) > 1:
        counts = ", ".join(f"{choice.name} {len(choice.directions)}" for choice in choices)
        problem = f"aligner {name!r}: alternatives with different numbers of directions: {counts}"
        raise InputError(problem, hint="name one direction of each")
    directions = tuple(OR.join(side) for side in zip(*(choice.directions for choice in choices), strict=True))
    for direction in directions:
        for split in splits:
            choose(direction, available, split)
    return Aligner(name, directions)


def choose(direction: str, available: Available, split: str) -> str:
    """The name of the predicted links that stand for a direction in one split.

    Raises
    ------
    InputError: there are no links for that split.
    """
    choices = direction.split(OR)
    for choice in choices:
        if split in available[choice]:
            return choice
    has = "; ".join(f"{choice} has {', '.join(available[choice]) or 'none'}" for choice in choices)
    raise InputError(f"aligner {direction!r} has no links for split {split!r}", hint=has)


def _find(name: str, available: Available) -> Aligner:
    if name in available:
        return Aligner(name, (name,))
    aligners = {aligner.name: aligner for aligner in list_aligners(available)}
    if name not in aligners:
        known = [*aligners, *available]
        nearest = difflib.get_close_matches(name, known, n=1)
        has = f"known: {', '.join(aligners)}" if aligners else "the corpus has no aligners"
        raise InputError(
            f"unknown aligner {name!r}", hint=f"did you mean {nearest[0]!r}?" if nearest else has
        )
    return aligners[name]


def _are_opposite(first: str, second: str) -> bool:
    mirrored = second in (first[::-1], "-".join(reversed(first.split("-"))))
    return mirrored or {first, second} in _OPPOSITE
