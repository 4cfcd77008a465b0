"""Training in small before training in earnest: two examples a system, so that kernels are compiled once.

Worker processes then find compiled code on disk.  Nothing is kept of what is learnt.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from advsp import kernels
from advsp.experiments.jobs import TrainingJob
from advsp.support.progress import Reporter
from advsp.training.instances import Instances

#: Seconds of compilation that are worth a word.
_WORTH_A_WORD = 1.0


def rehearse(jobs: Iterable[TrainingJob], reporter: Reporter) -> None:
    """Compile what jobs need and is not on disk, and say how long that took.

    Without kernels, or with engines that use none, nothing happens.
    """
    firsts = {job.system: job for job in jobs if job.recipe.engine.kernels}
    if not kernels.available() or not firsts:
        return
    from advsp.kernels.compilation import FOLDER, Compilation

    progress = reporter.start("kernels", len(firsts))
    try:
        with Compilation() as compilation:
            for job in firsts.values():
                _try_out(job)
                progress(1, job.system)
    finally:
        reporter.stop()
    if compilation.seconds >= _WORTH_A_WORD:
        reporter.say(f"kernels compiled in {compilation.seconds:.0f} s, this once; they are in {FOLDER}")


def _try_out(job: TrainingJob) -> None:
    """One pass over two examples, and their prediction."""
    train, _ = job.data()
    recipe, few = job.recipe, _shortest(train)
    objective = recipe.objective(few)
    weights = recipe.fit(objective, passes=1, seed=job.seed, initial=np.zeros(objective.size))
    objective.full(weights)
    recipe.decode(few, weights, job.run.tolerance)


def _shortest(instances: Instances) -> Instances:
    """The two shortest examples: potentials are zero, and long games hard."""
    return instances.take(np.argsort(np.diff(instances.offsets), kind="stable")[:2])
