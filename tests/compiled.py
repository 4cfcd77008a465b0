"""The kernels that tests call: compiled once for all processes, by whoever comes first."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from advsp import kernels

try:
    import fcntl
except ImportError:  # not on every system
    fcntl = None


def stamp() -> Path:
    """The file that says that the kernels of this source folder are compiled, all of them."""
    from advsp.kernels.compilation import FOLDER

    sources = str(Path(kernels.__file__).resolve().parent)
    return FOLDER / f"complete-{hashlib.sha256(sources.encode()).hexdigest()[:16]}"


def compile_all() -> None:
    """Compile what is not in the cache, and load the rest."""
    from advsp.kernels.ready import make_ready

    with _alone(stamp().with_suffix(".lock")):
        make_ready()
        stamp().touch()


def start_compiling() -> subprocess.Popen[bytes] | None:
    """A process that compiles everything, if anything may be missing."""
    if not kernels.available() or stamp().exists():
        return None
    paths = [str(Path(kernels.__file__).resolve().parents[2]), str(Path(__file__).parent)]
    program = f"import sys; sys.path[:0] = {paths!r}; from compiled import compile_all; compile_all()"
    return subprocess.Popen([sys.executable, "-c", program])


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """No other process is in such a block of the same file."""
    with path.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
