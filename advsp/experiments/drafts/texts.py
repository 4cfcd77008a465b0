"""What drafts of any kind have in common: files in an unknown encoding, names, and text as YAML takes it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from advsp.corpora.text import read_lines
from advsp.support.errors import InputError

#: Encodings in the order in which they are tried; the last one takes any bytes.
_ENCODINGS = ("utf-8", "latin-1")

#: What YAML takes for something else than text.
_WORDS = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")


def decoded(path: Path) -> tuple[str, list[str]]:
    """The first encoding that fits a file, and its lines.

    Raises
    ------
    InputError: it cannot be read.
    """
    *first, last = _ENCODINGS
    for encoding in first:
        try:
            return encoding, read_lines(path, encoding)
        except InputError as error:
            if error.line is None:
                raise
    return last, read_lines(path, last)


def stem(path: Path) -> str:
    """The name of a file up to its first dot."""
    return path.name.removesuffix(".gz").partition(".")[0] or path.name


def run_name(text: str) -> str:
    """A text as the name of a corpus and a run."""
    return re.sub(r"[^A-Za-z0-9_.+-]+", "-", text).strip("-.+_") or "mine"


def quoted(text: str) -> str:
    """A text as YAML takes it: in the quotes of JSON, which are YAML's, too, unless it can only be text."""
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_/.+-]*", text) and text.lower() not in _WORDS
    return text if plain else json.dumps(text, ensure_ascii=False)


def comments(command: str, notes: tuple[str, ...]) -> list[str]:
    """Notes as comments of YAML, behind the command that asked for them."""
    return [f"# {' '.join(note.split())}" for note in (f"Written by: {command}", *notes)]
