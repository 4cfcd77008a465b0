"""The lines of a text that may be longer than memory: a file, plain or gzipped, or standard input."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from advsp.corpora.text import BYTE_ORDER_MARK, GZIP_MAGIC
from advsp.support.errors import InputError

#: What stands for standard input among the names of files.
STANDARD_INPUT = Path("-")
#: Lines between two reports of how far reading has come.
_OFTEN = 4096


def stream_lines(
    path: Path, encoding: str = "utf-8", read: Callable[[int], None] | None = None
) -> Iterator[str]:
    """The lines of a text without their ends, one by one, as :func:`advsp.corpora.text.read_lines` has them.

    Standard input is closed behind the last one.

    Parameters
    ----------
    path: a file, or :data:`STANDARD_INPUT`.
    read: told now and then of bytes of the file just read.

    Raises
    ------
    InputError: no such file, a folder, not readable, damaged gzip data, an unknown encoding, or bytes that
        are not of the encoding, with their line.
    """
    number = told = 0
    ended = False
    try:
        with _opened(path) as raw:
            begun = raw.peek(len(GZIP_MAGIC))[: len(GZIP_MAGIC)] == GZIP_MAGIC
            binary = gzip.GzipFile(fileobj=raw) if begun else raw
            # Bytes that are no text are told apart line by line, where they can be named.
            with io.TextIOWrapper(binary, encoding, errors="surrogateescape", newline="") as text:
                for line in text:
                    # Copying between systems makes CR CR LF of CR LF, which is one end.
                    if ended and line == "\r\n":
                        ended = False
                        continue
                    number += 1
                    ended = line.endswith("\r")
                    _check_text(line, path, number, encoding)
                    plain = line.rstrip("\r\n").removeprefix(BYTE_ORDER_MARK)
                    if plain or line.endswith(("\r", "\n")):
                        yield plain
                    if read and number % _OFTEN == 0 and path != STANDARD_INPUT:
                        now = raw.tell()
                        read(now - told)
                        told = now
    except LookupError:
        raise InputError(f"unknown text encoding {encoding!r}", hint="for example utf-8, latin-1") from None
    except UnicodeError as error:
        raise InputError(f"not {encoding} text: {error}", file=path, line=number + 1) from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"damaged gzip data: {error}", file=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None


def _opened(path: Path) -> io.BufferedReader:
    if path == STANDARD_INPUT:
        # mypy's stubs ask for a raw stream; any that can be read will do.
        return io.BufferedReader(sys.stdin.buffer)  # type: ignore[arg-type]
    if path.is_dir():
        raise InputError("is a folder where a file is expected", file=path)
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise InputError("no such file", file=path) from None


def _check_text(line: str, path: Path, number: int, encoding: str) -> None:
    if line.isascii():
        return
    for letter in line:
        if "\udc80" <= letter <= "\udcff":
            raise InputError(
                f"byte {ord(letter) - 0xDC00:#04x} is not {encoding} text",
                file=path,
                line=number,
                hint="state the file's encoding, for example latin-1",
            )
