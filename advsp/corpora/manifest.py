"""The manifest of a prepared corpus: what the folder holds, and the checksums that prove it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from advsp.support.errors import InputError
from advsp.support.files import sha256

MANIFEST = "corpus.json"


def read_manifest(folder: str | Path, form: int | str, command: str) -> dict[str, Any]:
    """The manifest in ``folder``.

    Parameters
    ----------
    form: the ``format`` that it must have.
    command: the command that prepares such a corpus, for the hint.

    Raises
    ------
    InputError: no prepared corpus there, or one of another format.
    """
    path = Path(folder) / MANIFEST
    again = f"prepare it again with `{command}`"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        hint = f"prepare it with `{command}`"
        raise InputError("no prepared corpus there", file=folder, hint=hint) from None
    except ValueError as error:
        raise InputError(f"is not JSON: {error}", file=path, hint=again) from None
    about: dict[str, Any] = manifest if isinstance(manifest, dict) else {}
    found = about.get("format")
    if found != form:
        raise InputError(f"found format {found!r}, expected {form!r}", file=path, hint=again)
    return about


def check_split(folder: str | Path, manifest: Mapping[str, Any], split: str) -> None:
    """The corpus in ``folder`` has that split.

    Raises
    ------
    InputError: it has not; its splits are named.
    """
    if split not in manifest["splits"]:
        hint = f"it has {', '.join(manifest['splits'])}"
        raise InputError(f"no split {split!r} there", file=folder, hint=hint)


def split_file(split: str) -> str:
    """Name of the file that holds a split of a prepared tagging corpus."""
    return f"{split}.conll"


def verified(path: Path, checksum: str, command: str) -> Path:
    """The path of a prepared file that is what it was when it was prepared.

    Raises
    ------
    InputError: missing, or changed since.
    """
    again = f"prepare it again with `{command}`"
    if not path.is_file():
        raise InputError("missing from the prepared corpus", file=path, hint=again)
    if sha256(path) != checksum:
        raise InputError("changed since it was prepared", file=path, hint=again)
    return path


def checksums(folder: Path) -> dict[Path, str]:
    """The files of a prepared corpus of any kind and their checksums.

    Raises
    ------
    InputError: the manifest cannot be read, or names none.
    """
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        listed = manifest.get("files")
        if listed is None:
            listed = {split_file(name): split["sha256"] for name, split in manifest["splits"].items()}
        return {folder / name: str(checksum) for name, checksum in listed.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"is no manifest of a corpus: {error}", file=path) from None
