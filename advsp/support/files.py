"""Writing files so that a reader never sees half of one, and naming them by what they hold."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from advsp.support.errors import InputError

#: How the names of temporary files end.
_TEMPORARY = ".advsp-tmp"


@contextmanager
def atomic(path: str | Path, mode: str = "w", **kwargs: Any) -> Iterator[IO]:
    """Open a temporary neighbour of ``path``; rename it onto ``path`` only if the block succeeds.

    ``kwargs`` go to :func:`open`; text is UTF-8 with ``\\n`` line ends unless they say otherwise.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if "b" not in mode:
        kwargs.setdefault("encoding", "utf-8")
        kwargs.setdefault("newline", "\n")
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=_TEMPORARY, dir=path.parent)
    try:
        with open(descriptor, mode, **kwargs) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_json(path: str | Path, value: Any) -> None:
    """Write ``value`` as indented JSON, atomically; keys keep their order."""
    with atomic(path) as stream:
        json.dump(value, stream, indent=2, ensure_ascii=False)
        stream.write("\n")


def read_arrays(
    path: str | Path, what: str, hint: str, names: Sequence[str] | None = None
) -> dict[str, np.ndarray]:
    """The arrays of an npz file of ours; nothing in it is ever unpickled.

    Parameters
    ----------
    what: what the file should be, e.g. ``"a checkpoint"``.
    hint: how to mend it if it is not.
    names: the arrays to read; all of them by default.

    Raises
    ------
    InputError: missing, damaged, or not plain arrays.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in (file.files if names is None else names)}
    except FileNotFoundError:
        raise InputError("no such file", file=path, hint=hint) from None
    except (ValueError, TypeError, KeyError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"not {what}: {error}", file=path, hint=hint) from None


def sweep(folder: Path) -> None:
    """Remove the temporary files that a killed process left below ``folder``."""
    for path in folder.rglob(f".*{_TEMPORARY}"):
        path.unlink()


def sha256(path: str | Path) -> str:
    """Hexadecimal SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        for block in iter(lambda: stream.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()
