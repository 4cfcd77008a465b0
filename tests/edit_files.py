"""Changing files as a user might who makes a mistake."""

from __future__ import annotations

from pathlib import Path


def replace(path: str | Path, old: str, new: str) -> None:
    """Change one passage of a text file."""
    text = Path(path).read_text()
    assert text.count(old) >= 1
    Path(path).write_text(text.replace(old, new, 1))
