"""Tag schemes: how a column of tags says where the entities are.

====== ========================================================================================
io     ``I-X`` or the bare class ``X``; a run of one class is one entity
iob1   ``I-X``; ``B-X`` only where an entity of the same class ends just before
iob2   ``B-X`` at the first word of every entity, ``I-X`` at the others; also called ``bio``
bioes  ``B-X I-X ... E-X``, and ``S-X`` for an entity of one word
bmes   the same with ``M-X`` for ``I-X``
bilou  the same with ``L-X`` for ``E-X`` and ``U-X`` for ``S-X``
====== ========================================================================================

A scheme is declared, never guessed.  A tag can fail it in two ways:

* it is *foreign*: its prefix is not of the scheme, it has no ``PREFIX-`` at all (``NAME`` is never
  read as class ``ME``), or no class follows.  It has no reading; converting it is an error.
* it is *out of sequence* (``I-X`` after ``O`` in iob2, an entity of bioes without an end).  It has a
  reading, the one of the conlleval scorer: an entity begins at ``B-``, at ``S-``, after ``E-`` or
  ``S-``, and wherever the class changes.

:func:`violations` lists both kinds.  Inside the program all tags are IOB2, which keeps every boundary.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from advsp.support.errors import InputError

OUTSIDE = "O"

_PREFIXES = {"io": "I", "iob1": "BI", "iob2": "BI", "bioes": "BIES", "bmes": "BMES", "bilou": "BILU"}
_ALIASES = {"bio": "iob2"}
#: Schemes that are bioes under other letters, and what their letters are there.
LETTERS = {"bmes": {"M": "I"}, "bilou": {"L": "E", "U": "S"}}
#: Tags that are rather another way to write O, or a slip, than classes without a prefix.
_ODD = ("0", "o", "_", "-")


class Violation(NamedTuple):
    """A tag that does not fit its scheme: position in the sentence, the tag, and what is wrong."""

    position: int
    tag: str
    why: str


def canonical(scheme: str) -> str:
    """The scheme's own name (``bio`` is ``iob2``); :class:`InputError` if there is no such scheme."""
    name = _ALIASES.get(scheme, scheme)
    if name not in _PREFIXES:
        raise InputError(
            f"unknown tag scheme {scheme!r}", hint="known: io, iob1, iob2 (bio), bioes, bmes, bilou"
        )
    return name


def odd(tag: str) -> bool:
    """Whether a tag of ``io`` is probably no class.

    >>> [odd(tag) for tag in ("0", "PER, LOC", "PER", "O")]
    [True, True, False, False]
    """
    return tag in _ODD or any(letter in tag for letter in ", \u00a0")


@cache
def foreign(tag: str, scheme: str) -> str | None:
    """Why ``tag`` is not of ``scheme`` at all, or None if it is."""
    scheme = canonical(scheme)
    prefixes = _PREFIXES[scheme]
    if tag == OUTSIDE:
        return None
    if tag[1:2] != "-":
        if scheme == "io" and tag:
            return None
        return f"has no prefix; {scheme} has O, {', '.join(f'{p}-CLASS' for p in prefixes)}"
    if tag[0] not in prefixes:
        return f"has the prefix {tag[0]}-; {scheme} has O, {', '.join(f'{p}-CLASS' for p in prefixes)}"
    if len(tag) == 2:
        return "has no class after its prefix"
    return None


def violations(tags: Sequence[str], scheme: str) -> list[Violation]:
    """The tags of one sentence that do not fit ``scheme``: foreign ones and those out of sequence.

    What follows a foreign tag is judged as if it were ``O``.  An entity that bioes leaves open at
    the end of the sentence is reported at the last tag.
    """
    scheme = canonical(scheme)
    letters = LETTERS.get(scheme, {})
    found = []
    before = (OUTSIDE, "")
    for position, tag in enumerate(tags):
        why = foreign(tag, scheme)
        now = (OUTSIDE, "") if why else _split(tag, letters)
        why = why or _out_of_sequence(before, now, "bioes" if letters else scheme)
        if why:
            found.append(Violation(position, tag, why))
        before = now
    if (scheme == "bioes" or letters) and before[0] in ("B", "I"):
        found.append(Violation(len(tags) - 1, tags[-1], "leaves its entity open at the end of the sentence"))
    return found


def to_iob2(tags: Sequence[str], scheme: str) -> tuple[str, ...]:
    """The tags of one sentence in IOB2; out of sequence, they are read as conlleval reads them.

    Raises
    ------
    InputError: a tag that is not of ``scheme`` at all.
    """
    letters = LETTERS.get(canonical(scheme), {})
    converted = []
    previous_prefix, previous_class = OUTSIDE, ""
    for tag in tags:
        why = foreign(tag, scheme)
        if why:
            raise InputError(f"tag {tag!r} {why}")
        prefix, entity_class = _split(tag, letters)
        if prefix == OUTSIDE:
            converted.append(OUTSIDE)
        else:
            begins = prefix in "BS" or previous_prefix in "ES" or entity_class != previous_class
            converted.append(f"{'B' if begins else 'I'}-{entity_class}")
        previous_prefix, previous_class = prefix, entity_class
    return tuple(converted)


def _split(tag: str, letters: Mapping[str, str]) -> tuple[str, str]:
    """(prefix, class) of a tag that is not foreign to its scheme; a bare class counts as inside.

    letters: what prefixes are that bioes has under other letters.
    """
    if tag == OUTSIDE:
        return OUTSIDE, ""
    return (letters.get(tag[0], tag[0]), tag[2:]) if tag[1:2] == "-" else ("I", tag)


def _out_of_sequence(before: tuple[str, str], now: tuple[str, str], scheme: str) -> str | None:
    """Why the tag ``now`` may not follow the tag ``before``, both as (prefix, class)."""
    prefix, entity_class = now
    if scheme == "iob1":
        if prefix == "B" and before[1] != entity_class:
            return "splits off an entity where none of its class ends just before"
    elif scheme in ("iob2", "bioes"):
        open_class = before[1] if before[0] in ("B", "I") else None
        if prefix in ("I", "E"):
            if open_class != entity_class:
                return "continues an entity that was not begun"
        elif scheme == "bioes" and open_class is not None:
            return "stands where the entity before it has not ended"
    return None
