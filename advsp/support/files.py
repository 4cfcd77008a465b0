"""Writing files so that a reader never sees half of one, and naming them by what they hold."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Literal, overload

import numpy as np

from advsp.support.arrays import Array
from advsp.support.errors import InputError

#: Names that become names of files.
FILE_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.+-]*$"
#: How the names of temporary files end.
_TEMPORARY = ".advsp-tmp"
#: Of compression, from 1 to 9: what more would save is little, and takes several times as long.
_LEVEL = 1


@overload
def atomic(path: str | Path, mode: Literal["w"] = "w") -> AbstractContextManager[IO[str]]: ...
@overload
def atomic(path: str | Path, mode: Literal["wb"]) -> AbstractContextManager[IO[bytes]]: ...
@contextmanager
def atomic(path: str | Path, mode: Literal["w", "wb"] = "w") -> Iterator[IO[Any]]:
    """Open a temporary neighbour of ``path``; rename it onto ``path`` only if the block succeeds.

    Text is UTF-8 with ``\\n`` line ends.

    Raises
    ------
    InputError: it cannot be written: the disk is full, the folder read-only or gone.
    """
    path = Path(path)
    encoding, newline = ("utf-8", "\n") if mode == "w" else (None, None)
    temporary, begun = "", False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=_TEMPORARY, dir=path.parent)
        with open(descriptor, mode, encoding=encoding, newline=newline) as stream:
            begun = True
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException as error:
        if temporary:
            with suppress(OSError):
                Path(temporary).unlink(missing_ok=True)
        # What the block itself reads has a name of its own.
        if isinstance(error, OSError) and (not begun or error.filename in (None, temporary, str(path))):
            raise InputError(f"cannot be written: {error.strerror or error}", file=path) from None
        raise


def write_json(path: str | Path, value: object) -> None:
    """Write ``value`` as indented JSON, atomically; keys keep their order.

    Raises
    ------
    ValueError: a number that is not finite, which JSON does not have.
    """
    with atomic(path) as stream:
        json.dump(value, stream, indent=2, ensure_ascii=False, allow_nan=False)
        stream.write("\n")


def write_arrays(path: str | Path, arrays: Mapping[str, Array], *, compressed: bool = True) -> None:
    """Write an npz file, atomically; the same arrays give the same bytes, and nothing is pickled.

    Raises
    ------
    ValueError: an array of objects.
    """
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    # What numpy.savez does, which takes no name of its own parameters for an array, and would pickle.
    with atomic(path, "wb") as stream, zipfile.ZipFile(stream, "w", method, compresslevel=_LEVEL) as archive:
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asanyarray(array), allow_pickle=False)


def read_arrays(
    path: str | Path, what: str, hint: str, names: Sequence[str] | None = None
) -> dict[str, Array]:
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
    except Exception as error:
        # Of a damaged archive zipfile, zlib and numpy raise a dozen kinds, NotImplementedError and
        # SyntaxError among them.  numpy takes what it does not know for pickles, and says how to load
        # these; none ever is.
        why = "damaged, or of another kind" if "pickle" in str(error) else str(error)
        raise InputError(f"not {what}: {why}", file=path, hint=hint) from None


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
