"""Errors that users read are one line, whatever was in their files."""

from __future__ import annotations

import pytest

from advsp.support.errors import InputError


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        ("a\nb", r"a\nb"),
        ("a\u2028b", r"a\u2028b"),
        ("a\u00a0b", r"a\xa0b"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\udcff", r"\udcff"),
        ("Straße 雨", "Straße 雨"),
    ],
)
def test_what_cannot_be_printed_is_written_by_its_code(found, shown):
    message = str(InputError(f"found {found!s}", file="a file", line=3, key="word", hint=f"not {found}"))
    assert message == f"a file:3: word: found {shown} (not {shown})"
