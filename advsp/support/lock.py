"""One process a folder: a lock that ends with the process, however it ends."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from advsp.support.errors import InputError

#: What the system says where another process has the lock.
_TAKEN = (errno.EACCES, errno.EAGAIN)


@contextmanager
def locked(folder: Path, hint: str) -> Iterator[None]:
    """Have ``folder``, which need not be there yet, for this process while the block runs.

    The lock is a file beside the folder, which is removed at the end; one that a killed process has left is
    free.  Where the file system has no locks, or the platform none of this kind, nothing is locked.

    Parameters
    ----------
    hint: what to do where another process has it.

    Raises
    ------
    InputError: another process has it; the file cannot be made.
    """
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        yield
        return
    path = folder.parent / f".{folder.name}.lock"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", file=path) from None
    try:
        try:
            # Locks of this kind are a process', not those of its children: none outlives a killed parent.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _TAKEN:
                raise InputError("is in use by another process", file=folder, hint=hint) from None
        try:
            yield
        finally:
            # Gone while it is still ours: nobody else's is removed.
            with suppress(OSError):
                path.unlink()
    finally:
        os.close(file)
