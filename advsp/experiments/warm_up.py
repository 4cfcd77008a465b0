"""Compiling before it is needed: what a training calls, by training on two examples a system, or everything.

Worker processes then find compiled code on disk.  Nothing is kept of what is learnt.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from advsp.engine.backends import door
from advsp.engine.backends.opening import open_backend
from advsp.engine.lp import open_session
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle
from advsp.experiments.jobs import TrainingJob
from advsp.experiments.recipe import Recipe
from advsp.runners.local import run_jobs
from advsp.support.errors import InputError
from advsp.support.progress import Progress, Reporter
from advsp.training.instances import Instances
from advsp.training.objective import Objective

#: Seconds of compilation that are worth a word.
_WORTH_A_WORD = 1.0


@dataclass(frozen=True, eq=False)
class Rehearsal:
    """A system on a few examples.

    Attributes
    ----------
    recipe: how it is trained.
    few: examples whose games are short.
    tolerance: of decoding.
    """

    recipe: Recipe
    few: Instances
    seed: int
    tolerance: float

    @classmethod
    def of(cls, job: TrainingJob) -> Rehearsal:
        """That of a job, on the two shortest examples: potentials are zero, and long games hard."""
        train, _ = job.data()
        shortest = np.argsort(np.diff(train.offsets), kind="stable")[:2]
        return cls(job.recipe, train.take(shortest), job.seed, job.run.tolerance)

    def objective(self) -> Objective:
        """That of the few examples."""
        return self.recipe.objective(self.few)

    @property
    def plays(self) -> bool:
        """Whether games are played, which takes longest to compile."""
        return bool(self.objective().loss.specs)

    def respond(self, player: str) -> None:
        """A best response to a pure strategy in the first game."""
        goal = self.objective()
        rows = goal.model.all_potentials(np.zeros(goal.size))[: goal.loss.offsets[1]]
        game = goal.loss.specs[0].game(0, rows)
        oracle = open_oracle(self.recipe.engine.oracle)
        getattr(oracle, player)(game, Mixture.pure(np.zeros(len(rows), dtype=np.int8)))

    def adversary(self) -> None:
        """The adversary's response."""
        self.respond("adversary")

    def predictor(self) -> None:
        """The predictor's response."""
        self.respond("predictor")

    def program(self) -> None:
        """A linear program."""
        open_session(self.recipe.engine.lp).solve(np.eye(2))

    def train(self) -> None:
        """One pass."""
        goal = self.objective()
        self.recipe.fit(goal, passes=1, seed=self.seed, initial=np.zeros(goal.size))

    def evaluate(self) -> None:
        """The objective as a whole."""
        goal = self.objective()
        goal.full(np.zeros(goal.size))

    def decode(self) -> None:
        """Predictions."""
        self.recipe.decode(self.few, np.zeros(self.objective().size), self.tolerance)


#: The parts of a rehearsal.
PARTS = ("train", "evaluate", "decode")


def rehearse(jobs: Iterable[TrainingJob], workers: int, reporter: Reporter) -> None:
    """Compile what jobs need and is not on disk, and say how long that took.

    Without kernels, or with engines that use none, nothing happens.  Systems that are trained in numpy though
    their engine asks for kernels are named, with the reason.

    Parameters
    ----------
    workers: processes that compile where nothing was compiled before.
    """
    firsts = {job.system: job for job in jobs if open_backend(job.recipe.engine).name == "compiled"}
    if not firsts:
        return
    began = time.perf_counter()
    rehearsals = {system: Rehearsal.of(job) for system, job in firsts.items()}
    parts = [(rehearsal, part) for rehearsal in rehearsals.values() for part in PARTS]
    new = workers > 1 and door.is_new()
    apart = _apart(rehearsals.values()) if new else []
    progress = reporter.start("kernels", len(apart) + len(parts))
    try:
        for _ in run_jobs(perform, apart, workers, progress):
            pass
        with door.compiling() as compilation:
            for part in parts:
                perform(part, progress)
    finally:
        reporter.stop()
    if new or compilation.seconds >= _WORTH_A_WORD:
        seconds = time.perf_counter() - began if new else compilation.seconds
        reporter.say(f"kernels compiled in {seconds:.0f} s, this once; they are in {door.folder()}")
    for system, job in firsts.items():
        if (reason := _left_to_numpy(job)) is not None:
            reporter.say(f"{system}: in numpy, {reason}")


def _apart(rehearsals: Iterable[Rehearsal]) -> list[tuple[Rehearsal, str]]:
    """What processes of their own had better do, in this order, so that none compiles what another one does.

    Passes over games come last, once responses are compiled: they are made of them.  Of systems whose games
    are of one kind one is enough: others differ in little, which is compiled in a moment.
    """
    kinds = {(type(r.recipe.learner), r.recipe.engine): r for r in rehearsals if r.plays}
    playing = list(kinds.values())
    others = [rehearsal for rehearsal in rehearsals if not rehearsal.plays]
    return [
        *((rehearsal, "adversary") for rehearsal in playing),
        *((rehearsal, "program") for rehearsal in playing[:1]),
        *((rehearsal, part) for rehearsal in others for part in PARTS),
        *((rehearsal, "predictor") for rehearsal in playing),
        *((rehearsal, "train") for rehearsal in playing),
    ]


def perform(part: tuple[Rehearsal, str], progress: Progress) -> None:
    """One part of a rehearsal, in whatever process."""
    rehearsal, name = part
    with door.compiling():  # whoever asked says how long it took
        getattr(rehearsal, name)()
    progress(1, name)


def warm_up(workers: int, reporter: Reporter) -> None:
    """Compile everything there are kernels for, and say how long that took and where it is.

    Parameters
    ----------
    workers: processes that compile.

    Raises
    ------
    InputError: numba is not installed.
    """
    if (reason := door.missing()) is not None:
        raise InputError(f"there is nothing to compile: {reason}", hint=door.INSTALL)
    began = time.perf_counter()
    calls = list(door.module("ready").CALLS)
    progress = reporter.start("kernels", len(calls))
    try:
        seconds = sum(found for _, found in run_jobs(call, calls, workers, progress))
    finally:
        reporter.stop()
    took = (
        f"kernels compiled in {time.perf_counter() - began:.0f} s" if seconds else "nothing left to compile"
    )
    reporter.say(f"{took}; they are in {door.folder()}")


def call(name: str, progress: Progress) -> float:
    """Compile one of the kernels' calls, in whatever process; the seconds that took."""
    seconds: float = door.module("ready").make_ready(name)
    progress(1, name)
    return seconds


def _left_to_numpy(job: TrainingJob) -> str | None:
    """Why a job is left to numpy, if it is."""
    train, _ = job.data()
    loss = job.recipe.objective(train).loss
    return loss.backend.left_to_numpy(loss)
