"""Versions of everything that a result may depend on."""

from __future__ import annotations

import platform
from importlib import metadata

from advsp import __version__

#: Packages whose versions can change a result.
_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pulp", "highspy", "pydantic", "pyyaml")


def versions() -> dict[str, str]:
    """Versions of everything a result may depend on; packages that are not installed are left out."""
    found = {"advsp": __version__, "python": platform.python_version(), "platform": platform.platform()}
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
