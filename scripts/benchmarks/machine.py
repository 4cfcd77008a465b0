"""Where and with what numbers were measured."""

from __future__ import annotations

import os
import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from advsp import __version__

#: Packages whose versions can change a time.
PACKAGES = (
    "numpy", "scipy", "numba", "llvmlite", "pulp", "highspy", "python-crfsuite",
    "typer", "rich", "matplotlib",
)  # fmt: skip


def describe() -> dict[str, Any]:
    """Date, processor and versions; packages that are not installed are left out."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": processor(Path("/proc/cpuinfo")),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Versions of the project, of Python and of the packages that are installed."""
    found = {"advsp": __version__, "python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found


def processor(cpuinfo: Path) -> str:
    """Model name of the processor from a file like ``/proc/cpuinfo``, else what Python knows of it."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
