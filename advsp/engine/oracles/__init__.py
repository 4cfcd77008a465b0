"""Ways to find best responses: one file each, chosen by ``engine.oracle``."""

from __future__ import annotations

from advsp.engine.oracles.base import Oracle
from advsp.support.errors import InputError
from advsp.support.registry import Registry

oracles: Registry[type[Oracle]] = Registry(
    "oracle",
    "advsp.engine.oracles",
    plugins="advsp.oracles",
    fastest_first={
        "auto": ("compiled", "numpy"),
        "approximate": ("approximate-compiled", "approximate-numpy"),
    },
)


def open_oracle(name: str = "auto") -> Oracle:
    """The oracle called ``name``; ``auto`` is the fastest exact one installed here.

    Raises
    ------
    InputError: unknown name, or an oracle that is not installed.
    """
    oracle = oracles.get(name)
    reason = oracle.missing()
    if reason is not None:
        raise InputError(
            f"oracle {name!r} cannot be used: {reason}",
            key="engine.oracle",
            hint=f"{oracle.install}, or choose auto",
        )
    return oracle()
