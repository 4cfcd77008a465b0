"""Word shape ``chris2useLC`` of Stanford NER: what a word looks like, in a few symbols."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

_GREEK = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "omicron",
    "rho",
    "sigma",
    "tau",
    "upsilon",
    "omega",
]
_SYMBOL = re.compile("|".join([*_GREEK, "."]), re.DOTALL)
_LETTERS = frozenset("xX")
_SHORT = 4


@lru_cache(maxsize=1 << 17)
def word_shape(word: str) -> str:
    """The shape without regard to known words.

    Every character becomes a symbol: ``d`` a digit, ``x`` a lower-case letter, ``X`` an upper-case or
    title-case one, itself otherwise; the name of a Greek letter in lower case becomes one ``g``.  In a
    word of more than four characters, the symbols that begin after its second character and before its
    last two are replaced by the distinct ones among them, by code points.

    >>> word_shape("McDonald"), word_shape("1996-08-22"), word_shape("sigma")
    ('XxXxxx', 'dd-ddd', 'g')
    """
    symbols = [(match.start(), _symbol(match.group())) for match in _SYMBOL.finditer(word)]
    if len(word) <= _SHORT:
        return "".join(symbol for _, symbol in symbols)
    last = len(word) - 2
    head = [symbol for start, symbol in symbols if start < 2]
    middle = {symbol for start, symbol in symbols if 2 <= start < last}
    tail = [symbol for start, symbol in symbols if start >= last]
    return "".join([*head, *sorted(middle), *tail])


def known_word_shape(word: str, known: Collection[str]) -> str:
    """The shape, with ``k`` after it if the word is all letters and ``known`` has it in lower case.

    >>> known_word_shape("The", {"the"}), known_word_shape("The", set())
    ('Xxxk', 'Xxx')
    """
    shape = word_shape(word)
    return shape + "k" if _LETTERS.issuperset(shape) and word.lower() in known else shape


def becomes_known(word: str) -> bool:
    """Whether ``word``, once read, is a known lower-case word: its first character is lower-case."""
    return word[:1].islower()


def _symbol(text: str) -> str:
    """The symbol of a Greek name or of one character."""
    if len(text) > 1:
        return "g"
    if text.isdecimal():
        return "d"
    if text.islower():
        return "x"
    if text.isupper() or text.istitle():
        return "X"
    return text
