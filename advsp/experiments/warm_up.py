"""Training in small before training in earnest: two examples a system, so that kernels are compiled once.

Worker processes then find compiled code on disk.  Nothing is kept of what is learnt.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from advsp.engine.backends import door
from advsp.engine.backends.opening import open_backend
from advsp.experiments.jobs import TrainingJob
from advsp.support.progress import Reporter
from advsp.training.instances import Instances

#: Seconds of compilation that are worth a word.
_WORTH_A_WORD = 1.0


def rehearse(jobs: Iterable[TrainingJob], reporter: Reporter) -> None:
    """Compile what jobs need and is not on disk, and say how long that took.

    Without kernels, or with engines that use none, nothing happens.  Systems that are trained in numpy though
    their engine asks for kernels are named, with the reason.
    """
    firsts = {job.system: job for job in jobs if open_backend(job.recipe.engine).name == "compiled"}
    if not firsts:
        return
    progress = reporter.start("kernels", len(firsts))
    left = {}
    try:
        with door.compiling() as compilation:
            for job in firsts.values():
                left[job.system] = _try_out(job)
                progress(1, job.system)
    finally:
        reporter.stop()
    if compilation.seconds >= _WORTH_A_WORD:
        seconds = f"{compilation.seconds:.0f} s"
        reporter.say(f"kernels compiled in {seconds}, this once; they are in {door.folder()}")
    for system, reason in left.items():
        if reason is not None:
            reporter.say(f"{system}: in numpy, {reason}")


def _try_out(job: TrainingJob) -> str | None:
    """One pass over two examples, and their prediction; why the job is left to numpy, if it is."""
    train, _ = job.data()
    recipe, few = job.recipe, _shortest(train)
    objective = recipe.objective(few)
    weights = recipe.fit(objective, passes=1, seed=job.seed, initial=np.zeros(objective.size))
    objective.full(weights)
    recipe.decode(few, weights, job.run.tolerance)
    loss = recipe.objective(train).loss
    return loss.backend.left_to_numpy(loss)


def _shortest(instances: Instances) -> Instances:
    """The two shortest examples: potentials are zero, and long games hard."""
    return instances.take(np.argsort(np.diff(instances.offsets), kind="stable")[:2])
