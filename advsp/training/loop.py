"""The training loop: passes, tolerances, checkpoints and the history file.

A run is determined by its objective, its optimiser, its initial weights and one seed.  After every
pass one line is added to the history; now and then, and at the end, everything that changes is
written to one checkpoint file.  A run that is killed and resumed does the passes since the last
checkpoint again, and ends at the same weights as one that never stopped.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from annotated_types import Gt, Interval

from advsp.support.arrays import Floats
from advsp.support.errors import InputError
from advsp.support.files import atomic
from advsp.support.progress import Progress, no_progress
from advsp.support.sparse_arrays import read_packed, write_packed
from advsp.support.threads import single_threaded
from advsp.training.objective import FullBatch, State
from advsp.training.optimisers.base import Optimiser

#: Names of the files a run keeps in its folder.
CHECKPOINT, HISTORY = "checkpoint.npz", "history.jsonl"

#: Seconds between checkpoints, where nothing else is said.
CHECKPOINT_SECONDS = 30.0

#: Called after a pass with its number (from 1) and the weights; returns what to add to the history.
AfterPass = Callable[[int, Floats], dict[str, object]]


@dataclass(frozen=True)
class Tolerance:
    """Accuracy of the games, pass by pass: loose at first, when games are hardest.

    Attributes
    ----------
    start: gap allowed in the first pass.
    decay: factor from one pass to the next.
    floor: never tighter than this.
    """

    start: Annotated[float, Gt(0)] = 0.1
    decay: Annotated[float, Interval(gt=0, le=1)] = 0.5
    floor: Annotated[float, Gt(0)] = 1e-3

    def at(self, number: int) -> float:
        """Tolerance of pass ``number``, from 1."""
        return max(self.floor, self.start * self.decay ** (number - 1))


@single_threaded
def fit(
    objective: FullBatch,
    optimiser: Optimiser,
    *,
    passes: int,
    seed: int,
    tolerance: Tolerance,
    initial: Floats | Callable[[], Floats],
    folder: Path | None = None,
    resume: bool = False,
    fingerprint: str = "",
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    after_pass: AfterPass | None = None,
    progress: Progress = no_progress,
) -> Floats:
    """Train and return the final weights [size].

    Parameters
    ----------
    objective: an :class:`~advsp.training.objective.Objective`, or for optimisers of full batches any other.
    passes: most passes; fewer if the optimiser reports convergence.  0 returns the initial weights.
    seed: decides the order of the examples in every pass.
    initial: weights to start from, [size], or what makes them, which is not called on resuming.
    folder: where checkpoint and history are kept; None keeps nothing.
    resume: go on from the checkpoint in ``folder``, if there is one.
    fingerprint: what the run is made of; a checkpoint of another fingerprint is refused.
    checkpoint_seconds: least time between two checkpoints; one is written after a pass, and after the last.
    after_pass: validation and the like; called again for the passes since the last checkpoint on resuming.
    progress: told of examples as they are done.

    Raises
    ------
    InputError: the checkpoint belongs to another run or cannot be read.
    """
    if folder is not None and resume and (folder / CHECKPOINT).exists():
        state, done, converged = _read_checkpoint(folder / CHECKPOINT, objective, fingerprint)
        progress(done * objective.examples)
    else:
        if folder is not None:
            # One of a run before would be taken for this one's by the next to resume.
            (folder / CHECKPOINT).unlink(missing_ok=True)
        objective.tolerance = tolerance.at(1)
        # No name for the initial weights: they may be large, and the state has a copy.
        state = optimiser.start(objective, initial() if callable(initial) else initial)
        done, converged = 0, False
    lines, kept = _history(folder, done), time.monotonic()
    for number in range(done + 1, passes + 1):
        if converged:
            break
        began, before = time.perf_counter(), objective.uncertified
        objective.tolerance = tolerance.at(number)
        if number > 1:
            objective.renew()
        order = np.random.default_rng([seed, number]).permutation(objective.examples)
        report = optimiser.run_pass(objective, state, order, progress)
        weights = optimiser.weights(objective, state)
        converged = report.converged
        line = {
            "pass": number,
            **asdict(report),
            "tolerance": objective.tolerance,
            "norm": float(np.linalg.norm(weights)),
            "seconds": round(time.perf_counter() - began, 3),
        }
        if objective.uncertified is not None and before is not None:
            line["uncertified"] = objective.uncertified - before
        gap = "" if report.gap is None else f", gap {report.gap:.4g}"
        progress(0, f"pass {number}: objective {report.objective:.6g}{gap}")
        if after_pass is not None:
            line |= after_pass(number, weights)
        del weights  # they may be large, and the next pass needs room of its own
        lines.append(json.dumps(line))
        if folder is not None:
            # History first: lines of passes behind the checkpoint are dropped on resuming.
            with atomic(folder / HISTORY) as stream:
                stream.write("\n".join(lines) + "\n")
            last = converged or number == passes
            if last or time.monotonic() - kept >= checkpoint_seconds:
                _write_checkpoint(folder / CHECKPOINT, objective, state, number, converged, fingerprint)
                kept = time.monotonic()
    return optimiser.weights(objective, state)


def _history(folder: Path | None, done: int) -> list[str]:
    """The lines of the passes already done."""
    if folder is None or done == 0:
        return []
    path = folder / HISTORY
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    if len(lines) < done:
        raise InputError(
            f"the history of the {done} passes of {CHECKPOINT} is not there",
            file=path,
            hint=f"delete {folder / CHECKPOINT}; its model is then trained from the beginning",
        )
    return lines[:done]


def _write_checkpoint(
    path: Path, objective: FullBatch, state: State, number: int, converged: bool, fingerprint: str
) -> None:
    arrays = {f"optimiser/{name}": array for name, array in state.items()}
    arrays |= {f"loss/{name}": array for name, array in objective.state().items()}
    arrays["pass"], arrays["converged"] = np.array(number), np.array(converged)
    arrays["fingerprint"] = np.array(fingerprint)
    write_packed(path, arrays)


def _read_checkpoint(path: Path, objective: FullBatch, fingerprint: str) -> tuple[State, int, bool]:
    hint = "delete it; its model is then trained from the beginning"
    arrays = read_packed(path, "a checkpoint", hint)
    try:
        found, number, converged = str(arrays["fingerprint"]), int(arrays["pass"]), bool(arrays["converged"])
    except KeyError as error:
        raise InputError(f"not a checkpoint: it has no {error}", file=path, hint=hint) from None
    if found != fingerprint:
        raise InputError(
            "the checkpoint belongs to a run with another configuration or data",
            file=path,
            hint="train anew without --resume",
        )
    parts: dict[str, State] = {"optimiser": {}, "loss": {}}
    for name, array in arrays.items():
        kind, _, key = name.partition("/")
        if key:
            parts[kind][key] = array
    objective.restore(parts["loss"])
    return parts["optimiser"], number, converged
