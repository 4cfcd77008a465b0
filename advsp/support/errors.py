"""The one kind of error a user is meant to read.

Everything a user can mend (a file, a key, a missing package) is raised as :class:`InputError`; the
command line prints it as a single message and leaves with exit code 2.  Any other exception is a
defect of the program.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path


class Interrupted(Exception):
    """The user asked a command to stop."""


class InputError(Exception):
    """Something the user gave cannot be used.

    Parameters
    ----------
    problem: what was found, and what was expected, in one sentence without a full stop.
    file: the file at fault, if any.
    line: 1-based line number within ``file``.
    key: dotted configuration key at fault, if any.
    hint: how to mend it, in one sentence without a full stop.
    """

    def __init__(
        self,
        problem: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        key: str | None = None,
        hint: str | None = None,
    ) -> None:
        self.problem, self.file, self.line, self.key, self.hint = problem, file, line, key, hint
        place = ""
        if file is not None:
            place = f"{file}:{line}: " if line is not None else f"{file}: "
        subject = f"{key}: " if key is not None else ""
        remedy = f" ({hint})" if hint else ""
        super().__init__(_visible(f"{place}{subject}{problem}{remedy}"))

    def __reduce__(self) -> tuple[partial[InputError], tuple[str]]:
        """Keep the parts on the way from one process to another."""
        parts = partial(InputError, file=self.file, line=self.line, key=self.key, hint=self.hint)
        return parts, (self.problem,)


def _visible(message: str) -> str:
    """The message as one line: what cannot be printed, or ends a line, is written by its code."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in message
    )
