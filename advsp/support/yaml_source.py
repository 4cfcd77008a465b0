"""YAML as a person means it: numbers are numbers, a key stands once, and every key knows its line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from advsp.support.errors import InputError

#: A place in nested mappings and lists, from the top: ``("optimiser", "step")``.
Place = tuple[str | int, ...]


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader with the words and numbers of YAML 1.2: ``1e-3`` is a number, ``NO`` a word."""


#: Tag, form and first characters of the plain scalars that are not text (YAML 1.2, core schema).
_SCALARS = (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    (
        "float",
        r"[-+]?(\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)",
        list("-+.0123456789"),
    ),
    # Of YAML 1.1, and widely used: the keys of another mapping.
    ("merge", r"<<", ["<"]),
)
_Loader.yaml_implicit_resolvers = {}
for _tag, _form, _first in _SCALARS:
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_form})$"), _first)


def _whole_number(loader: _Loader, node: yaml.ScalarNode) -> int:
    """A whole number; a leading zero does not make it octal."""
    text = node.value
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)


_Loader.add_constructor("tag:yaml.org,2002:int", _whole_number)


#: The tag of a key whose value is merged.
_MERGE = "tag:yaml.org,2002:merge"


@dataclass
class Source:
    """A parsed YAML document.

    Attributes
    ----------
    value: what it holds.
    file: where it was read; None for text from the command line.
    lines: line (from 1) of every key and list item.
    written: every value without quotes as it is written, whatever it is taken for.
    """

    value: Any
    file: Path | None
    lines: dict[Place, int] = field(default_factory=dict)
    written: dict[Place, str] = field(default_factory=dict)

    def part(self, key: str) -> Source:
        """The document below a key, whose lines are those of the whole."""
        lines = {place[1:]: line for place, line in self.lines.items() if place[0] == key}
        written = {place[1:]: text for place, text in self.written.items() if place[0] == key}
        return Source(self.value[key], self.file, lines, written)

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
    source.value = _parse(text, source)
    return source


def parse_value(text: str) -> Any:
    """The value of a ``key=value`` given on the command line, read as YAML.

    Raises
    ------
    InputError: not YAML, or a key that stands twice.
    """
    try:
        return _parse(text, Source(None, None))
    except InputError as error:
        if error.key is not None:
            raise
        raise InputError(f"the value {text!r} is {error.problem}") from None


def _parse(text: str, source: Source) -> Any:
    """The value of a YAML text; the lines of its keys go into ``source``."""
    loader = None
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        _visit(node, (), source)
        return loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark and source.file is not None else None
        raise InputError(f"not YAML: {error.problem or error.context}", file=source.file, line=line) from None
    except (yaml.YAMLError, TypeError, ValueError, RecursionError) as error:
        problem = " ".join(str(error).split()) or "nested without end"
        raise InputError(f"not YAML: {problem}", file=source.file) from None
    finally:
        if loader is not None:
            loader.dispose()


def _visit(node: yaml.Node, path: Place, source: Source) -> None:
    """Note the lines of all keys below ``node``; refuse a key that stands twice."""
    if isinstance(node, yaml.ScalarNode) and node.style is None:
        source.written[path] = node.value
    if isinstance(node, yaml.MappingNode):
        seen: dict[str, int] = {}
        # What is merged comes first: keys of the mapping's own are written over it.
        merges = [value for key, value in node.value if key.tag == _MERGE]
        for value in merges:
            for merged in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                _visit(merged, path, source)
        for key, value in node.value:
            if key.tag == _MERGE:
                continue
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
