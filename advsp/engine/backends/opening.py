"""Where a backend is chosen, and nowhere else."""

from __future__ import annotations

from advsp.engine.backends.base import Backend
from advsp.engine.backends.compiled import CompiledBackend
from advsp.engine.backends.numpy import NumpyBackend
from advsp.engine.oracles import oracles
from advsp.engine.settings import Engine

_BACKENDS: dict[str, type[Backend]] = {kind.name: kind for kind in (NumpyBackend, CompiledBackend)}


def open_backend(engine: Engine) -> Backend:
    """What plays as an engine says: that of its oracle, where that is installed.

    Raises
    ------
    InputError: there is no such oracle.
    """
    oracle = oracles.get(engine.oracle)
    return _BACKENDS[oracle.backend if oracle.missing() is None else "numpy"](engine, oracle)
