"""Entity-level counts, equal to those of conlleval: an entity is right if class, start and end all are.

conlleval, the scorer of the CoNLL-2000 and CoNLL-2003 shared tasks (Tjong Kim Sang and Buchholz 2000,
Tjong Kim Sang and De Meulder 2003), asks at every token whether a chunk ends before it and whether
one starts at it.  On the prefixes B, I, E, S and O its answers come down to one rule: a token belongs to the
chunk of the token before it if it is I or E, the token before it is B or I, and the classes are the same;
any other token of a class starts a chunk.  No sequence of tags is therefore invalid: an I at the start
of a sentence, after O or after another class starts a chunk as a B does.

The script as published has no S, and does not part E from a B of the same class.  Here S is a chunk
of one token and nothing continues an E, which is how the common extensions to BIOES read them; on IO,
IOB1, IOB2, IOE1 and IOE2 they agree with the script.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from advsp.metrics import metrics
from advsp.metrics.counts import FScore
from advsp.metrics.segments import sum_segments
from advsp.support.arrays import Array, Bools, Ints
from advsp.support.errors import InputError
from advsp.training.instances import ChainInstances, Instances

_OUTSIDE = ("O", "")
_TAG = re.compile(r"([BIES])-(.+)")


class Chunk(NamedTuple):
    """An entity of class ``name``: the tokens ``start:stop`` of its sentence."""

    name: str
    start: int
    stop: int


def chunks(tags: Sequence[str]) -> list[Chunk]:
    """Entities of one sentence, from left to right.

    Parameters
    ----------
    tags: each ``O``, or ``B-``, ``I-``, ``E-`` or ``S-`` and a class, in any order.

    Raises
    ------
    InputError: something else stands among the tags.
    """
    found: list[Chunk] = []
    prefix_before, name_before = _OUTSIDE
    for position, tag in enumerate(tags):
        prefix, name = _split(tag)
        if prefix in "IE" and prefix_before in "BI" and name == name_before:
            found[-1] = found[-1]._replace(stop=position + 1)
        elif prefix != "O":
            found.append(Chunk(name, position, position + 1))
        prefix_before, name_before = prefix, name
    return found


def entity_counts(
    predicted: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], classes: Iterable[str]
) -> dict[str, Ints]:
    """Counts of every class per sentence; chunks end where their sentence does.

    Parameters
    ----------
    predicted, gold: S sequences of tags each, as :func:`chunks` reads them; the schemes may differ.
    classes: the classes to count; entities of other classes are left out.

    Returns
    -------
    class -> int64 [S, 3], columns tp, fp, fn; :func:`advsp.metrics.counts.micro_average` unites them.

    Raises
    ------
    InputError: the sides differ in sentences or in the length of one, or a tag is none.
    """
    if len(predicted) != len(gold):
        raise InputError(f"{len(predicted)} predicted sentences stand against {len(gold)} gold sentences")
    tables = {name: np.zeros((len(gold), 3), dtype=np.int64) for name in classes}
    for sentence, (guess, truth) in enumerate(zip(predicted, gold)):
        if len(guess) != len(truth):
            raise InputError(
                f"sentence {sentence + 1} has {len(guess)} predicted tags and {len(truth)} gold tags"
            )
        guessed, true = set(chunks(guess)), set(chunks(truth))
        for column, group in enumerate((guessed & true, guessed - true, true - guessed)):
            for chunk in group:
                if chunk.name in tables:
                    tables[chunk.name][sentence, column] += 1
    return tables


@lru_cache(maxsize=1024)
def _split(tag: str) -> tuple[str, str]:
    """Prefix and class of a tag; the class ends at the end, hyphens included."""
    if tag == "O":
        return _OUTSIDE
    match = _TAG.fullmatch(tag)
    if match is None:
        raise InputError(
            f"{tag!r} is not a tag",
            hint="a tag is O, or B-, I-, E- or S- and a class, as in I-PER",
        )
    return match[1], match[2]


@metrics.register("entity_f1")
class EntityF1(FScore):
    """F1 over entities; tokens of a class that stand side by side are one entity, unless one begins there."""

    def counts(self, decided: Bools, instances: Instances, label: str, begins: Bools | None = None) -> Ints:
        assert isinstance(instances, ChainInstances)
        predicted = _stops(decided, begins, instances.offsets)
        gold = _gold_stops(instances, label)
        right = (predicted > 0) & (predicted == gold)
        events = np.stack([right, (predicted > 0) & ~right, (gold > 0) & ~right], axis=1)
        return sum_segments(events, instances.offsets)


def _stops(decided: Bools, begins: Bools | None, offsets: Ints) -> Ints:
    """Where the entity that starts at a token stops, int64 [T], 0 where none starts.

    Tokens ``decided`` bool [T] to be of one class are one entity where they stand side by side in a sentence,
    unless another one ``begins``.
    """
    apart = np.zeros(len(decided), dtype=bool)
    apart[offsets[:-1][np.diff(offsets) > 0]] = True
    apart[1:] |= ~decided[:-1]
    if begins is not None:
        apart |= begins
    starts = decided & apart
    # A token that is of no entity, or starts one, ends what was before it; as does the end of the text.
    ends = np.append(np.flatnonzero(~decided | starts), len(decided))
    stops = np.zeros(len(decided), dtype=np.int64)
    places = np.flatnonzero(starts)
    stops[places] = ends[np.searchsorted(ends, places, side="right")]
    return stops


def _gold_stops(instances: ChainInstances, label: str) -> Ints:
    """The same of the gold entities of a class."""
    names, starts, stops = _gold_chunks(_Itself(instances.gold), _Itself(instances.offsets))
    found = np.zeros(int(instances.offsets[-1]), dtype=np.int64)
    own = names == label
    found[starts[own]] = stops[own]
    return found


class _Itself:
    """Something that is recognised by what it is, not by its value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and self.value is other.value


@lru_cache(maxsize=4)
def _gold_chunks(gold: _Itself, offsets: _Itself) -> tuple[Array, Ints, Ints]:
    """Classes, first tokens and ends of all entities of S sentences, which every system is held against."""
    found = [
        (chunk.name, first + chunk.start, first + chunk.stop)
        for first, tags in zip(offsets.value[:-1].tolist(), gold.value, strict=True)
        for chunk in chunks(tags)
    ]
    names = np.array([name for name, _, _ in found], dtype=object)
    starts, stops = (np.array([chunk[k] for chunk in found], dtype=np.int64) for k in (1, 2))
    return names, starts, stops


@metrics.register("joint_entity_f1")
class JointEntityF1(EntityF1):
    """F1 over the entities of tokens of one class each, as conlleval finds them in the written file."""

    joint = True
