"""Run the tests with every Python that advsp claims to run with, with and without the extras.

    python scripts/matrix.py                      all environments, one after the other
    python scripts/matrix.py 3.13-all 3.11-oldest

``3.13-all`` has every extra and ``3.13-none`` has none, with the newest packages there are; ``3.11-oldest``
has every extra and the oldest version of every package that pyproject.toml allows.  Environments, and what
was printed in them, are kept in ``.matrix``.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".matrix"
PYTHONS = ("3.11", "3.12", "3.13")
#: Packages as old as the oldest allowed ones are made for the oldest Python.
NAMES = (*(f"{python}-{kind}" for python in PYTHONS for kind in ("all", "none")), f"{PYTHONS[0]}-oldest")
#: Extras for those who work on advsp, not for those who use it.
TOOLS = ("dev", "docs", "test")


class Failure(Exception):
    """What went wrong with an environment, in a few words."""


def main(arguments: list[str]) -> int:
    """Run the environments that are named; 0 if the tests passed in all of them."""
    parser = argparse.ArgumentParser(prog="matrix.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="ENVIRONMENT", help=", ".join(NAMES))
    parser.add_argument("--workers", default="2", help="processes that run tests (default: 2)")
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in NAMES:
            parser.error(f"unknown environment {name!r}; known: {', '.join(NAMES)}")
    failed = False
    for name in options.names or NAMES:
        began = time.monotonic()
        try:
            said = test(name, options.workers)
        except Failure as failure:
            said, failed = f"{failure} (see {(FOLDER / name).relative_to(ROOT)}.log)", True
        print(f"{name:12} {time.monotonic() - began:5.0f} s  {said}", flush=True)
    return int(failed)


def test(name: str, workers: str) -> str:
    """Make an environment or bring it up to date, and run the tests in it; the line that they close with.

    Raises
    ------
    Failure: no such Python; packages that cannot be installed; tests that fail.
    """
    version, _, kind = name.partition("-")
    project = read_project(ROOT)
    FOLDER.mkdir(exist_ok=True)
    python, log = FOLDER / name / "bin" / "python", FOLDER / f"{name}.log"
    with log.open("w", encoding="utf-8") as stream:
        if not python.exists():
            call([find_python(version), "-m", "venv", FOLDER / name], stream)
        packages = ["-e", f".[{','.join(extras(project, kind))}]"]
        if kind == "oldest":
            constraints = FOLDER / f"{name}.txt"
            constraints.write_text("\n".join(lower_bounds(project)) + "\n", encoding="utf-8")
            packages += ["--constraint", str(constraints)]
        pip = (python, "-m", "pip", "--quiet", "--disable-pip-version-check")
        call([*pip, "install", "--upgrade", "--upgrade-strategy", "eager", *packages], stream)
        call([python, "-m", "pytest", "-q", "-n", workers], stream)
    return log.read_text(encoding="utf-8").splitlines()[-1]


def call(command: list[str | Path], stream: TextIO) -> None:
    """Run a command in the project's folder; what it prints goes to the stream.

    Raises
    ------
    Failure: its exit code is not 0.
    """
    ended = subprocess.run(command, cwd=ROOT, stdout=stream, stderr=subprocess.STDOUT)
    if ended.returncode != 0:
        raise Failure(f"`{' '.join(map(str, command[1:4]))}` ended with {ended.returncode}")


def find_python(version: str) -> str:
    """The interpreter of a version: on the path, or among those that pyenv keeps.

    Raises
    ------
    Failure: there is none.
    """
    for path in _pythons(version):
        asked = [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        if subprocess.run(asked, capture_output=True, text=True).stdout.strip() == version:
            return path
    raise Failure(f"no Python {version} on the path")


def _pythons(version: str) -> Iterator[str]:
    for name in (f"python{version}", "python3", "python"):
        if (path := shutil.which(name)) is not None:
            yield path
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    yield from map(str, sorted(versions.glob(f"{version}.*/bin/python")))


def read_project(root: Path) -> dict[str, Any]:
    """The table ``project`` of pyproject.toml."""
    project: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project


def extras(project: dict[str, Any], kind: str) -> list[str]:
    """The extras of a kind of environment; the tests' own are always among them."""
    users = [extra for extra in project["optional-dependencies"] if extra not in TOOLS]
    return ["test", *(users if kind != "none" else ())]


def lower_bounds(project: dict[str, Any]) -> list[str]:
    """``package==version`` for every package that is asked for, at the oldest version that may be had.

    Raises
    ------
    ValueError: a package without an oldest version.
    """
    optional = project["optional-dependencies"]
    asked = [
        *project["dependencies"],
        # An extra of extras asks for nothing of its own.
        *(one for extra, ones in optional.items() if extra != "dev" for one in ones if "[" not in one),
    ]
    bounds = []
    for one in asked:
        match = re.match(r"([\w.-]+)\s*>=\s*([\w.]+)", one)
        if match is None:
            raise ValueError(f"{one!r} names no oldest version")
        bounds.append("==".join(match.groups()))
    return bounds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
