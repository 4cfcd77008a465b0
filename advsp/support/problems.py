"""What is wrong with a section of a configuration, in words: those of the file, not those of the program."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

from advsp.support.errors import InputError
from advsp.support.yaml_source import Place

#: What a problem found that says in words what is wrong.
NOTHING_FOUND = object()

#: Type of the errors that already say in words what is wrong.
_IN_WORDS = "misfit"

#: What is expected where pydantic's own words speak of the program rather than of the file.
_EXPECTED = {
    "string_pattern_mismatch": "letters, digits and . _ + - only, a letter or digit first",
    "too_short": "at least one entry",
    "model_type": "a section of keys and values",
    "model_attributes_type": "a section of keys and values",
    "dict_type": "a section of keys and values",
    "mapping_type": "a section of keys and values",
    "list_type": "a list",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "string_type": "text",
}


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong.

    Attributes
    ----------
    place: the keys that lead to it, from the top of what was checked.
    text: what was found, and what was expected.
    hint: how to mend it.
    found: what stands there, where the text says that; anything else is as :data:`NOTHING_FOUND`.
    expected: what was expected there.
    """

    place: Place
    text: str
    hint: str | None
    found: object = field(default=NOTHING_FOUND, compare=False, repr=False)
    expected: str = field(default="", compare=False, repr=False)

    def as_written(self, written: str | None) -> Problem:
        """The same in the words of the file, where what is ``written`` there without quotes was no text."""
        if self.found is NOTHING_FOUND or written is None or isinstance(self.found, str):
            return self
        hint = (
            f'in quotes it is text: "{written}"' if self.expected == _EXPECTED["string_type"] else self.hint
        )
        shown = written or "nothing"
        return replace(self, text=f"found {shown}, expected {self.expected}", hint=hint)

    @property
    def key(self) -> str | None:
        """The place as a dotted key."""
        return ".".join(map(str, self.place)) or None

    def as_error(self) -> InputError:
        """The problem as an error of its key."""
        return InputError(self.text, key=self.key, hint=self.hint)


def misfit(text: str, *key: str | int, hint: str | None = None) -> PydanticCustomError:
    """The error for a value that does not fit; raised while a section is checked.

    Parameters
    ----------
    text: what is wrong.
    key: the keys that lead to the value from the section that is checked; none for the section itself.
    hint: how to mend it.
    """
    return PydanticCustomError(_IN_WORDS, "{text}", {"text": text, "key": key, "hint": hint})


def unknown_key(key: str, known: Iterable[str], *above: str) -> PydanticCustomError:
    """The error for a key that does not exist; it names the nearest one that does.

    Parameters
    ----------
    above: the keys that lead to the section that has it, from the one that is checked.
    """
    known = list(known)
    nearest = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"known: {', '.join(known)}"
    return misfit("unknown key", *above, key, hint=hint)


def problems(error: ValidationError) -> list[Problem]:
    """All problems of a failed validation, in their order."""
    return [_problem(found) for found in error.errors()]


def first_problem(error: ValidationError) -> Problem:
    """The first problem of a failed validation."""
    return problems(error)[0]


def _problem(error: Mapping[str, Any]) -> Problem:
    context = error.get("ctx", {})
    # pydantic marks a key that is itself at fault.
    place = tuple(part for part in error["loc"] if part != "[key]")
    place, hint = (*place, *context.get("key", ())), context.get("hint")
    kind, message = error["type"], str(error["msg"])
    if kind == "missing":
        return Problem(place, "is missing", hint)
    if kind == _IN_WORDS:
        return Problem(place, message, hint)
    expected = _EXPECTED.get(kind) or message.removeprefix("Input should be ").removeprefix("a valid ")
    found = error.get("input")
    return Problem(place, f"found {found!r}, expected {expected}", hint, found, expected)
