"""The sources of the sample corpora: sections of indented lines under headings."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "data" / "sample" / "source"


def read_sections(name: str) -> dict[str, list[str]]:
    """The indented lines of a source file under the headings, ended by a colon, that they stand under."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (SOURCE / name).read_text(encoding="utf-8").splitlines():
        if line.startswith(8 * " "):
            lines[-1] += " " + line.strip()
        elif line.startswith(" "):
            lines.append(line.strip())
        elif line and not line.startswith("#"):
            lines = sections.setdefault(line.removesuffix(":"), [])
    return sections


def matched(pattern: str, text: str) -> re.Match[str]:
    """How a pattern matches a whole text of the sources.

    Raises
    ------
    ValueError: it does not.
    """
    found = re.fullmatch(pattern, text)
    if found is None:
        raise ValueError(f"{text!r} is not of the form {pattern}")
    return found
