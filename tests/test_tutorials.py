"""The tutorials are run as they are printed, and print what they say."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from documented import Command, File, alike, is_printed, run_page, steps

from advsp import kernels

needs_kernels = pytest.mark.skipif(not kernels.available(), reason="takes minutes without numba")


@pytest.mark.long
@needs_kernels
@pytest.mark.parametrize("name", ["tutorial-names", "tutorial-links"])
def test_commands_print_what_is_shown(name, tmp_path, compiled_kernels):
    assert run_page(name, tmp_path, Path(sys.executable).parent) >= 5


def test_lines_differ_by_more_than_numbers_may():
    assert alike("F1 50.00  a", "F1 51.9 a")
    assert not alike("F1 50.00", "F1 52.01") and not alike("F1 50.00", "F2 50.00")
    assert is_printed(["...", "b", "..."], ["a", "b", "c"]) and is_printed(["a", "..."], ["a"])
    assert not is_printed(["a", "c"], ["a", "b", "c"]) and not is_printed(["..."] + ["d"], ["a", "b"])


def test_files_and_commands_come_in_the_order_of_the_page():
    blocks = (
        "<!-- file: a/b.py -->\n```python\nx = 1\n",
        "```python\ny\n",
        "```console\n$ one\nsaid\n$ two\n",
    )
    page = "".join(f"{block}```\n" for block in blocks)
    assert list(steps(page)) == [File("a/b.py", "x = 1\n"), Command("one", ["said"]), Command("two", [])]
