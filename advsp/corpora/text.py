"""A text file as lines, however it was written: plain or gzipped, any line end, with or without BOM."""

from __future__ import annotations

import gzip
import re
import unicodedata
import zlib
from pathlib import Path

from advsp.support.errors import InputError

# str.splitlines() would also break at characters that may stand inside a word (U+0085, U+2028, ...).
# Copying between systems makes CR CR LF of CR LF, which is one end.
_LINE_END = re.compile(r"\r?\r\n|\r|\n")
#: What a gzipped file begins with, and what some programs begin a text file with.
GZIP_MAGIC, BYTE_ORDER_MARK = b"\x1f\x8b", "\ufeff"
#: Words are apart by blanks and tabs only: other white space (U+00A0, U+3000) may be part of one.
WORD = re.compile(r"[^ \t]+")
#: A word that is read back as one word.
WRITABLE = re.compile(r"[^ \t\r\n]+")


def hidden(text: str) -> str | None:
    """The first character of a text that cannot be seen, by code point and name; None if there is none.

    >>> hidden("B-PER\u00a0"), hidden("B-PER")
    ('U+00A0 (NO-BREAK SPACE)', None)
    """
    for letter in text:
        if unicodedata.category(letter) in ("Zs", "Zl", "Zp", "Cc", "Cf"):
            name = unicodedata.name(letter, "")
            return f"U+{ord(letter):04X}" + (f" ({name})" if name else "")
    return None


def read_lines(path: str | Path, encoding: str = "utf-8") -> list[str]:
    r"""The lines of a text file without their ends; line ``i`` of the file is element ``i - 1``.

    ``\n``, ``\r\n``, ``\r\r\n`` and ``\r`` end a line alike, also mixed; the last line needs no end.  A file
    that begins with the gzip magic number is unpacked.  A byte order mark is removed at the start
    of any line, because joining files that have one leaves it in the middle.

    Raises
    ------
    InputError: no such file, a folder, not readable, damaged gzip data, an unknown encoding, or
        bytes that are not of the encoding (named by byte offset and line).
    """
    raw = _read_bytes(path)
    try:
        text = raw.decode(encoding)
    except LookupError:
        raise InputError(f"unknown text encoding {encoding!r}", hint="for example utf-8, latin-1") from None
    except UnicodeDecodeError as error:
        # Some codecs report positions in what follows the byte order mark they removed.
        offset = error.start + len(raw) - len(error.object)
        line = len(_LINE_END.split(error.object[: error.start].decode(encoding, "ignore")))
        raise InputError(
            f"byte {raw[offset]:#04x} at offset {offset} is not {encoding} text ({error.reason})",
            file=path,
            line=line,
            hint="state the file's encoding, for example latin-1",
        ) from None
    lines = [line.removeprefix(BYTE_ORDER_MARK) for line in _LINE_END.split(text)]
    if not lines[-1]:
        lines.pop()
    return lines


def _read_bytes(path: str | Path) -> bytes:
    path = Path(path)
    if path.is_dir():
        raise InputError("is a folder where a file is expected", file=path)
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", file=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    if not raw.startswith(GZIP_MAGIC):
        return raw
    try:
        return gzip.decompress(raw)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"damaged gzip data: {error}", file=path) from None
