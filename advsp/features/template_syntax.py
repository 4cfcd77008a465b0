"""Feature templates as CRF++ writes them: ``%x[-1,0]/%x[0,1]``.

``%x[ROW,COLUMN]`` stands for what a column has ROW tokens on, 0 the token itself.  COLUMN is a number, 0 for
the word and 1, 2, ... for the further columns of the corpus in their order, or a name: ``%x[0,word]``,
``%x[1,pos]``.  All else stands for itself.  A template makes one feature a token, named by the template and
by what it reads; templates that begin with ``B`` make features of the transition into the token, as in CRF++,
all others of the token.  Outside the sentence there is :data:`OUTSIDE`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from advsp.features.templates import Pattern, Value
from advsp.support.errors import InputError

#: What is read before the first token and behind the last one.
OUTSIDE = "_B"
#: The column of the word.
WORD = "word"
#: Tokens that a template reaches at most.
_FARTHEST = 20

_PLACE = re.compile(r"%x\[\s*([^\[\],]*?)\s*,\s*([^\[\],]*?)\s*\]")


def parse_template(text: str, columns: Sequence[str]) -> Pattern:
    """The template that a text stands for.

    Parameters
    ----------
    columns: names of the further columns of the corpus.

    Raises
    ------
    InputError: nothing is read, or something that there is not.

    Examples
    --------
    >>> parse_template("%x[-1,0]/%x[0,pos]", ["pos"]).names(("the", "NN"))
    ('%x[-1,0]/%x[0,pos]=the/NN',)
    """
    values = tuple(_value(text, row, column, columns) for row, column in _PLACE.findall(text))
    rest = _PLACE.sub("", text)
    if "%x" in rest:
        raise InputError(f"template {text!r}: expected %x[ROW,COLUMN]", hint="for example %x[-1,0]")
    if not values:
        hint = "%x[0,0] is the word, %x[-1,0] the one before it"
        raise InputError(f"template {text!r} reads nothing", hint=hint)
    shown = _PLACE.sub("%s", text.replace("%", "%%").replace("%%x[", "%x["))
    return Pattern(f"{text.replace('%', '%%')}={shown}", values)


def of_transition(text: str) -> bool:
    """Whether a template is of the transition into a token."""
    return text.startswith("B")


def column_template(column: str, offset: int) -> Pattern:
    """What a column has so many tokens on.

    >>> column_template("pos", -1).names(("NN",))
    ('pos[-1]=NN',)
    """
    return Pattern(f"{column}[{offset}]=%s", (Value(column, offset, OUTSIDE),))


def _value(text: str, row: str, column: str, columns: Sequence[str]) -> Value:
    if not re.fullmatch(r"[+-]?[0-9]{1,3}", row) or abs(int(row)) > _FARTHEST:
        problem = f"template {text!r}: found row {row!r}, expected a number from -{_FARTHEST} to {_FARTHEST}"
        raise InputError(problem)
    names = (WORD, *columns)
    if column.isdecimal() and int(column) < len(names):
        return Value(names[int(column)], int(row), OUTSIDE)
    if column in names:
        return Value(column, int(row), OUTSIDE)
    known = ", ".join(f"{number} or {name}" for number, name in enumerate(names))
    nearest = difflib.get_close_matches(column, names, n=1)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"known: {known}"
    raise InputError(f"template {text!r}: the corpus has no column {column!r}", hint=hint)
