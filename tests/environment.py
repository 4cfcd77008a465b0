"""A virtual environment beside this one, for packages that are installed for a test."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]


class Environment:
    """A virtual environment that sees what this one has installed, and what is installed into it alone."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=False)
        self.python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        (site,) = folder.rglob("site-packages")
        (site / "seen.pth").write_text(f"{sysconfig.get_path('purelib')}\n{ROOT}\n")

    def run(self, *arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [str(self.python), *map(str, arguments)]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True)

    def install(self, package: Path) -> None:
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "install", "--quiet", "--no-deps"]
        subprocess.run([*pip, "--no-index", "--no-build-isolation", str(package)], check=True)

    def add_programs(self) -> Path:
        """The folder of its programs, with `advsp` there, and `pip` that installs without a network."""
        programs = self.python.parent
        install = f'exec "{sys.executable}" -m pip --python "{self.python}"'
        options = "--quiet --no-deps --no-index --no-build-isolation"
        _write_program(
            programs / "pip", f'#!/bin/sh\ncommand=$1; shift\n{install} "$command" {options} "$@"\n'
        )
        _write_program(
            programs / "advsp",
            f"#!{self.python}\nfrom advsp.cli.main import run\n\nif __name__ == '__main__':\n    run()\n",
        )
        return programs


def _write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)
