"""What a training tells the user: sizes before anything long begins, choices when it has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.grid import GridPoint
from advsp.metrics.choice import Choice
from advsp.support.progress import Reporter
from advsp.support.words import counted
from advsp.tasks.base import View


def announce_sizes(
    config: ExperimentConfig,
    grids: Mapping[str, Sequence[GridPoint]],
    views: Mapping[str, View],
    workers: int,
    reporter: Reporter,
) -> None:
    """Say how large the corpus and the models are, and how much memory training takes.

    Parameters
    ----------
    grids: system to all points of its grid.
    views: name of a view to the corpus as it is seen there.
    workers: number of processes.
    """
    some = next(iter(views.values())).instances
    sizes = ", ".join(
        f"{split} {len(data)} {data.example}s {int(data.offsets[-1])} {data.position}s"
        for split, data in some.items()
    )
    reporter.say(f"{config.corpus.name}: {sizes}")
    most = held = 0
    for name, view in views.items():
        train = view.instances[config.corpus.train]
        firsts = [points[0] for points in grids.values() if points[0].view == name]
        weights = max(point.learner.model(train).size for point in firsts)
        most = max(most, weights)
        held = max(held, sum(data.nbytes for data in view.instances.values()) * 3 // 2)
        counts = train.feature_counts()
        parts = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
        preset = firsts[0].config.features.preset
        reporter.say(
            f"{preset}: {counted(sum(counts.values()), 'feature')} ({parts}), {weights:,} weights a model"
        )
    # Weights, two sums of AdaGrad, gradient and candidate copies; then the instances, held per process.
    megabytes = workers * (8 * most * 6 + held) / 1e6
    reporter.say(f"about {megabytes:,.0f} MB of memory for {counted(workers, 'worker')}")


def announce_choice(name: str, choice: Choice, reporter: Reporter) -> None:
    """Say what was chosen for a system."""
    options = ", ".join(f"{key}={value}" for key, value in choice.options.items())
    why = "nothing to choose" if choice.score is None else f"{choice.metric} {100 * choice.score:.2f}"
    chosen = f"{choice.passes} passes, rule {choice.rule} ({why})"
    reporter.say(f"{name}: {options + ', ' if options else ''}{chosen}")
