"""Normalisation: one text is written the way another is, by a list of named steps.

Words can only be counted in one text and looked up in another if both write them alike.  A step does one
thing to the words of a sentence:

===================== ========== ==========================================================================
lower                 spelling   lower case
accents               spelling   accents off; ``œ`` and ``æ`` become two letters
quotes                spelling   every double quotation mark is ``"``, every single one ``'``
brackets              spelling   the bracket names of treebanks (``-LRB-``) are brackets
hyphens               splitting  runs of hyphens are words of their own: ``sea - gull``
french-contractions   splitting  ``l'`` is ``le`` whatever follows, ``qu'`` is ``que``; ``du`` is ``de le``
english-contractions  splitting  ``keeper 's``; ``do not`` for ``don't``
thousands             joining    ``25 000`` is one word, ``25,000``
===================== ========== ==========================================================================

A *spelling* step leaves every word one word.  Only these fit a text whose words are counted by links, and
they are all it needs: how it is split is what the other text is to agree with.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain, groupby
from typing import TypeVar

from advsp.support.errors import InputError

#: The words of one sentence.
Words = tuple[str, ...]

SPELLING: dict[str, Callable[[str], str]] = {}
SPLITTING: dict[str, Callable[[str], Words]] = {}
JOINING: dict[str, Callable[[Words], Words]] = {}

F = TypeVar("F")


class Normaliser:
    """A list of steps, in the order in which they are taken.

    Attributes
    ----------
    steps: their names; the same step may be taken twice.

    Raises
    ------
    InputError: no step of that name; the nearest one is named.
    """

    def __init__(self, steps: Iterable[str] = ()) -> None:
        self.steps = tuple(steps)
        for step in self.steps:
            check_step(step)
        self._stages = _stages(self.steps)
        self._spell = _word_by_word([step for step in self.steps if step in SPELLING])

    def normalise(self, words: Words) -> Words:
        """The sentence after all steps; the number of its words may change."""
        for stage in self._stages:
            words = stage(words)
        return words

    def spell(self, words: Words) -> Words:
        """The sentence after the spelling steps alone; one word for each."""
        return self._spell(words)


class Unseen:
    """The words of one text that another one has not shown so far."""

    def __init__(self, sentences: Iterable[Words]) -> None:
        self._tokens = Counter(word for words in sentences for word in words)
        self._unseen = set(self._tokens)
        self._shown: set[str] = set()

    def see(self, words: Words) -> None:
        """A sentence of the other text."""
        self._unseen.difference_update(words)
        self._shown.update(words)

    @property
    def counts(self) -> dict[str, int]:
        """``tokens`` and ``types`` of the text, and how many of them are unseen.

        Of the unseen tokens ``alike_tokens`` are there in other case, or with other accents.
        """
        shown = {accents(lower(word)) for word in self._shown}
        alike = [word for word in self._unseen if accents(lower(word)) in shown]
        return {
            "alike_tokens": sum(self._tokens[word] for word in alike),
            "tokens": self._tokens.total(),
            "unseen_tokens": sum(self._tokens[word] for word in self._unseen),
            "types": len(self._tokens),
            "unseen_types": len(self._unseen),
        }


def step_names() -> list[str]:
    """Names of all steps."""
    return [*SPELLING, *SPLITTING, *JOINING]


def check_step(step: str) -> None:
    """Raise :class:`InputError` unless there is such a step."""
    known = step_names()
    if step not in known:
        nearest = difflib.get_close_matches(step, known, n=1)
        hint = f"did you mean {nearest[0]!r}?" if nearest else f"known: {', '.join(known)}"
        raise InputError(f"unknown normalisation step {step!r}", hint=hint)


def _stages(steps: Sequence[str]) -> list[Callable[[Words], Words]]:
    """Steps that look at one word at a time are taken together: their joint result is remembered."""
    stages: list[Callable[[Words], Words]] = []
    for joining, group in groupby(steps, key=JOINING.__contains__):
        stages += [JOINING[step] for step in group] if joining else [_word_by_word(list(group))]
    return stages


def _word_by_word(steps: Sequence[str]) -> Callable[[Words], Words]:
    @cache
    def rewrite(word: str) -> Words:
        words: Words = (word,)
        for step in steps:
            if step in SPELLING:
                words = tuple(map(SPELLING[step], words))
            else:
                words = tuple(new for old in words for new in SPLITTING[step](old))
        return words

    return lambda words: tuple(chain.from_iterable(map(rewrite, words)))


def _step(steps: dict[str, F], name: str) -> Callable[[F], F]:
    def add(function: F) -> F:
        steps[name] = function
        return function

    return add


# ---- spelling: a word to a word

_LIGATURES = str.maketrans({"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE"})
_QUOTES = str.maketrans(dict.fromkeys("«»“”„‟", '"') | dict.fromkeys("‘’‚‛`", "'"))
_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}


@_step(SPELLING, "lower")
def lower(word: str) -> str:
    """``Élève`` is ``élève``."""
    return word.lower()


@_step(SPELLING, "accents")
def accents(word: str) -> str:
    """``élève`` is ``eleve``; a word of nothing but accents stays."""
    letters = unicodedata.normalize("NFD", word.translate(_LIGATURES))
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", plain) or word


@_step(SPELLING, "quotes")
def quotes(word: str) -> str:
    r"""``«`` is ``"``, as are two single marks that are a word; ``’`` is ``'``."""
    plain = word.translate(_QUOTES)
    return '"' if plain == "''" else plain


@_step(SPELLING, "brackets")
def brackets(word: str) -> str:
    """``-LRB-`` is ``(``."""
    return _BRACKETS.get(word.lower(), word)


# ---- splitting: a word to one or more

_HYPHENS = re.compile(r"-+|[^-]+")
_ELIDED = re.compile(r"(qu|jusqu|lorsqu|puisqu|quoiqu|quelqu|presqu|[cdjlmnst])['’](.*)", re.IGNORECASE)
_TODAY = re.compile(r"(aujourd['’])(hui)", re.IGNORECASE)
_FUSED = {"du": ("de", "le"), "des": ("de", "les"), "au": ("à", "le"), "aux": ("à", "les")}
_NEGATED = re.compile(r"(are|could|did|do|does|had|has|have|is|might|must|need|should|was|were|would)n't")
_CLITIC = re.compile(r".+?('s|'ll|'re|'ve|(?<=\bi)'m|(?<=s)')")
_FULL = {"'ll": "will", "'re": "are", "'ve": "have", "'m": "am"}
_IRREGULAR = {"can't": ("cannot",), "won't": ("will", "not")}


@_step(SPLITTING, "hyphens")
def hyphens(word: str) -> Words:
    """``sea-gull`` is ``sea - gull``; a dash of several hyphens stays one word."""
    return tuple(_HYPHENS.findall(word))


@_step(SPLITTING, "french-contractions")
def french_contractions(word: str) -> Words:
    """``l'île`` is ``le île``, ``qu'il`` is ``que il``, ``aux`` is ``à les``.

    What was elided is the same word for every gender and reading: ``l'`` is ``le``, ``s'`` is ``se``.
    """
    if fused := _FUSED.get(word.lower()):
        return fused
    if today := _TODAY.fullmatch(word):
        return today.groups()
    if elided := _ELIDED.fullmatch(word):
        short, rest = elided.groups()
        return (f"{short.lower()}e", *(french_contractions(rest) if rest else ()))
    return (word,)


@_step(SPLITTING, "english-contractions")
def english_contractions(word: str) -> Words:
    """``keeper's`` is ``keeper 's``, ``don't`` is ``do not``, ``can't`` is ``cannot``."""
    small = word.lower().replace("’", "'")
    if small in _IRREGULAR:
        return _IRREGULAR[small]
    if _NEGATED.fullmatch(small):
        return word[: -len("n't")], "not"
    if clitic := _CLITIC.fullmatch(small):
        return word[: -len(clitic[1])], _FULL.get(clitic[1], clitic[1])
    return (word,)


# ---- joining: several words to one

_GROUP = re.compile(r"[0-9]{3}")
_FIRST_GROUP = re.compile(r"[1-9][0-9]{0,2}")


@_step(JOINING, "thousands")
def thousands(words: Words) -> Words:
    """``25 000 gulls`` is ``25,000 gulls``."""
    joined: list[str] = []
    open_number = False
    for word in words:
        if open_number and _GROUP.fullmatch(word):
            joined[-1] += f",{word}"
        else:
            joined.append(word)
            open_number = bool(_FIRST_GROUP.fullmatch(word))
    return tuple(joined)
