"""Whatever there are kernels for in compiled code, the rest in numpy."""

from __future__ import annotations

import logging
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from advsp.engine.backends import door, twins
from advsp.engine.backends.base import Decisions, Evaluation, Loss, ObjectiveT, OnlineOptimiser
from advsp.engine.backends.description import Described, description_of
from advsp.engine.backends.numpy import NumpyBackend
from advsp.engine.backends.twins import NoTwin
from advsp.engine.double_oracle import Equilibrium
from advsp.engine.game import Game
from advsp.engine.lp import solvers
from advsp.engine.mixture import Mixture
from advsp.support.arrays import Array, Floats, Ints, Labels, plain
from advsp.support.progress import Progress, no_progress
from advsp.support.threads import CHUNK, over_chunks
from advsp.support.words import counted

log = logging.getLogger(__name__)


class CompiledBackend(NumpyBackend):
    """Kernels play games from beginning to end where linear programs are theirs, too.

    What there are none for, and games by another LP solver, is left to numpy.  Sums are taken in one order,
    after all examples are done.
    """

    name = "compiled"

    @cached_property
    def _losses(self) -> WeakKeyDictionary[Loss, Any]:
        return WeakKeyDictionary()

    @cached_property
    def _models(self) -> WeakKeyDictionary[Described, Any]:
        return WeakKeyDictionary()

    # --- games ---------------------------------------------------------------------------------------------

    def solve(
        self,
        game: Game,
        tolerance: float,
        warm: tuple[Labels, Labels] | None = None,
        trace: bool = False,
    ) -> Equilibrium:
        if not trace and self._plays and (solved := self._solve(game, tolerance, warm)) is not None:
            return solved
        return super().solve(game, tolerance, warm, trace)

    @cached_property
    def _plays(self) -> bool:
        """Whether the kernels' double oracle is what the engine asks for."""
        return self.engine.stop == "certified" and solvers.resolve(self.engine.lp) == "compiled"

    def _solve(self, game: Game, tolerance: float, warm: tuple[Labels, Labels] | None) -> Equilibrium | None:
        """The equilibrium; None where there are no kernels, or the simplex found no certified answer."""
        exact, length = self.oracle.exact, game.predictor.length
        try:
            table, score = twins.played(game, exact)
        except NoTwin:
            return None
        rows = columns = np.empty((0, length), dtype=np.int8)
        if warm is not None:
            rows, columns = (plain(labellings, np.int8) for labellings in warm)
        solved = door.module("double_oracle").solve(
            table, score, exact, length, rows, columns, tolerance, self.engine.max_iterations
        )
        if not solved.finished:
            return None
        return Equilibrium(
            value=solved.value,
            gap=solved.upper - solved.lower,
            iterations=solved.iterations,
            predictor=Mixture(solved.predicted, solved.row),
            adversary=Mixture(solved.actual, solved.column),
            lower=solved.lower,
            upper=solved.upper,
            certified=exact,
            lp_failures=solved.failures,
        )

    # --- losses --------------------------------------------------------------------------------------------

    def left_to_numpy(self, loss: Loss) -> str | None:
        if loss.specs and not self._plays:
            return None  # that is what the engine asks for
        try:
            self._twin(loss)
        except NoTwin as reason:
            return str(reason)
        return None

    def remembers(self, loss: Loss) -> bool:
        return super().remembers(loss) and self._known(loss) is None

    def _twin(self, loss: Loss) -> Any:
        """A loss as kernels take it.

        Raises
        ------
        NoTwin: there are no kernels for it, or the engine asks for others.
        """
        if description_of(loss) is None:
            raise NoTwin(f"there are no kernels for the loss {type(loss).__name__}")
        if not loss.specs:
            return twins.twin(loss, "loss")
        if not self._plays:
            raise NoTwin("the engine asks for another double oracle")
        return twins.games(
            loss.specs, loss.offsets, loss.gold_labels(), self.oracle.exact, self.engine.max_iterations
        )

    def _known(self, loss: Loss) -> Any | None:
        """:meth:`_twin`, made once a loss; None if there is none."""
        if loss not in self._losses:
            try:
                self._losses[loss] = self._twin(loss)
            except NoTwin:
                self._losses[loss] = None
        return self._losses[loss]

    def evaluate(
        self,
        loss: Loss,
        potentials: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> Evaluation:
        known = self._known(loss)
        if known is None:
            return super().evaluate(loss, potentials, tolerance, progress)
        offsets, potentials, examples = plain(loss.offsets, int), plain(potentials), len(loss.offsets) - 1
        attained, bounds, moments = np.empty(examples), np.empty(examples), np.empty_like(potentials)
        batch = door.module("passes").evaluate_batch

        def part(first: int, last: int) -> int:
            unfinished: int = batch(
                known, offsets, first, last, potentials, tolerance, attained, bounds, moments
            )
            return unfinished

        _report_unfinished(loss, sum(over_chunks(part, examples, progress)))
        return float(attained.sum()), float(bounds.sum()), moments

    def decode(
        self,
        loss: Loss,
        number: int,
        potentials: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> Decisions:
        known = self._known(loss)
        if known is None:
            return super().decode(loss, number, potentials, tolerance, progress)
        offsets, potentials, rows = plain(loss.offsets, int), plain(potentials), len(potentials)
        labels, marginals = np.empty(rows, dtype=np.int8), np.empty((rows, loss.decided))
        batch = door.module("passes").decode_batch

        def part(first: int, last: int) -> int:
            unfinished: int = batch(
                known, offsets, first, last, number, potentials, tolerance, labels, marginals
            )
            return unfinished

        _report_unfinished(loss, sum(over_chunks(part, len(offsets) - 1, progress)))
        return labels, marginals

    # --- passes --------------------------------------------------------------------------------------------

    def online_pass(
        self,
        optimiser: OnlineOptimiser[ObjectiveT],
        objective: ObjectiveT,
        state: dict[str, Array],
        order: Ints,
        progress: Progress = no_progress,
    ) -> float:
        loss, model = self._known(objective.loss), self._model(objective.model)
        # What a class says of its passes does not hold for a subclass, which may do something else.
        if loss is None or model is None or "rule" not in vars(type(optimiser)):
            return super().online_pass(optimiser, objective, state, order, progress)
        passes = door.module("passes")
        rule = twins.make(optimiser.rule(objective, state))
        gradient = door.module("models").workspace(model, rule.weights)
        batch = getattr(rule, "batch", 1)
        size = max(1, CHUNK // batch) * batch
        total, unfinished = 0.0, 0
        for first in range(0, len(order), size):
            some = order[first : first + size]
            attained, left = passes.ONLINE[type(rule)](
                rule, model, loss, some, gradient, float(state["updates"][0]), objective.tolerance
            )
            total, unfinished = total + attained, unfinished + left
            state["updates"] += -(-len(some) // batch)
            progress(len(some))
        _report_unfinished(objective.loss, unfinished)
        return total

    def _model(self, model: Described) -> Any | None:
        """A linear map as kernels take it, made once; None if there are no kernels for it."""
        if model not in self._models:
            try:
                self._models[model] = twins.twin(model, "model")
            except NoTwin:
                self._models[model] = None
        return self._models[model]


def _report_unfinished(loss: Loss, number: int) -> None:
    """Say so where no certified answer was found, and count it: what is unfinished ends with its gap."""
    if number:
        loss.uncertified += number
        thing, what = loss.unfinished
        log.warning("%s %s", counted(number, thing), what)
