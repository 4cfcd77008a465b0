"""One section a YAML file: read, overridden from the command line, checked.

What is wrong is said in one sentence that names file, line and key, or the override at fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from advsp.support.errors import InputError
from advsp.support.problems import Problem, problems
from advsp.support.sections import Strict
from advsp.support.yaml_source import Place, Source, parse_value, read_yaml

S = TypeVar("S", bound=Strict)


def _as_checked(place: Place, source: Source) -> Place:
    return place


def load_section(
    kind: type[S],
    file: str | Path,
    overrides: Iterable[str] = (),
    written: Callable[[Place, Source], Place] = _as_checked,
    below: str | None = None,
) -> S:
    """Read, override and check a file that holds one ``kind``.

    Parameters
    ----------
    overrides: ``key=value`` with a dotted key, e.g. ``optimiser.passes=5``; the value is YAML.
    written: where in the file a value stands that was found wrong at a place, if that is another place.
    below: a key that the section stands below where the file has it, with others beside it.

    Raises
    ------
    InputError: naming file, line and key of what is wrong.
    """
    source = read_yaml(file)
    if not isinstance(source.value, dict):
        raise InputError("expected a mapping of keys to values", file=source.file, line=1)
    above = None
    if below is not None and isinstance(source.value.get(below), dict):
        source, above = source.part(below), below
    given = [_override(source, text) for text in overrides]
    try:
        return kind.model_validate(source.value)
    except ValidationError as error:
        found = [
            replace(p, place=place).as_written(source.written.get(place))
            for p in problems(error)
            for place in [written(p.place, source)]
        ]
        raise _explain(found, source, given, above) from None


def _override(source: Source, text: str) -> Place:
    """Apply one ``key=value`` in place; return where it went."""
    key, equals, raw = text.partition("=")
    place = tuple(key.strip().split("."))
    if not equals or not all(place):
        raise InputError(f"--set {text!r} is not of the form key=value", hint="e.g. --set optimiser.passes=5")
    inner: Any = source.value
    for depth, part in enumerate(place[:-1]):
        if inner.get(part) is None:
            inner[part] = {}
        inner = inner[part]
        if not isinstance(inner, dict):
            raise InputError(f"--set {text!r}: {'.'.join(place[: depth + 1])} is not a section")
    inner[place[-1]] = parse_value(raw)
    for other in [other for other in source.written if other[: len(place)] == place]:
        del source.written[other]
    source.written[place] = raw.strip()
    return place


def _explain(found: list[Problem], source: Source, given: list[Place], above: str | None) -> InputError:
    """The problem that stands first in the file as one sentence with its place, below a key ``above``."""
    first = min(found, key=lambda problem: source.line(problem.place) or 0)
    place, key = first.place, first.key
    if any(place[: len(g)] == g or g[: len(place)] == place for g in given if place):
        return InputError(first.text, key=f"--set {key}", hint=first.hint)
    whole = ".".join(filter(None, (above, key))) or None
    return InputError(first.text, file=source.file, line=source.line(place), key=whole, hint=first.hint)
