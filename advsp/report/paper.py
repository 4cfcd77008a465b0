"""The numbers that the paper prints."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from advsp.support.errors import InputError
from advsp.support.yaml_source import read_yaml

#: Those of one table by corpus, split, system and class, in percent.
Printed: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]]


def read_paper(path: Path) -> Mapping[str, Printed]:
    """The paper's numbers by table.

    Raises
    ------
    InputError: no such file, or one that is not ordered so.
    """
    numbers: Mapping[str, Printed] = read_yaml(path).value
    sections: list[object] = [numbers]
    for _ in range(5):
        inner: list[object] = []
        for section in sections:
            if not isinstance(section, Mapping):
                raise InputError("expected sections table, corpus, split, system, class", file=path)
            inner += section.values()
        sections = inner
    return numbers


def printed_number(printed: Printed, corpus: str, split: str, label: str, system: str) -> float | None:
    """The number of one of the paper's tables that stands beside a row.

    That of a system stands beside all its variants in brackets, and beside the one that is named after it
    and set up to give that number, ``+published``.
    """
    systems = printed.get(corpus, {}).get(split, {})
    if system not in systems and system.endswith("]"):
        system = system.partition(" [")[0]
    if system not in systems:
        system = system.removesuffix("+published")
    return systems.get(system, {}).get(label)
