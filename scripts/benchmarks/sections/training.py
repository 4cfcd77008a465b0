"""Training the F-score games: a pass over the gradient, and whole trainings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from advsp.engine.settings import Engine
from advsp.support.threads import single_threaded
from benchmarks.corpora import CLASSES
from benchmarks.engines import COMPILED, label, numpy_engine, training_engines
from benchmarks.headline import Headline
from benchmarks.markdown import exponent, ratio, seconds, table
from benchmarks.models import objective, train
from benchmarks.sections.games import finite
from benchmarks.statistics import growth
from benchmarks.timing import expected, interleave, summary
from benchmarks.workbench import Workbench

TITLE = "Training"
#: Gap of the games of a gradient pass: that of the last passes of a training.
_TOLERANCE = 1e-3


@single_threaded
def measure(bench: Workbench) -> dict[str, Any]:
    """Seconds of a gradient pass and of a training of all classes, for growing numbers of sentences."""
    settings = bench.settings
    jobs: dict[str, tuple[Callable[[Engine, int], Callable[[], Any]], int, float]] = {
        "gradient pass": (partial(_gradient_pass, bench), settings.rounds, settings.budget),
        "training": (partial(_training, bench), 2, settings.budget),
    }
    rows, skipped = [], []
    known: dict[tuple[str, Engine], dict[float, float]] = {}
    for sentences in bench.sizes:
        bench.weights(sentences)
        for what, (make, rounds, budget) in jobs.items():
            candidates: dict[str, Callable[[], Any]] = {}
            for engine in training_engines():
                predicted = expected(sentences, known.setdefault((what, engine), {}), assumed=1.0)
                place = {"what": what, "sentences": sentences, "engine": label(engine)}
                if predicted is not None and predicted > settings.training_budget:
                    skipped.append(place | {"reason": f"about {seconds(predicted)}"})
                else:
                    candidates[label(engine)] = make(engine, sentences)
                    if predicted is None and engine == COMPILED:
                        candidates[label(engine)]()  # what is compiled is compiled now
            progress = bench.reporter.start(f"{what}, {sentences} sentences", len(candidates))
            try:
                times = interleave(candidates, rounds, budget, partial(progress, 1))
            finally:
                bench.reporter.stop()
            found = {name: summary(times[name]) for name in candidates}
            fallback = numpy_engine(found)
            for engine in training_engines():
                if (name := label(engine)) in found:
                    known[what, engine][sentences] = found[name]["seconds"]
                    by = found[name]["seconds"] / found[fallback]["seconds"] if fallback in found else None
                    rows.append(
                        {"what": what, "sentences": sentences, "engine": name, **found[name], "ratio": by}
                    )
    return {
        "corpus": bench.tagging.name,
        "classes": list(CLASSES),
        "passes": settings.passes,
        "tolerance": _TOLERANCE,
        "rows": rows,
        "skipped": skipped,
        "growth": _growths(rows),
    }


def _gradient_pass(bench: Workbench, engine: Engine, sentences: int) -> Callable[[], Any]:
    """All classes' subgradients at their trained weights, no strategies kept from before."""
    data, weights = bench.featurised(sentences).train, bench.weights(sentences)

    def run() -> None:
        for name in CLASSES:
            goal = objective(data, [name], engine)
            goal.tolerance = _TOLERANCE
            goal.full(weights[name])

    return run


def _training(bench: Workbench, engine: Engine, sentences: int) -> Callable[[], Any]:
    data, settings = bench.featurised(sentences).train, bench.settings

    def run() -> list[np.ndarray]:
        return [train(data, name, engine, settings.passes, settings.seed) for name in CLASSES]

    return run


def _growths(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for what, engine in dict.fromkeys((row["what"], row["engine"]) for row in rows):
        used = [row for row in rows if (row["what"], row["engine"]) == (what, engine)]
        fitted = growth([row["sentences"] for row in used], [row["seconds"] for row in used])
        if fitted is not None:
            found.append({"what": what, "engine": engine, **finite(asdict(fitted))})
    return found


def render(result: dict[str, Any]) -> list[str]:
    """Engines down, numbers of sentences across."""
    lines = [
        f"Sentences of `{result['corpus']}`, one core, the classes {', '.join(result['classes'])}; features "
        "are made before. A gradient pass is the subgradient at trained weights, games to a gap of "
        f"{result['tolerance']:g} and from no strategies; a training is {result['passes']} passes of online "
        "AdaGrad. In brackets the time by that of numpy with the fastest LP solver.",
        "",
    ]
    sizes = list(dict.fromkeys(row["sentences"] for row in result["rows"]))
    cells = {(row["what"], row["engine"], row["sentences"]): row for row in result["rows"]}
    grown = {(g["what"], g["engine"]): g for g in result["growth"]}

    def cell(row: dict[str, Any] | None) -> str:
        return "–" if row is None else f"{seconds(row['seconds'])} ({ratio(row['ratio'])})"

    lines += table(
        ["what", "engine", *(f"{size:,} sentences" for size in sizes), "growth exponent"],
        [
            [
                what,
                engine,
                *(cell(cells.get((what, engine, n))) for n in sizes),
                exponent(grown.get((what, engine))),
            ]
            for what, engine in dict.fromkeys((row["what"], row["engine"]) for row in result["rows"])
        ],
        left=2,
    )
    lines.append("")
    for row in result["skipped"]:
        lines.append(
            f"* skipped: {row['what']}, {row['sentences']:,} sentences, {row['engine']}: {row['reason']}"
        )
    if result["skipped"]:
        lines.append("")
    return lines


def headlines(result: dict[str, Any]) -> list[Headline]:
    """Compiled against numpy, for the largest corpora that both took."""
    found = []
    for what in dict.fromkeys(row["what"] for row in result["rows"]):
        for size in reversed(list(dict.fromkeys(row["sentences"] for row in result["rows"]))):
            rows = {
                row["engine"]: row["seconds"]
                for row in result["rows"]
                if (row["what"], row["sentences"]) == (what, size)
            }
            ours, other = label(COMPILED), numpy_engine(rows)
            if ours in rows and other in rows:
                a, b = rows[ours], rows[other]
                name = f"{what}, {len(result['classes'])} classes, {size:,} sentences of `{result['corpus']}`"
                found.append(Headline(name, seconds(a), seconds(b), ratio(b / a)))
                break
    return found
