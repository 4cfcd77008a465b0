"""How alike two words are written; case never matters."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from advsp.corpora.tokens import Words, accents, lower
from advsp.features.bitext.evidence import Evidence
from advsp.features.bitext.groups import Columns, groups
from advsp.support.arrays import Bools

_SHORT = 4  # a word of fewer letters is short
_VOWELS = re.compile("[aeiou]")


@groups.register("orthography")
def orthography(evidence: Evidence) -> Columns:
    """Whether two words are the same, as they stand, without accents, and without accents and vowels;
    the length of their longest common subsequence as a share of the longer one; whether both are short.
    """
    source, target = evidence.source, evidence.target
    short = [np.array([len(word) < _SHORT for word in words]) for words in (source, target)]
    return {
        "same word": _same(source, target, lower),
        "same without accents": _same(source, target, plain),
        "same without vowels": _same(source, target, consonants),
        "common letters": np.array([[common_letters(plain(e), plain(f)) for f in target] for e in source]),
        "both short": np.logical_and.outer(*short),
    }


@lru_cache(maxsize=1 << 16)
def plain(word: str) -> str:
    """``Été`` is ``ete``."""
    return accents(lower(word))


def consonants(word: str) -> str:
    """``Opéra`` is ``pr``; a word of nothing but vowels stays, so that not all of them are the same."""
    return _VOWELS.sub("", plain(word)) or plain(word)


@lru_cache(maxsize=1 << 18)
def common_letters(first: str, second: str) -> float:
    """Length of the longest common subsequence over that of the longer word."""
    return longest_common_subsequence(first, second) / max(len(first), len(second))


def longest_common_subsequence(first: str, second: str) -> int:
    """Its length; all lengths for prefixes of ``first`` at once, as bits (Hyyrö 2004).

    >>> longest_common_subsequence("gull", "goeland")
    2
    """
    places: dict[str, int] = {}
    for place, letter in enumerate(first):
        places[letter] = places.get(letter, 0) | 1 << place
    everywhere = (1 << len(first)) - 1
    # A place whose bit is off is one at which the subsequence grows by a letter.
    flat = everywhere
    for letter in second:
        found = flat & places.get(letter, 0)
        flat = (flat + found | flat - found) & everywhere
    return len(first) - flat.bit_count()


def _same(source: Words, target: Words, spelling: Callable[[str], str]) -> Bools:
    """Whether words are written alike in a spelling, bool [n, m]."""
    left, right = (np.array([spelling(word) for word in words], dtype=object) for words in (source, target))
    same: Bools = left[:, None] == right
    return same
