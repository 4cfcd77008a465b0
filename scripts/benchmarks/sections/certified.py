"""Training to a certificate: block-coordinate conditional gradient until its duality gap is small."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from advsp.engine.settings import Engine
from advsp.support.progress import Progress, no_progress
from advsp.support.threads import single_threaded
from advsp.training.instances import ChainInstances
from advsp.training.loop import Tolerance, fit
from advsp.training.optimisers.bcfw import BlockCoordinateFrankWolfe
from benchmarks.corpora import CLASSES
from benchmarks.engines import COMPILED, fastest, fastest_numpy, label, numpy_engine
from benchmarks.headline import Headline
from benchmarks.markdown import ratio, seconds, significant, table
from benchmarks.models import objective
from benchmarks.settings import Settings
from benchmarks.workbench import Workbench

TITLE = "Certified training"
#: Weight of the L2 term, and the gap asked for as a fraction of the number of sentences.
_L2, _GAP = 10.0, 0.005
#: Budgets of a training after which this one is left where it is.
_PATIENCE = 2.0


class _OutOfTime(Exception):
    """The training has taken long enough."""


@single_threaded
def measure(bench: Workbench) -> dict[str, Any]:
    """Seconds and passes until the gap is certified, one class, on the largest training set."""
    sentences, name = bench.sizes[-1], CLASSES[0]
    engines = list(dict.fromkeys([fastest(), fastest_numpy()]))
    data = bench.featurised(sentences).train
    rows = []
    # What is compiled is compiled now.
    _train(data.take(np.arange(2)), name, fastest(), replace(bench.settings, certified_passes=1), no_progress)
    for engine in engines:
        limit = bench.settings.certified_passes
        progress = bench.reporter.start(f"certified training, {label(engine)}", limit * sentences)
        try:
            rows.append(_train(data, name, engine, bench.settings, progress))
        finally:
            bench.reporter.stop()
    return {
        "corpus": bench.tagging.name,
        "sentences": sentences,
        "class": name,
        "l2": _L2,
        "gap": _GAP,
        "rows": rows,
    }


def _train(
    data: ChainInstances, name: str, engine: Engine, settings: Settings, progress: Progress
) -> dict[str, Any]:
    """One training: its passes' seconds, its last gap, and whether that is small enough."""
    goal = objective(data, [name], engine)
    goal.l2 = _L2
    gaps: list[float] = []
    ends = [time.perf_counter()]
    weights = np.zeros(goal.model.size)

    def listen(examples: int, note: str = "") -> None:
        # The gap is told with the pass.
        if "gap " in note:
            gaps.append(float(note.rpartition("gap ")[2]))
        progress(examples, note)

    def after_pass(number: int, now: np.ndarray) -> dict[str, Any]:
        nonlocal weights
        # The last ones are not changed any more, and the others are not looked at.
        weights = now
        ends.append(time.perf_counter())
        if ends[-1] - ends[0] > _PATIENCE * settings.training_budget:
            raise _OutOfTime
        return {}

    with suppress(_OutOfTime):
        fit(
            goal,
            BlockCoordinateFrankWolfe(gap=_GAP),
            passes=settings.certified_passes,
            seed=settings.seed,
            tolerance=Tolerance(),
            initial=weights,
            after_pass=after_pass,
            progress=listen,
        )
    return {
        "engine": label(engine),
        "seconds": ends[-1] - ends[0],
        "pass_seconds": np.diff(ends).tolist(),
        "gap": gaps[-1] if gaps else None,
        "certified": bool(gaps) and gaps[-1] <= _GAP * len(data),
        "objective": goal.full(weights)[0],
    }


def render(result: dict[str, Any]) -> list[str]:
    """A line an engine."""
    asked = result["gap"] * result["sentences"]
    return [
        f"Class {result['class']} on {result['sentences']:,} sentences of `{result['corpus']}`, L2 term "
        f"{result['l2']:g}, until the certified duality gap is at most {significant(asked)} "
        f"({100 * result['gap']:g} % of the number of sentences).",
        "",
        *table(
            ["engine", "time", "passes", "objective", "gap", "certified"],
            [
                [
                    row["engine"],
                    seconds(row["seconds"]),
                    str(len(row["pass_seconds"])),
                    f"{row['objective']:.3f}",
                    "–" if row["gap"] is None else significant(row["gap"]),
                    "yes" if row["certified"] else "stopped before",
                ]
                for row in result["rows"]
            ],
        ),
        "",
    ]


def headlines(result: dict[str, Any]) -> list[Headline]:
    """Compiled against numpy, over the passes that both did."""
    rows = {row["engine"]: row for row in result["rows"]}
    ours, other = label(COMPILED), numpy_engine(rows)
    if ours not in rows or other not in rows:
        return []
    passes = min(len(rows[name]["pass_seconds"]) for name in (ours, other))
    a, b = (sum(rows[name]["pass_seconds"][:passes]) for name in (ours, other))
    gap, sentences = 100 * result["gap"], result["sentences"]
    what = f"training to a certified gap of {gap:g} %, one class, {sentences:,} sentences"
    if not all(rows[name]["certified"] for name in (ours, other)):
        what += f" (the first {passes} passes)"
    return [Headline(what, seconds(a), seconds(b), ratio(b / a))]
