"""How games are solved: the engine's settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from advsp.engine.backends.base import Backend
from advsp.engine.backends.compiled import CompiledBackend
from advsp.engine.backends.numpy import NumpyBackend
from advsp.engine.double_oracle import MAX_ITERATIONS
from advsp.engine.oracles import oracles

Stop = Literal["certified", "value-repeats"]

_BACKENDS: dict[str, type[Backend]] = {kind.name: kind for kind in (NumpyBackend, CompiledBackend)}


@dataclass(frozen=True)
class Engine:
    """How games are solved.

    Attributes
    ----------
    lp: registered LP solver, or ``"auto"``.
    oracle: registered oracle, or ``"auto"``; it says whether there are kernels for everything else, too.
    max_iterations: rounds after which a game is left with the gap it has.
    stop: ``"certified"`` stops when the gap is small enough; ``"value-repeats"`` when the value of the
        restricted game repeats (:mod:`advsp.engine.value_repeats`), which certifies nothing.
    """

    lp: str = "auto"
    oracle: str = "auto"
    max_iterations: int = MAX_ITERATIONS
    stop: Stop = "certified"

    def backend(self) -> Backend:
        """What plays so: chosen here, and nowhere else."""
        oracle = oracles.get(self.oracle)
        return _BACKENDS[oracle.backend if oracle.missing() is None else "numpy"](self)

    def exact(self) -> Engine:
        """The same engine with exact responses.

        What is predicted is an equilibrium, however it was trained.
        """
        return self if oracles.get(self.oracle).exact else replace(self, oracle="auto")
