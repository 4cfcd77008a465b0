"""Ways to find best responses: one file each, chosen by ``engine.oracle``."""

from __future__ import annotations

from advsp.oracles.base import Oracle
from advsp.registry import Registry

oracles: Registry[type[Oracle]] = Registry("oracle", "advsp.oracles")


def open_oracle(name: str = "auto") -> Oracle:
    """The oracle called ``name``; ``auto`` is the fastest exact one installed.

    Raises
    ------
    InputError: unknown name.
    """
    return oracles.get("numpy" if name == "auto" else name)()
