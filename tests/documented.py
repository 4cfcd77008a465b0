"""Pages that are run as they are printed: their files, their commands, and what these print."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
#: Points by which shown scores may differ: machines round differently, and games have several equilibria.
TOLERANCE = 2.0
#: What stands for any lines.
LEFT_OUT = "..."


class File(NamedTuple):
    """A file that a page shows whole: its name, which stands in a comment before it, and its text."""

    name: str
    text: str


class Command(NamedTuple):
    """A command, and the lines that are shown of what it prints."""

    line: str
    shown: list[str]


def steps(page: str) -> Iterator[File | Command]:
    """Files and commands of a page, in its order."""
    pattern = r"(?:<!-- file: (\S+) -->\n)?```(\w+)\n(.*?)```"
    for name, language, block in re.findall(pattern, page, flags=re.DOTALL):
        if name:
            yield File(name, block)
        elif language == "console":
            for part in block.split("$ ")[1:]:
                line, *shown = part.splitlines()
                yield Command(line, [text.rstrip() for text in shown])


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


def run_page(name: str, folder: Path, programs: Path) -> int:
    """Do what a page of docs/ says in an empty folder, with programs of another one; number of commands."""
    (folder / "data").mkdir()
    (folder / "data/sample").symlink_to(ROOT / "data/sample")
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    commands = 0
    for step in steps((ROOT / f"docs/{name}.md").read_text(encoding="utf-8")):
        if isinstance(step, File):
            target = folder / step.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(step.text, encoding="utf-8")
            continue
        commands += 1
        ended = subprocess.run(
            ["bash", "-ec", step.line], cwd=folder, env=environment, capture_output=True, check=False
        )
        assert ended.returncode == 0, f"{step.line}\n{ended.stdout.decode()}{ended.stderr.decode()}"
        printed = [line.rstrip() for line in ended.stdout.decode().splitlines()]
        assert is_printed(step.shown, [line for line in printed if line]), "\n".join([step.line, *printed])
    return commands
