"""What may stand around every sentence of a file: tags of SGML, or numbers in front.

========= ==========================================================================
sgml      ``<s snum=0001> the house </s>``, ``<seg id="1">the house</seg>``
numbered  ``1 the house``, ``0001<TAB>the house``; numbers that ascend
none      nothing: all that stands in a line are words
========= ==========================================================================

A wrapper is declared.  Where none is, a file whose every line carries one is refused: its words would be
counted from the wrong place.  A number at the beginning of some lines alone is a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, get_args

from advsp.support.errors import InputError

Wrapper = Literal["sgml", "numbered", "none"]
WRAPPERS: tuple[Wrapper, ...] = get_args(Wrapper)

_SGML = re.compile(r"[ \t]*<(s|seg)([ \t][^<>]*)?>(.*)</\1>[ \t]*", re.IGNORECASE)
_NUMBERED = re.compile(r"[ \t]*([0-9]+)[ \t]+(.*)")
#: Fewer lines may begin with numbers by chance.
_FEWEST = 2


def unwrapped(
    lines: Iterable[str], wrapper: Wrapper | None, path: Path, *, numbers: bool = True
) -> Iterator[str]:
    """The sentences of a file, without what stands around them.

    Parameters
    ----------
    wrapper: what was declared; None if nothing was.
    numbers: whether numbers in front are looked for where nothing was declared.

    Raises
    ------
    InputError: a line without the declared wrapper; where none is declared, at the end of the file: every
        line carries one.
    """
    if wrapper is None:
        return _watched(lines, path, numbers)
    if wrapper == "none":
        return iter(lines)
    return _stripped(lines, wrapper, path)


def _stripped(lines: Iterable[str], wrapper: Wrapper, path: Path) -> Iterator[str]:
    form, group = (_SGML, 3) if wrapper == "sgml" else (_NUMBERED, 2)
    expected = "<s> ... </s>" if wrapper == "sgml" else "a number and the sentence"
    for number, line in enumerate(lines, 1):
        found = form.fullmatch(line)
        # A number alone is that of an empty sentence.
        if found is None and wrapper == "numbered" and line.strip().isdecimal():
            yield ""
            continue
        if found is None:
            raise InputError(
                f"found {_short(line)!r}, expected {expected}",
                file=path,
                line=number,
                hint=f"wrapper: {wrapper} is declared; wrapper: none takes lines as they are",
            )
        yield found[group]


class _Watch:
    """Looks at line after line; what stood around all of them is ``found``.

    Parameters
    ----------
    numbers: whether numbers in front are looked for, too.
    """

    def __init__(self, numbers: bool = True) -> None:
        self._numbers, self._tagged, self._words = numbers, True, False
        self._count, self._last = 0, -1

    def see(self, line: str) -> None:
        """The next line."""
        self._count += 1
        self._tagged = self._tagged and _SGML.fullmatch(line) is not None
        if self._numbers:
            found = _NUMBERED.fullmatch(line)
            number = found[1] if found else line.strip()
            self._numbers = number.isdecimal() and int(number) > self._last
            self._last = int(number) if self._numbers else self._last
            # Numbers alone are no sentences with numbers.
            self._words = self._words or found is not None

    @property
    def found(self) -> Wrapper | None:
        """What stood around every line so far, if anything did."""
        if self._count and self._tagged:
            return "sgml"
        return "numbered" if self._numbers and self._words and self._count >= _FEWEST else None


def wrapper_of(lines: Iterable[str]) -> Wrapper | None:
    """What stands around every one of some lines, if anything does."""
    watch = _Watch()
    for line in lines:
        watch.see(line)
    return watch.found


def _watched(lines: Iterable[str], path: Path, numbers: bool) -> Iterator[str]:
    """The lines as they are; refused at their end if all of them were wrapped."""
    watch = _Watch(numbers)
    for line in lines:
        watch.see(line)
        yield line
    if (wrapper := watch.found) is not None:
        tagged = wrapper == "sgml"
        what = "stands in tags, <s> ... </s>" if tagged else "begins with a number, one higher than the other"
        raise InputError(
            f"every line {what}",
            file=path,
            line=1,
            hint=f"wrapper: {wrapper} takes that off; wrapper: none takes lines as they are",
        )


def _short(line: str) -> str:
    return line if len(line) <= 40 else f"{line[:40]}..."
