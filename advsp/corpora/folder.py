"""The folder that a corpus is prepared into: nothing of value is overwritten, and nothing half-written seen.

Everything is written to a hidden folder and moved to its place when it is complete, the manifest last: a
folder with a manifest is complete.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from advsp.corpora.manifest import MANIFEST
from advsp.support.errors import InputError
from advsp.support.files import sha256, write_json


def check_folder(folder: Path, sources: Iterable[str | Path], names: Iterable[str]) -> None:
    """The folder can be written to without loss.

    Parameters
    ----------
    sources: the files that a corpus is prepared from.
    names: the files in ``folder`` that preparing writes or removes.

    Raises
    ------
    InputError: a file in place of the folder; a source that would be overwritten or removed.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError("is a file where a folder is expected", file=folder)
    touched = {(folder / name).resolve() for name in names}
    for path in sources:
        if Path(path).resolve() in touched:
            problem = "the prepared corpus would overwrite this source"
            raise InputError(problem, file=path, hint="prepare into another folder")


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """A hidden folder inside ``folder``; both are gone if the block fails and ``folder`` was not there.

    Raises
    ------
    InputError: nothing can be written there.
    """
    new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=".preparing-", dir=folder))
        try:
            yield stage
        finally:
            shutil.rmtree(stage)
            if new and not any(folder.iterdir()):
                folder.rmdir()
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", file=folder) from None


def install(stage: Path, folder: Path, manifest: dict[str, Any], before: Collection[str]) -> None:
    """Move all files of ``stage`` to their places in ``folder``, and remove those that were there before.

    Parameters
    ----------
    manifest: is given the ``files`` with their checksums, and written last.
    before: names of the files of the corpus that was there, if there was one.
    """
    files = sorted(path for path in stage.rglob("*") if path.is_file())
    manifest["files"] = {path.relative_to(stage).as_posix(): sha256(path) for path in files}
    (folder / MANIFEST).unlink(missing_ok=True)
    for name in set(before) - manifest["files"].keys():
        (folder / name).unlink(missing_ok=True)
    for name in manifest["files"]:
        (folder / name).parent.mkdir(exist_ok=True)
        os.replace(stage / name, folder / name)
    write_json(folder / MANIFEST, manifest)
