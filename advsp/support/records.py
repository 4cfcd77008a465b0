"""JSON files of ours, read strictly: what is missing or of another kind is named with its place."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, TypeVar

from advsp.support.errors import InputError

#: What JSON can say.
Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"

V = TypeVar("V")

#: What is expected in a file, in words.
_WORDS = {str: "text", int: "a whole number", float: "a number with a decimal point", list: "a list"}


def read_json(path: Path) -> Json:
    """A JSON file of ours.

    Raises
    ------
    InputError: missing or not JSON.
    """
    return _parsed(_text(path), path)


def read_json_lines(path: Path) -> list[Json]:
    """A file of ours with one JSON value a line.

    Raises
    ------
    InputError: missing, or a line that is not JSON.
    """
    lines = _text(path).splitlines()
    return [_parsed(line, path, number) for number, line in enumerate(lines, start=1)]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError("no such file", file=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    except UnicodeDecodeError as error:
        raise InputError(f"not JSON: {error}", file=path) from None


def _parsed(text: str, path: Path, line: int | None = None) -> Json:
    try:
        value: Json = json.loads(text)
    except ValueError as error:
        raise InputError(f"not JSON: {error}", file=path, line=line) from None
    return value


class Fields:
    """The fields of one JSON object.

    Every method raises :class:`InputError` where a field is missing or of another kind; it names the file and
    the field.

    Parameters
    ----------
    value: what should be an object.
    file: where it stands.
    hint: how to mend the file.
    place: the keys that lead to the object, with dots between them.
    """

    def __init__(self, value: Json, file: Path, hint: str | None = None, place: str = "") -> None:
        self._file, self._hint, self._place = file, hint, place
        if not isinstance(value, Mapping):
            raise self._error(place, f"found {reprlib.repr(value)}, expected an object")
        self._value = value

    @classmethod
    def of_file(cls, path: Path, hint: str | None = None) -> Fields:
        """Those of a file that holds one object."""
        return cls(read_json(path), path, hint)

    def __contains__(self, key: str) -> bool:
        return key in self._value

    def only(self, known: Iterable[str]) -> None:
        """Refuse fields of other names."""
        unknown = [key for key in self._value if key not in known]
        if unknown:
            raise self._error(self._inner(unknown[0]), "unknown field")

    def value(self, key: str) -> Json:
        """Whatever the field holds."""
        if key not in self._value:
            raise self._error(self._inner(key), "is missing")
        return self._value[key]

    def text(self, key: str) -> str:
        """A string."""
        return self._checked(self.value(key), str, key)

    def whole(self, key: str) -> int:
        """A whole number."""
        return self._checked(self.value(key), int, key)

    def number(self, key: str) -> float:
        """A number with a decimal point, as all scores have one."""
        return self._checked(self.value(key), float, key)

    def number_or_none(self, key: str) -> float | None:
        """Such a number, or null."""
        return None if self.value(key) is None else self.number(key)

    def one_of(self, key: str, known: Sequence[V]) -> V:
        """One of the values that there are."""
        found = self.value(key)
        for value in known:
            if value == found:
                return value
        expected = ", ".join(map(str, known))
        raise self._error(self._inner(key), f"found {reprlib.repr(found)}, expected one of {expected}")

    def fields(self, key: str) -> Fields:
        """The fields of an object."""
        return Fields(self.value(key), self._file, self._hint, self._inner(key))

    # --- lists ----------------------------------------------------------------------------------------

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings."""
        return self._list(self.value(key), key, lambda item, place: self._checked(item, str, place))

    def pair_of_texts(self, key: str) -> tuple[str, str]:
        """A list of two strings."""
        found = self.texts(key)
        if len(found) != 2:
            raise self._error(self._inner(key), f"found {reprlib.repr(found)}, expected two of them")
        return found[0], found[1]

    def numbers(self, key: str) -> tuple[float, ...]:
        """A list of numbers with a decimal point."""
        return self._list(self.value(key), key, lambda item, place: self._checked(item, float, place))

    def wholes(self, key: str) -> tuple[int, ...]:
        """A list of whole numbers."""
        return self._wholes(self.value(key), key)

    def rows_of_wholes(self, key: str) -> tuple[tuple[int, ...], ...]:
        """A list of such lists."""
        return self._list(self.value(key), key, self._wholes)

    def each(self, key: str) -> tuple[Fields, ...]:
        """The fields of every object of a list."""

        def inner(item: Json, place: str) -> Fields:
            return Fields(item, self._file, self._hint, self._inner(place))

        return self._list(self.value(key), key, inner)

    # --- objects of like values -----------------------------------------------------------------------

    def values(self) -> dict[str, Json]:
        """All fields as they are, by name."""
        return dict(self._value)

    def all_texts(self) -> dict[str, str]:
        """All fields, which are strings, by name."""
        return {key: self.text(key) for key in self._value}

    def all_numbers(self) -> dict[str, float]:
        """All fields, which are numbers with a decimal point, by name."""
        return {key: self.number(key) for key in self._value}

    def all_fields(self) -> dict[str, Fields]:
        """All fields, which are objects, by name."""
        return {key: self.fields(key) for key in self._value}

    # --- what all of them share -----------------------------------------------------------------------

    def _wholes(self, value: Json, key: str) -> tuple[int, ...]:
        return self._list(value, key, lambda item, place: self._checked(item, int, place))

    def _list(self, value: Json, key: str, read: Callable[[Json, str], V]) -> tuple[V, ...]:
        items: list[Json] = self._checked(value, list, key)
        return tuple(read(item, f"{key}.{number}") for number, item in enumerate(items))

    def _checked(self, value: Json, kind: type[V], key: str) -> V:
        # True and false are whole numbers to Python alone.
        if not isinstance(value, kind) or isinstance(value, bool):
            problem = f"found {reprlib.repr(value)}, expected {_WORDS[kind]}"
            raise self._error(self._inner(key), problem)
        return value

    def _inner(self, key: str) -> str:
        return f"{self._place}.{key}" if self._place else key

    def _error(self, place: str, problem: str) -> InputError:
        return InputError(problem, file=self._file, key=place or None, hint=self._hint)
