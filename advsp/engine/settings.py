"""How games are solved: the engine's settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from annotated_types import Ge

from advsp.engine.double_oracle import MAX_ITERATIONS
from advsp.engine.lp import solvers
from advsp.engine.oracles import oracles
from advsp.support.errors import InputError
from advsp.support.markers import NameIn

Stop = Literal["certified", "value-repeats"]


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

    Raises
    ------
    InputError: a ``stop`` that the oracle cannot serve.
    """

    lp: Annotated[str, NameIn(solvers)] = "auto"
    oracle: Annotated[str, NameIn(oracles)] = "auto"
    max_iterations: Annotated[int, Ge(1)] = MAX_ITERATIONS
    stop: Stop = "certified"

    def __post_init__(self) -> None:
        if self.stop != "certified" and not oracles.get(self.oracle).exact:
            raise InputError(
                f"{self.stop} plays with best responses, {self.oracle} finds others",
                key="stop",
                hint="choose an exact oracle, or stop: certified",
            )

    def exact(self) -> Engine:
        """The same engine with exact responses.

        What is predicted is an equilibrium, however it was trained.
        """
        return self if oracles.get(self.oracle).exact else replace(self, oracle="auto")
