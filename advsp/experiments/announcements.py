"""What a training tells the user: sizes before anything long begins, choices when it has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.grid import GridPoint
from advsp.experiments.jobs import TrainingJob
from advsp.metrics.choice import Choice
from advsp.runners.waiting import held_together
from advsp.support.progress import Reporter
from advsp.support.words import counted
from advsp.tasks.base import View

#: Bytes of a process that has done nothing yet but import the packages it needs.
_PROCESS = 130e6
#: Bytes that are held for a byte of instances: what was read beside what was made of it, or what kernels are
#: told of it.
_HELD = 1.5


def announce_sizes(
    config: ExperimentConfig,
    grids: Mapping[str, Sequence[GridPoint]],
    views: Mapping[str, View],
    reporter: Reporter,
) -> None:
    """Say how large the corpus and the models are.

    Parameters
    ----------
    grids: system to all points of its grid.
    views: name of a view to the corpus as it is seen there.
    """
    some = next(iter(views.values())).instances
    sizes = ", ".join(
        f"{split} {len(data)} {data.example}s {int(data.offsets[-1])} {data.position}s"
        for split, data in some.items()
    )
    reporter.say(f"{config.corpus.name}: {sizes}")
    for name, view in views.items():
        train = view.instances[config.corpus.train]
        firsts = [points[0] for points in grids.values() if points[0].view == name]
        weights = max(point.learner.model(train).size for point in firsts)
        counts = train.feature_counts()
        parts = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
        preset = firsts[0].config.features.preset
        reporter.say(
            f"{preset}: {counted(sum(counts.values()), 'feature')} ({parts}), {weights:,} weights a model"
        )


def announce_memory(
    jobs: Sequence[TrainingJob], views: Mapping[str, View], workers: int, reporter: Reporter
) -> None:
    """Say how much memory training takes.

    Parameters
    ----------
    jobs: what is trained; so many at a time as there are ``workers``.
    views: name of a view to the corpus as it is seen there.
    """
    needed = [_bytes_of(job, views[job.point.view]) for job in jobs]
    seen = max(_HELD * sum(data.nbytes for data in view.instances.values()) for view in views.values())
    at_a_time = min(workers, len(jobs))
    if at_a_time <= 1:
        total = _PROCESS + max([seen, *needed])
    else:
        total = _PROCESS + seen + _PROCESS * at_a_time + held_together(needed, at_a_time)
    reporter.say(f"about {total / 1e6:,.0f} MB of memory for {counted(workers, 'worker')}")


def _bytes_of(job: TrainingJob, view: View) -> float:
    """Memory of a job beside that of its process: instances, for kernels too, and weights."""
    run = job.run
    names = [run.train] + ([run.validation] if run.validation else [])
    instances = sum(view.instances[name].nbytes for name in names)
    weights: int = job.point.learner.model(view.instances[run.train]).size
    return _HELD * instances + 8.0 * weights * job.vectors


def announce_choice(name: str, choice: Choice, reporter: Reporter) -> None:
    """Say what was chosen for a system."""
    options = ", ".join(f"{key}={value}" for key, value in choice.options.items())
    why = "nothing to choose" if choice.score is None else f"{choice.metric} {100 * choice.score:.2f}"
    chosen = f"{choice.passes} passes, rule {choice.rule} ({why})"
    reporter.say(f"{name}: {options + ', ' if options else ''}{chosen}")
    if choice.edges:
        reporter.say(f"  at the end of its grid, where more might be better: {'; '.join(choice.edges)}")
