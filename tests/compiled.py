"""The kernels that tests call: compiled once for all processes, by whoever comes first."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from advsp import kernels

try:
    import fcntl
except ImportError:  # not on every system
    fcntl = None

SOURCES = Path(kernels.__file__).resolve().parent


def stamp() -> Path:
    """The file that says that all kernels of this source folder are compiled."""
    from advsp.kernels.compilation import FOLDER

    return FOLDER / f"complete-{hashlib.sha256(str(SOURCES).encode()).hexdigest()[:16]}"


def compile_all() -> None:
    """Compile what is not in the cache, and load the rest; one process at a time."""
    from advsp.kernels import ready

    with _alone(stamp().with_suffix(".lock")):
        ready.make_ready()
        stamp().touch()


def make_ready(without_compiling: bool) -> None:
    """Have everything compiled; the test is skipped if it is not, and is not to be."""
    if without_compiling and not stamp().exists():
        pytest.skip("kernels are not compiled yet; without --without-compiling they are compiled first")
    compile_all()


def watched(through: Callable[[str], ModuleType], without_compiling: bool) -> Callable[[str], ModuleType]:
    """The door to the kernels, through which nobody comes before everything is ready."""
    opened: list[str] = []

    def module(name: str) -> ModuleType:
        if not opened:
            make_ready(without_compiling)
            opened.append(name)
        return through(name)

    return module


def start_compiling() -> subprocess.Popen[bytes] | None:
    """A process that compiles everything, if anything may be missing."""
    if not kernels.available() or stamp().exists():
        return None
    paths = [str(SOURCES.parents[1]), str(Path(__file__).parent)]
    program = f"import sys; sys.path[:0] = {paths!r}; from compiled import compile_all; compile_all()"
    return subprocess.Popen([sys.executable, "-c", program])


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """No other process is in such a block of the same file."""
    with path.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
