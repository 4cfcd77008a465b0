"""The tutorials are run as they are printed, and print what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from advsp import kernels

ROOT = Path(__file__).parents[1]
#: Points by which shown scores may differ: machines round differently, and games have several equilibria.
TOLERANCE = 2.0
#: What stands for any lines.
LEFT_OUT = "..."

needs_kernels = pytest.mark.skipif(not kernels.available(), reason="takes minutes without numba")


def steps(page: str) -> list[tuple[str, list[str]]]:
    """The commands of a page and the lines that are shown of what each prints."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", page, flags=re.DOTALL):
        for part in block.split("$ ")[1:]:
            command, *shown = part.splitlines()
            found.append((command, [line.rstrip() for line in shown]))
    return found


def alike(shown: str, printed: str) -> bool:
    """Whether two lines are the same but for what numbers with decimals may differ by."""
    number = r"\d+\.\d+"
    if re.sub(number, "#", " ".join(shown.split())) != re.sub(number, "#", " ".join(printed.split())):
        return False
    pairs = zip(re.findall(number, shown), re.findall(number, printed), strict=True)
    return all(abs(float(one) - float(other)) <= TOLERANCE for one, other in pairs)


def is_printed(shown: list[str], printed: list[str]) -> bool:
    """Whether the shown lines are the printed ones, where three dots stand for any number of lines."""
    if not shown:
        return True
    if shown[0] == LEFT_OUT:
        return any(is_printed(shown[1:], printed[k:]) for k in range(len(printed) + 1))
    return bool(printed) and alike(shown[0], printed[0]) and is_printed(shown[1:], printed[1:])


@pytest.mark.long
@needs_kernels
@pytest.mark.parametrize("name", ["tutorial-names", "tutorial-links"])
def test_commands_print_what_is_shown(name, tmp_path, compiled_kernels):
    (tmp_path / "data").mkdir()
    (tmp_path / "data/sample").symlink_to(ROOT / "data/sample")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    page = steps((ROOT / f"docs/{name}.md").read_text(encoding="utf-8"))
    assert len(page) >= 5
    for command, shown in page:
        ended = subprocess.run(
            ["bash", "-ec", command], cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        assert ended.returncode == 0, ended.stderr.decode()
        printed = [line.rstrip() for line in ended.stdout.decode().splitlines()]
        assert is_printed(shown, [line for line in printed if line]), "\n".join([command, *printed])


def test_lines_differ_by_more_than_numbers_may():
    assert alike("F1 50.00  a", "F1 51.9 a")
    assert not alike("F1 50.00", "F1 52.01") and not alike("F1 50.00", "F2 50.00")
    assert is_printed(["...", "b", "..."], ["a", "b", "c"]) and is_printed(["a", "..."], ["a"])
    assert not is_printed(["a", "c"], ["a", "b", "c"]) and not is_printed(["..."] + ["d"], ["a", "b"])
