"""What every group of alignment features is worth, by folds of the pairs that are not tested.

    python scripts/ablation.py

Needs data/hansards (make reproduce-hansards prepares it).  Writes ablation.json and .md into results/figures.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks import machine
from benchmarks.figure import ended
from benchmarks.markdown import table

from advsp.corpora.prepared_bitext import list_text_posteriors, read_manifest
from advsp.engine.settings import Engine
from advsp.experiments.decisions import Output, best_threshold, decide, thresholds_in_steps
from advsp.experiments.folds import Fold
from advsp.features.bitext.aligners import find_aligner
from advsp.features.bitext.corpus import count_corpus, make_instances
from advsp.features.bitext.sets import CONTEXT, PREDICTIONS, TASKAR, FeatureSet
from advsp.learners.cross_fitting import FirstStage
from advsp.learners.logistic import LogisticLinks
from advsp.metrics import metrics
from advsp.support.files import atomic, write_json
from advsp.support.progress import Reporter
from advsp.tasks.base import ALL
from advsp.training.instances import EdgeInstances

FOLDER, OUTPUT = Path("data/hansards"), Path("results/figures")
SPLITS = ("train", "valid")
ALIGNERS = ("m4", "hmm", "eflomal", "agreement", "words", "smoothed", "eflomal-1")
#: What is added to the groups of ``everything``, and what is left out of the aligners.
ADDED: dict[str, tuple[str, ...]] = {
    "everything": (),
    "+ link statistics": ("link-statistics",),
    "+ posterior context": ("posterior-context",),
    "+ both: statistics": ("link-statistics", "posterior-context"),
    "+ bigrams": ("link-statistics", "posterior-context", "bigrams"),
    "+ identities": ("link-statistics", "posterior-context", "identities"),
    "+ all: statistics+identities": ("link-statistics", "posterior-context", "bigrams", "identities"),
}
WITHOUT = {
    "statistics without GIZA++": ("m4", "hmm", "eflomal"),
    "statistics without smoothed-agreement": ("smoothed",),
    "statistics without agreement, both ways": ("agreement", "words"),
    "statistics without eflomal on all pairs": ("eflomal-1",),
}
SEEDS, FOLDS = (1, 2, 3), 5
#: What is said of the numbers.
ABOUT = """\
A logistic regression is trained on four fifths of the 137 pairs and scored on the rest, five times for each
of three shuffles; every shuffle has its own best threshold. The test pairs are never looked at."""


def ablation(command: str, reporter: Reporter) -> dict[str, Any]:
    """Error rates on folds, set by set."""
    statistics = count_corpus(FOLDER, SPLITS)
    rows = []
    plans: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
        (name, added, ()) for name, added in ADDED.items()
    ]
    plans += [(name, ADDED["+ both: statistics"], left_out) for name, left_out in WITHOUT.items()]
    progress = reporter.start("ablation", len(plans) * len(SEEDS) * FOLDS)
    try:
        for name, added, left_out in plans:
            chosen = _features(added, left_out)
            instances, features = make_instances(FOLDER, chosen, SPLITS[0], SPLITS[1:], statistics)
            both = EdgeInstances.joined([instances[split] for split in SPLITS])
            rates = []
            for seed in SEEDS:
                rates.append(_rate(both, seed))
                progress(FOLDS, name)
            rows.append({"features": name, "columns": len(features.names), "rates": rates})
    finally:
        reporter.stop()
    return {"command": command, "machine": machine.describe(), "seeds": list(SEEDS), "rows": rows}


def _features(added: tuple[str, ...], left_out: tuple[str, ...]) -> FeatureSet:
    available = read_manifest(FOLDER)["aligners"]
    names = [name for name in ALIGNERS if name not in left_out]
    aligners = tuple(find_aligner(name, available, SPLITS) for name in names)
    everywhere = tuple(name for name in names if name in list_text_posteriors(FOLDER)) if added else ()
    return FeatureSet((*TASKAR, *PREDICTIONS, *CONTEXT, *added), aligners, everywhere)


def _rate(pairs: EdgeInstances, seed: int) -> float:
    """The error rate on all folds at the best threshold, in percent."""
    learner, stage, metric = LogisticLinks(), FirstStage(), metrics.get("aer")()
    parts = []
    for number in range(FOLDS):
        out = Fold(number, FOLDS, seed).held_out(len(pairs))
        weights = stage.weights(pairs.take(np.flatnonzero(~out)))
        held_out = pairs.take(np.flatnonzero(out))
        model = learner.model(held_out)
        said = learner.decode(model, weights, (ALL,), Engine(), 1e-6)[ALL]
        parts.append(Output(held_out, {ALL: said}))
    threshold = best_threshold(parts, ALL, metric, thresholds_in_steps(0.01))
    counts = sum(
        metric.counts(decide(part.decoded[ALL], "threshold", threshold), part.instances, ALL).sum(axis=0)
        for part in parts
    )
    return round(100 * float(metric.score(counts)), 3)


def page(found: dict[str, Any]) -> str:
    """The rates as a table."""
    lines = [
        [
            row["features"],
            str(row["columns"]),
            f"{np.mean(row['rates']):.2f}",
            " ".join(f"{rate:.2f}" for rate in row["rates"]),
        ]
        for row in found["rows"]
    ]
    header = ["features", "columns", "AER on folds", "of every shuffle"]
    return "\n".join(["# What groups of features are worth", "", ABOUT, "", *table(header, lines), ""])


def main(arguments: list[str]) -> int:
    """Measure and write; the exit code."""

    def make(reporter: Reporter) -> None:
        found = ablation("python scripts/ablation.py", reporter)
        write_json(OUTPUT / "ablation.json", found)
        with atomic(OUTPUT / "ablation.md") as stream:
            stream.write(page(found))
        reporter.say(page(found))

    return ended("ablation", make)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
