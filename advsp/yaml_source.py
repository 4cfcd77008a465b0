"""YAML as a person means it: numbers are numbers, a key stands once, and every key knows its line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from advsp.errors import InputError

#: A place in nested mappings and lists, from the top: ``("optimiser", "step")``.
Place = tuple[str | int, ...]


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the floats of YAML 1.2: ``1e-3`` is a number."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:float"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float",
    re.compile(r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?$|[-+]?\.(inf|Inf|INF)$"),
    list("-+.0123456789"),
)


@dataclass
class Source:
    """A parsed YAML document.

    Attributes
    ----------
    value: what it holds.
    file: where it was read.
    lines: line (from 1) of every key and list item.
    """

    value: Any
    file: Path
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, path: Place) -> int | None:
        """Line of the innermost part of ``path`` that the file has."""
        while path:
            if path in self.lines:
                return self.lines[path]
            path = path[:-1]
        return None


def read_yaml(file: str | Path) -> Source:
    """Read one YAML document.

    Raises
    ------
    InputError: no such file, not UTF-8, not YAML, or a key that stands twice in one mapping.
    """
    file = Path(file)
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError("no such file", file=file) from None
    except IsADirectoryError:
        raise InputError("is a folder, expected a YAML file", file=file) from None
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start} is not UTF-8", file=file) from None
    source = Source(None, file)
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is not None:
            _visit(node, (), source)
            source.value = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise InputError(f"not YAML: {error.problem or error.context}", file=file, line=line) from None
    finally:
        loader.dispose()
    return source


def parse_value(text: str) -> Any:
    """The value of a ``key=value`` given on the command line, read as YAML.

    Raises
    ------
    InputError: not YAML.
    """
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a subclass of SafeLoader
    except yaml.YAMLError as error:
        raise InputError(f"the value {text!r} is not YAML: {getattr(error, 'problem', error)}") from None


def _visit(node: yaml.Node, path: Place, source: Source) -> None:
    """Note the lines of all keys below ``node``; refuse a key that stands twice."""
    if isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        for key, value in node.value:
            line = key.start_mark.line + 1
            if key.value in seen:
                raise InputError(
                    f"the key stands twice, first on line {seen[key.value]}",
                    file=source.file,
                    line=line,
                    key=".".join(map(str, (*path, key.value))),
                    hint="keep one of them",
                )
            seen[key.value] = line
            source.lines[(*path, key.value)] = line
            _visit(value, (*path, key.value), source)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            source.lines[(*path, index)] = item.start_mark.line + 1
            _visit(item, (*path, index), source)
