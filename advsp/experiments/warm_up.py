"""Compiling before it is needed: what a training calls, by training on two examples a system, or everything.

Worker processes then find compiled code on disk.  Nothing is kept of what is learnt.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from advsp.engine.backends import door
from advsp.engine.backends.opening import open_backend
from advsp.engine.lp import open_session
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle
from advsp.engine.structures import structures
from advsp.experiments import rehearsed
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
    system: its name.
    recipe: how it is trained.
    few: examples whose games are short.
    tolerance: of decoding.
    """

    system: str
    recipe: Recipe
    few: Instances
    seed: int
    tolerance: float

    @classmethod
    def of(cls, job: TrainingJob) -> Rehearsal:
        """That of a job, on the two shortest examples: potentials are zero, and long games hard."""
        train, _ = job.data()
        shortest = np.argsort(np.diff(train.offsets), kind="stable")[:2]
        return cls(job.system, job.recipe, train.take(shortest), job.seed, job.run.tolerance)

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
        """A linear program, and the next larger one, as games that are played in numpy ask for it."""
        session = open_session(self.recipe.engine.lp)
        session.solve(np.eye(2))
        session.solve(np.eye(3))

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

    def left_to_numpy(self) -> str | None:
        """Why it is left to numpy, if it is."""
        loss = self.objective().loss
        return loss.backend.left_to_numpy(loss)


#: The parts of a rehearsal.
PARTS = ("train", "evaluate", "decode")

#: Parts that one process does, one after the other.
Parts = tuple[tuple[Rehearsal, str], ...]


def rehearse(jobs: Iterable[TrainingJob], workers: int, reporter: Reporter) -> None:
    """Compile what jobs need and is not on disk, and say how long that took.

    Without kernels, or with engines that use none, nothing happens; of systems of a kind the first is enough.
    Systems that are trained in numpy though their engine asks for kernels are named, with the reason.

    Parameters
    ----------
    workers: processes that compile.  One does it here; several leave this process as small as it is.
    """
    kinds = {
        job.system: (_kind(job), job) for job in jobs if open_backend(job.recipe.engine).name == "compiled"
    }
    if not kinds:
        return
    reasons = rehearsed.known()
    new: dict[str, Rehearsal] = {}
    for kind, job in kinds.values():
        if kind not in reasons and kind not in new:
            new[kind] = Rehearsal.of(job)
    if new:
        _compile(list(new.values()), workers if door.is_kept() else 1, reporter)
        found = {kind: rehearsal.left_to_numpy() for kind, rehearsal in new.items()}
        # What is from outside may be another thing of the same name tomorrow.
        rehearsed.remember({kind: found[kind] for kind, one in new.items() if _is_ours(one.recipe.learner)})
        reasons |= found
    for system, (kind, _) in kinds.items():
        if (reason := reasons[kind]) is not None:
            reporter.say(f"{system}: in numpy, {reason}")


def _kind(job: TrainingJob) -> str:
    """What a system is, as far as what is compiled for it depends on it: numbers are 0, 1 or others."""
    sections = job.point.config.model_dump(mode="json", include={"learner", "engine", "optimiser"})
    return json.dumps([_roughly(sections), job.recipe.learner.task, len(job.group) > 1], sort_keys=True)


def _is_ours(part: object) -> bool:
    """Whether a part, with all that its options name, belongs to the package."""
    if not is_dataclass(part):
        return True
    kind = structures.get(part.structure) if hasattr(part, "structure") else type(part)
    ours = all(thing.__module__.startswith("advsp.") for thing in (kind, type(part)))
    return ours and all(_is_ours(getattr(part, field.name)) for field in fields(part))


def _roughly(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _roughly(part) for key, part in value.items()}
    if isinstance(value, int | float) and value not in (0, 1):
        return type(value).__name__
    return value


def _compile(rehearsals: Sequence[Rehearsal], workers: int, reporter: Reporter) -> None:
    """Do every part, in so many processes."""
    began = time.perf_counter()
    together = _shared(rehearsals)
    progress = reporter.start("kernels", sum(map(len, together)))
    try:
        seconds = sum(found for _, found in run_jobs(perform, together, workers, progress))
    finally:
        reporter.stop()
    if seconds >= _WORTH_A_WORD:
        took = time.perf_counter() - began
        reporter.say(f"kernels compiled in {took:.0f} s, this once; they are in {door.folder()}")


def _shared(rehearsals: Sequence[Rehearsal]) -> list[Parts]:
    """What processes do, in this order, so that none compiles what another one does.

    Passes over games come last, once responses are compiled: they are made of them.  Systems whose games are
    of one kind are left to one process: others differ in little, which is compiled in a moment.
    """
    kinds: dict[object, list[Rehearsal]] = {}
    for rehearsal in rehearsals:
        if rehearsal.plays:
            kinds.setdefault((type(rehearsal.recipe.learner), rehearsal.recipe.engine), []).append(rehearsal)
    playing = [same[0] for same in kinds.values()]
    others = [rehearsal for rehearsal in rehearsals if not rehearsal.plays]
    return [
        *(((rehearsal, "adversary"),) for rehearsal in playing),
        *(((rehearsal, "program"),) for rehearsal in playing[:1]),
        *(((rehearsal, part),) for rehearsal in others for part in PARTS),
        *(((rehearsal, "predictor"),) for rehearsal in playing),
        *(tuple((rehearsal, part) for rehearsal in same for part in PARTS) for same in kinds.values()),
    ]


def perform(parts: Parts, progress: Progress) -> float:
    """Some parts of rehearsals, in whatever process; the seconds of compilation."""
    # Whoever asked says how long it took.
    with door.compiling() as compilation:
        for rehearsal, part in parts:
            getattr(rehearsal, part)()
            progress(1, f"{rehearsal.system}, {part}")
    return compilation.seconds


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
