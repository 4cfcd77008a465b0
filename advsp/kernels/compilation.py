"""How kernels are compiled, and where compiled code is kept between runs.

Numba judges a cached function by the source file it stands in, not by what it calls in other files.  Here
one digest of all kernel sources and of every version that takes part names the folder of the cache, so that
code of another release is never found, and that of the same release in another place is.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import llvmlite.binding
import numba
import numpy as np
from numba.core import event, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import overload

from advsp.kernels.intermediate import Intermediate

log = logging.getLogger(__name__)

F = TypeVar("F", bound=Callable)

#: Environment variable that names another folder for compiled code.
CACHE_VARIABLE = "ADVSP_CACHE"


#: How folders begin that are of one process alone.
_TEMPORARY = "advsp-kernels-"


def digest() -> str:
    """Names the code that would be compiled here: kernel sources and versions, 16 hexadecimal digits."""
    state = hashlib.sha256()
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    state.update("\n".join(versions).encode())
    folder = Path(__file__).parent
    for source in sorted(folder.rglob("*.py")):
        state.update(source.relative_to(folder).as_posix().encode() + b"\0" + source.read_bytes())
    return state.hexdigest()[:16]


def cache_folder() -> Path:
    """Folder of the compiled code of this release: the user's own, or a temporary one.

    Compiled code is run as it is read, so a folder that belongs to someone else, or that others may write
    to, is not used.
    """
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(os.environ.get(CACHE_VARIABLE) or Path(home) / "advsp") / f"kernels-{digest()}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return Path(tempfile.mkdtemp(prefix=_TEMPORARY))
    if hasattr(os, "getuid"):
        state = folder.stat()
        if state.st_uid != os.getuid() or state.st_mode & 0o022:
            return Path(tempfile.mkdtemp(prefix=_TEMPORARY))
    return folder


#: Where this process keeps compiled code.
FOLDER = cache_folder()


def is_kept() -> bool:
    """Whether compiled code is kept for other processes."""
    return not FOLDER.name.startswith(_TEMPORARY)


def is_new() -> bool:
    """Whether nothing is kept there yet."""
    return not any(FOLDER.rglob("*.nbi"))


def processor() -> str:
    """The kind of processor that code is compiled for, e.g. ``"znver3"``."""
    name: str = llvmlite.binding.get_host_cpu_name()
    return name


#: Modules whose code the digest stands for.
_PACKAGE = "advsp.kernels."

#: Most loops here run over a few tags or counts: as vectors they would be slower, the more so as a function
#: is optimised again with every one that it is put into.
_SHORT_LOOPS = {"LOOP_VECTORIZE": 0}
_LONG_LOOPS = {"LOOP_VECTORIZE": 1}

#: Division by zero gives infinities, as in numpy.
_MODEL = {"error_model": "numpy"}


def kernel(function: F) -> F:
    """Decorator: compile in nopython mode, without the interpreter's lock, cached on disk.

    Division by zero gives infinities as in numpy; the order of floating-point operations is the written one.
    """
    return _compiled(function, _SHORT_LOOPS)


def long_loops(function: F) -> F:
    """Decorator: the same for what loops over many numbers side by side; these loops become vectors."""
    return _compiled(function, _LONG_LOOPS)


def inner(function: F) -> F:
    """Decorator: the same for what only kernels call, without the code that lets the interpreter call it."""
    wanted = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": Intermediate}
    return _compiled(function, _SHORT_LOOPS, **wanted)


def in_place(function: F) -> F:
    """Decorator: a few lines that are put into the kernels that use them before these are compiled."""
    return numba.njit(inline="always", **_MODEL)(function)


class _Shelf:
    """Where numba finds a kernel of the package: under its module, wherever the package is installed.

    Numba itself goes by the path and the source of a file; the digest in the folder's name stands for more.
    """

    def __init__(self, function: Callable, file: str) -> None:
        self._py_file, self._module = file, function.__module__
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Callable, file: str) -> _Shelf | None:
        """None for what the digest does not stand for."""
        return cls(function, file) if function.__module__.startswith(_PACKAGE) else None

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        os.makedirs(self.get_cache_path(), exist_ok=True)

    def get_cache_path(self) -> str:
        """The folder."""
        return str(FOLDER / self._module)

    def get_source_stamp(self) -> str:
        """What has to be the same for code to be found again."""
        return FOLDER.name

    def get_disambiguator(self) -> str:
        """What tells functions of a name apart."""
        return str(self._line)


class _Kept(CompileResultCacheImpl):
    """How compiled code is kept."""

    _locator_classes = (_Shelf, *CompileResultCacheImpl._locator_classes)


class _Cache(FunctionCache):
    """Compiled code on disk; what cannot be read is compiled anew, what cannot be written is not kept."""

    _impl_class = _Kept

    def load_overload(self, arguments: object, context: object) -> object:
        if _from_outside(arguments):
            return None
        try:
            return super().load_overload(arguments, context)
        except Exception:  # whatever reading a file that was cut off or overwritten leads to
            self._forget()
            return None

    def save_overload(self, arguments: object, compiled: object) -> None:
        if not _from_outside(arguments):
            with contextlib.suppress(OSError), _alone():
                super().save_overload(arguments, compiled)

    def _forget(self) -> None:
        with contextlib.suppress(OSError), _alone():
            self.flush()


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """A block in which no other process writes to the cache.

    Numba reads the list of what is there, adds a line and writes it again: two processes that do so at a time
    would give one file to two functions.
    """
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        yield
        return
    with open(FOLDER / ".lock", "ab") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        yield


def _compiled(function: F, settings: Mapping[str, int], **options: object) -> F:
    compiled = numba.njit(nogil=True, **_MODEL, **options)(function)
    with _set(CACHE_DIR=str(FOLDER)):
        compiled._cache = _Cache(function)
    compile_one = compiled.compile

    def compile_as_set(signature: object) -> object:
        with _set(**settings):
            return compile_one(signature)

    compiled.compile = compile_as_set
    return compiled


@contextlib.contextmanager
def _set(**settings: object) -> Iterator[None]:
    """A block with other settings of numba; other users of it in the process keep theirs."""
    with global_compiler_lock:
        before = {name: getattr(numba.config, name) for name in settings}
        try:
            for name, value in settings.items():
                setattr(numba.config, name, value)
            yield
        finally:
            for name, value in before.items():
                setattr(numba.config, name, value)


def choose(function: Callable, cases: dict[type, Callable]) -> None:
    """Let ``function`` stand, inside kernels, for that of ``cases`` its first argument is a named tuple of.

    The case is compiled in its place, without a function around it that only calls it.
    """

    @overload(function, strict=False, jit_options=_MODEL)
    def implementation(*arguments: types.Type) -> Callable | None:
        for kind, case in cases.items():
            if is_tuple(arguments[0], kind):
                return getattr(case, "py_func", case)
        return None


def is_tuple(value: types.Type, kind: type) -> bool:
    """Whether the type of a value is that of the named tuple ``kind``."""
    return isinstance(value, types.BaseNamedTuple) and value.instance_class is kind


def _from_outside(kinds: object) -> bool:
    """Whether types of arguments are of another package's kernels: the digest knows nothing of their code."""
    if isinstance(kinds, types.BaseNamedTuple) and not kinds.instance_class.__module__.startswith(_PACKAGE):
        return True
    parts = getattr(kinds, "types", kinds if isinstance(kinds, tuple | list) else ())
    return any(map(_from_outside, parts))


class _Notice(event.Listener):
    """Says once a process that kernels are being compiled, unless someone counts the seconds and will say so.

    Attributes
    ----------
    counting: how many do.
    """

    def __init__(self) -> None:
        self.counting, self._said = 0, False

    def on_start(self, happened: event.Event) -> None:
        function = happened.data["dispatcher"].py_func
        if self._said or self.counting or not f"{function.__module__}.".startswith(_PACKAGE):
            return
        self._said = True
        log.warning("compiling kernels, which takes up to a minute, this once; they will be in %s", FOLDER)

    def on_end(self, happened: event.Event) -> None:
        """Nothing."""


_NOTICE = _Notice()
event.register("numba:compile", _NOTICE)


#: Objects between two collections of garbage while kernels are compiled: most of what numba makes lives on.
_COLLECT_RARELY = 100_000


class Compilation(event.TimingListener):
    """Counts the seconds spent in compiling while it is installed.

    Use as a context manager; ``seconds`` is 0 if everything came from the cache.
    """

    def __enter__(self) -> Compilation:
        self._collecting = gc.get_threshold()
        gc.set_threshold(_COLLECT_RARELY, *self._collecting[1:])
        _NOTICE.counting += 1
        event.register("numba:compile", self)
        return self

    def __exit__(self, *error: object) -> None:
        event.unregister("numba:compile", self)
        gc.set_threshold(*self._collecting)
        _NOTICE.counting -= 1

    @property
    def seconds(self) -> float:
        """Seconds of compilation so far, none of them counted twice."""
        return self.duration if self.done else 0.0
