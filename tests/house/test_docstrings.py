"""Docstrings are in parts that the site can tell apart."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

import pytest
from places import ROOT

import advsp

#: A line under the name of a part.
UNDER = re.compile(r"^-{4,}$", re.MULTILINE)
EXAMPLE = re.compile(r"^>>> ", re.MULTILINE)
HEADED = re.compile(r"^Examples\n-{8}\n>>> ", re.MULTILINE)


def docstrings() -> Iterator[tuple[str, str]]:
    """All docstrings of the package, and where they stand."""
    for path in sorted((ROOT / "advsp").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                said = ast.get_docstring(node)
                if said:
                    yield f"{path.relative_to(ROOT)}: {getattr(node, 'name', 'the file')}", said


def test_examples_behind_other_parts_are_a_part_of_their_own():
    missing = [
        place
        for place, said in docstrings()
        if (under := UNDER.search(said)) and EXAMPLE.search(said, under.end()) and not HEADED.search(said)
    ]
    assert not missing


@pytest.mark.parametrize("name", [name for name in advsp.__all__ if name != "__version__"])
def test_public_names_are_described_and_their_examples_headed(name):
    said = inspect.getdoc(getattr(advsp, name)) or ""
    assert said and (EXAMPLE.search(said) is None) == (HEADED.search(said) is None)
