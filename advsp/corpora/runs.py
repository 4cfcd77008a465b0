"""Classes of tokens as arrays, and as tags of a scheme: what entities are there is kept, and nothing else.

Where a class follows on itself, ``begins`` says whether a new entity begins; elsewhere one does in any case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from advsp.corpora import schemes
from advsp.support.arrays import Bools, Ints


class Runs(NamedTuple):
    """The entities of sentences laid end to end.

    Attributes
    ----------
    classes: int64 [T], number of the class of every token, -1 for none.
    begins: bool [T], whether an entity begins at a token.
    """

    classes: Ints
    begins: Bools


def of_masks(masks: Mapping[str, Bools], offsets: Ints, begins: Mapping[str, Bools] | None = None) -> Runs:
    """Tokens of one class that stand side by side are one entity, unless another one begins there.

    Parameters
    ----------
    masks: class to bool [T], no token of two.
    offsets: int64 [S + 1]; sentence ``s`` owns the tokens ``offsets[s]:offsets[s + 1]``.
    begins: class to bool [T], whether an entity begins at a token of the class; none does by default.
    """
    table = np.stack(list(masks.values()))
    first = np.zeros(table.shape[1], dtype=bool)
    for label, found in (begins or {}).items():
        first |= masks[label] & found
    return _runs(np.where(table.any(axis=0), table.argmax(axis=0), -1), first, offsets)


def of_tags(tags: Sequence[Sequence[str]], names: Sequence[str], offsets: Ints) -> Runs:
    """The entities of some classes, of S sentences in IOB2; those of other classes are left out."""
    flat = [tag for sentence in tags for tag in sentence]
    numbers = {name: number for number, name in enumerate(names)}
    classes = np.array([numbers.get(tag[2:], -1) for tag in flat], dtype=np.int64)
    return _runs(classes, np.array([tag[0] == "B" for tag in flat], dtype=bool), offsets)


def _runs(classes: Ints, begins: Bools, offsets: Ints) -> Runs:
    follows = np.zeros(len(classes), dtype=bool)
    follows[1:] = classes[1:] == classes[:-1]
    follows[offsets[:-1][np.diff(offsets) > 0]] = False
    return Runs(classes, (classes >= 0) & (begins | ~follows))


def to_tags(runs: Runs, names: Sequence[str], offsets: Ints, scheme: str) -> list[str]:
    """Tags [T] in a scheme; ``io`` does not part neighbours of one class.

    Parameters
    ----------
    names: of the classes, by number.
    offsets: int64 [S + 1], the tokens of the sentences.

    Raises
    ------
    InputError: there is no such scheme.

    Examples
    --------
    >>> runs = Runs(np.array([0, 0, -1, 0]), np.array([True, True, False, True]))
    >>> to_tags(runs, ["PER"], np.array([0, 4]), "iob1"), to_tags(runs, ["PER"], np.array([0, 4]), "bioes")
    (['I-PER', 'B-PER', 'O', 'I-PER'], ['S-PER', 'S-PER', 'O', 'S-PER'])
    """
    scheme = schemes.canonical(scheme)
    letters = {bioes: own for own, bioes in schemes.LETTERS.get(scheme, {}).items()}
    prefixes = _PREFIXES["bioes" if letters else scheme](runs, offsets)
    written = np.array(
        [
            schemes.OUTSIDE,
            *(f"{letters.get(prefix, prefix)}-{name}" for name in names for prefix in _LETTERS),
        ],
        dtype=object,
    )
    places = 1 + len(_LETTERS) * runs.classes + prefixes
    tags: list[str] = written[np.where(runs.classes < 0, 0, places)].tolist()
    return tags


_LETTERS = "IBES"


def _inside(runs: Runs, offsets: Ints) -> Ints:
    return np.zeros(len(runs.classes), dtype=np.int64)


def _begun(runs: Runs, offsets: Ints) -> Ints:
    return runs.begins.astype(np.int64)


def _parted(runs: Runs, offsets: Ints) -> Ints:
    """B only where an entity of the same class ends just before."""
    apart = _runs(runs.classes, np.zeros(len(runs.classes), bool), offsets).begins
    return (runs.begins & ~apart).astype(np.int64)


def _begun_and_ended(runs: Runs, offsets: Ints) -> Ints:
    goes_on = np.zeros(len(runs.classes), dtype=bool)
    goes_on[:-1] = (runs.classes[1:] >= 0) & ~runs.begins[1:]
    return np.where(runs.begins, np.where(goes_on, 1, 3), np.where(goes_on, 0, 2))


#: Scheme to the places of the prefixes of all tokens in ``_LETTERS``.
_PREFIXES = {"io": _inside, "iob1": _parted, "iob2": _begun, "bioes": _begun_and_ended}
