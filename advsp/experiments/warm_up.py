"""Training in small before training in earnest: two examples a system, so that kernels are compiled once.

Worker processes then find compiled code on disk.  Nothing is kept of what is learnt.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advsp.engine.backends import door
from advsp.experiments.jobs import TrainingJob
from advsp.support.progress import Reporter
from advsp.training.instances import Instances
from advsp.training.loop import fit
from advsp.training.objective import Objective

#: Seconds of compilation that are worth a word.
_WORTH_A_WORD = 1.0


def rehearse(jobs: Sequence[TrainingJob], reporter: Reporter) -> None:
    """Compile what jobs need and is not on disk, and say how long that took.

    Without kernels, or with engines that use none, nothing happens.
    """
    firsts = {job.system: job for job in jobs if job.config.engine.backend().name == "compiled"}
    if not firsts:
        return
    progress = reporter.start("kernels", len(firsts))
    try:
        with door.compiling() as compilation:
            for job in firsts.values():
                _try_out(job)
                progress(1, job.system)
    finally:
        reporter.stop()
    if compilation.seconds >= _WORTH_A_WORD:
        reporter.say(
            f"kernels compiled in {compilation.seconds:.0f} s, this once; they are in {door.folder()}"
        )


def _try_out(job: TrainingJob) -> None:
    """One pass over two examples, and their prediction."""
    train, _ = job.data()
    few = _shortest(train)
    learner, engine = job.config.learner.build(), job.config.engine
    model, optimiser = learner.model(few), job.config.optimiser
    objective = Objective(model, learner.loss(model, job.group, engine), optimiser.l2)
    weights = fit(
        objective,
        optimiser.build(),
        passes=1,
        seed=job.seed,
        tolerance=optimiser.tolerance,
        initial=np.zeros(model.size),
    )
    objective.full(weights)
    learner.decode(model, weights, job.group, engine, job.tolerance)


def _shortest(instances: Instances) -> Instances:
    """The two shortest examples: potentials are zero, and long games hard."""
    return instances.take(np.argsort(np.diff(instances.offsets), kind="stable")[:2])
