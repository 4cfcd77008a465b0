"""Everything in numpy: the reference, and always there."""

from __future__ import annotations

from advsp.engine.backends.base import Backend, Decisions, Evaluation, Loss, ObjectiveT, OnlineOptimiser
from advsp.engine.double_oracle import Equilibrium, double_oracle, equilibrium
from advsp.engine.game import Game
from advsp.engine.lp import open_session
from advsp.engine.oracles import open_oracle
from advsp.engine.value_repeats import solve_until_repeated
from advsp.support.arrays import Array, Floats, Ints, Labels
from advsp.support.progress import Progress, no_progress


class NumpyBackend(Backend):
    """Games one after the other, each by the double oracle with the engine's LP solver and oracle."""

    name = "numpy"

    def solve(
        self,
        game: Game,
        tolerance: float,
        warm: tuple[Labels, Labels] | None = None,
        trace: bool = False,
    ) -> Equilibrium:
        engine = self.engine
        session, oracle = open_session(engine.lp), open_oracle(engine.oracle)
        if engine.stop == "value-repeats":
            return solve_until_repeated(game, session, oracle, max_iterations=engine.max_iterations)
        rounds = []
        for last in double_oracle(game, session, oracle, tolerance, engine.max_iterations, warm):
            if trace:
                rounds.append(last)
        return equilibrium(last, session, oracle, tuple(rounds))

    def left_to_numpy(self, loss: Loss) -> str | None:
        return None

    def remembers(self, loss: Loss) -> bool:
        return bool(loss.specs)

    def evaluate(
        self,
        loss: Loss,
        potentials: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> Evaluation:
        return loss.evaluate_all(potentials, tolerance, progress)

    def decode(
        self,
        loss: Loss,
        number: int,
        potentials: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> Decisions:
        return loss.decode_all(number, potentials, tolerance, progress)

    def online_pass(
        self,
        optimiser: OnlineOptimiser[ObjectiveT],
        objective: ObjectiveT,
        state: dict[str, Array],
        order: Ints,
        progress: Progress = no_progress,
    ) -> float:
        return optimiser.one_by_one(objective, state, order, progress)
