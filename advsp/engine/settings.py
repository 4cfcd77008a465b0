"""How games are solved: the engine's settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from advsp.engine.double_oracle import MAX_ITERATIONS, Equilibrium, solve_game
from advsp.engine.game import Game
from advsp.engine.lp import solvers
from advsp.engine.oracles import oracles
from advsp.engine.oracles.compiled import Kernels
from advsp.engine.value_repeats import solve_until_repeated

Stop = Literal["certified", "value-repeats"]


@dataclass(frozen=True)
class Engine:
    """How games are solved.

    Attributes
    ----------
    lp: registered LP solver, or ``"auto"``.
    oracle: registered oracle, or ``"auto"``.
    max_iterations: rounds after which a game is left with the gap it has.
    stop: ``"certified"`` stops when the gap is small enough; ``"value-repeats"`` when the value of the
        restricted game repeats (:mod:`advsp.engine.value_repeats`), which certifies nothing.
    """

    lp: str = "auto"
    oracle: str = "auto"
    max_iterations: int = MAX_ITERATIONS
    stop: Stop = "certified"

    def solve(
        self, game: Game, tolerance: float, warm: tuple[np.ndarray, np.ndarray] | None = None
    ) -> Equilibrium:
        """Equilibrium of ``game`` to ``tolerance``, or with ``stop: value-repeats`` as far as that goes."""
        if self.stop == "value-repeats":
            return solve_until_repeated(game, self.lp, self.oracle, max_iterations=self.max_iterations)
        return solve_game(
            game, self.lp, self.oracle, tolerance, max_iterations=self.max_iterations, warm=warm
        )

    @property
    def kernels(self) -> bool:
        """Whether kernels are to be used where there are any."""
        oracle = oracles.get(self.oracle)
        return issubclass(oracle, Kernels) and oracle.missing() is None

    @property
    def compiled(self) -> bool:
        """Whether games that the kernels can play are played there from beginning to end."""
        certified = self.stop == "certified"
        return certified and self.kernels and solvers.resolve(self.lp) == "compiled"


def exact_engine(engine: Engine) -> Engine:
    """The same engine with exact responses: what is predicted is an equilibrium, however it was trained."""
    if oracles.get(engine.oracle).exact:
        return engine
    return replace(engine, oracle="auto")
