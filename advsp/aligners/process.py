"""Running another program to its end: what it says is heard, and nothing of it is left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from advsp.aligners.base import Tell
from advsp.support.errors import InputError

#: So many of its last lines are told of a program that failed.
_LAST_WORDS = 3


def run_program(name: str, command: Sequence[str | Path], folder: Path, tell: Tell) -> None:
    """Run a command until it ends, or until we are to end.

    Parameters
    ----------
    name: what the program is called in errors.
    folder: where it runs and has its temporary files.
    tell: hears every line it says, on standard output or standard error.

    Raises
    ------
    InputError: it cannot be started, or does not end with exit code 0.
    """
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise InputError(f"{name} cannot be started: {error.strerror}", file=command[0]) from None
    output = process.stdout
    assert output is not None  # a pipe, as asked for above
    said: deque[str] = deque(maxlen=_LAST_WORDS)
    with process, _asked_to_end():
        try:
            for line in output:
                if not line.strip():
                    continue
                # The indented lines of a Python traceback quote code; its last line says what is wrong.
                if not line.startswith((" ", "Traceback ")):
                    said.append(line.strip())
                tell(line.strip())
            process.wait()
        except BaseException:
            # A program may have started others: the session it leads is ended as a whole, and once its
            # output ends, too, nothing writes to the folder any more.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            output.read()
            raise
    if process.returncode:
        raise InputError(f"{name} {_ending(process.returncode)}; it said: {'; '.join(said) or 'nothing'}")


@contextmanager
def _asked_to_end() -> Iterator[None]:
    """Whoever ends us by a signal ends what we have started, too, and lets us tidy up on the way out."""
    ours: list[signal.Signals] = []
    if threading.current_thread() is threading.main_thread():
        ours = [s for s in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(s) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, lambda number, frame: sys.exit(128 + number))
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _ending(code: int) -> str:
    if code < 0:
        return f"was ended by signal {signal.Signals(-code).name}"
    return f"ended with exit code {code}"
