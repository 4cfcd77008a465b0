"""Training ADV_aer, with possible links as a label of their own and without."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from advsp.engine.settings import Engine
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.initial.logistic import Logistic
from advsp.support.threads import single_threaded
from advsp.training.edge_model import Possible
from advsp.training.instances import EdgeInstances
from advsp.training.loop import Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers.adagrad import AdaGrad
from benchmarks.engines import COMPILED, label, numpy_engine, training_engines
from benchmarks.headline import Headline
from benchmarks.markdown import ratio, seconds, table
from benchmarks.timing import interleave, summary
from benchmarks.workbench import Workbench

TITLE = "Word alignment"
#: As configs/hansards.yaml trains them.
_STEP, _BATCH, _L2, _ITERATIONS = 0.003, 10, 1.0, 200
_TOLERANCE = Tolerance(start=0.1, decay=0.7, floor=0.01)
#: What ``possible`` of the learner is called in the tables.
LABELS: Mapping[Possible, str] = {"ignore": "S/N", "label": "S/P/N"}


@single_threaded
def measure(bench: Workbench) -> dict[str, Any]:
    """Seconds of training by every engine, features left out."""
    began = time.perf_counter()
    data = bench.bitext.train
    featurising = time.perf_counter() - began
    if bench.settings.pairs is not None:
        data = data.take(np.arange(min(bench.settings.pairs, len(data))))
    passes, rows = bench.settings.aligner_passes, []
    for possible, labels in LABELS.items():
        candidates: dict[str, Callable[[], np.ndarray]] = {
            label(engine): partial(train, data, possible, engine, passes, bench.settings.seed)
            for engine in training_engines()
        }
        # One pair is enough to compile everything that is compiled.
        train(data.take(np.arange(1)), possible, training_engines()[0], 1, bench.settings.seed)
        progress = bench.reporter.start(f"word alignment, {labels}", len(candidates))
        try:
            times = interleave(
                candidates,
                min(3, bench.settings.rounds),
                bench.settings.budget,
                partial(progress, 1),
            )
        finally:
            bench.reporter.stop()
        fallback = min(times[numpy_engine(times)])
        rows += [
            {"labels": labels, "engine": name, **summary(times[name]), "ratio": min(times[name]) / fallback}
            for name in candidates
        ]
    return {
        "corpus": bench.bitext.name,
        "features": bench.bitext.features,
        "pairs": len(data),
        "edges": int(data.offsets[-1]),
        "passes": passes,
        "featurising": featurising,
        "rows": rows,
    }


def train(data: EdgeInstances, possible: Possible, engine: Engine, passes: int, seed: int) -> np.ndarray:
    """Weights of ADV_aer, from a scaled logistic regression."""
    learner = AdversarialLinks(possible=possible)
    model = learner.model(data)
    engine = Engine(engine.lp, engine.oracle, _ITERATIONS)
    goal = Objective(model, learner.loss(model, ["all"], engine), _L2)
    return fit(
        goal,
        AdaGrad(step=_STEP, batch=_BATCH),
        passes=passes,
        seed=seed,
        tolerance=_TOLERANCE,
        initial=lambda: Logistic().weights(learner, goal, seed),
    )


def render(result: dict[str, Any]) -> list[str]:
    """A line an engine and set of labels."""
    return [
        f"ADV_aer on {result['pairs']} pairs of `{result['corpus']}` with {result['edges']:,} edges, "
        f"features `{result['features']}` (made before, in {seconds(result['featurising'])}), "
        f"{result['passes']} passes of online AdaGrad from a scaled logistic regression, one core. In "
        "brackets the time by that of numpy with the fastest LP solver.",
        "",
        *table(
            ["labels of the adversary", "engine", "time"],
            [
                [r["labels"], r["engine"], f"{seconds(r['seconds'])} ({ratio(r['ratio'])})"]
                for r in result["rows"]
            ],
            left=2,
        ),
        "",
    ]


def headlines(result: dict[str, Any]) -> list[Headline]:
    """Compiled against numpy."""
    found = []
    for labels in LABELS.values():
        rows = {row["engine"]: row["seconds"] for row in result["rows"] if row["labels"] == labels}
        ours, other = label(COMPILED), numpy_engine(rows)
        if ours in rows and other in rows:
            what = f"training ADV_aer, {labels}, {result['pairs']} pairs of `{result['corpus']}`"
            found.append(
                Headline(what, seconds(rows[ours]), seconds(rows[other]), ratio(rows[other] / rows[ours]))
            )
    return found
