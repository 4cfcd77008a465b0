"""Draw the paper's figure: double-oracle time against sentence length, exact against approximate responses.

    python scripts/figure_double_oracle.py --quick
    python scripts/figure_double_oracle.py

Writes double_oracle.svg, .png, .json and .md (a caption with all numbers) into results/figures; --redraw
makes picture and caption anew from the numbers that are there.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.agreement import ITERATIONS, RULES, backends, binned, play, summarise
from benchmarks.caption import caption
from benchmarks.corpora import CLASSES, Tagging
from benchmarks.drawing import draw
from benchmarks.engines import fastest
from benchmarks.figure import Script
from benchmarks.models import STATES, sentence_games, train_states

from advsp.support.progress import Reporter

NAME = "double_oracle"
#: Sentences of either split, and passes over the training split; and those of ``--quick``.
FULL, QUICK = (300, 15), (40, 3)


def measure(quick: bool, seed: int, command: str, reporter: Reporter) -> dict[str, Any]:
    """Train, play all games of the test split in every state of training, and describe the circumstances."""
    sentences, passes = QUICK if quick else FULL
    engines = backends()
    with tempfile.TemporaryDirectory(prefix="advsp-figure-") as scratch:
        corpus = Tagging(Path(scratch))
        if not corpus.real:
            reporter.say("note: data/conll2003 is not prepared; the sample corpus stands in for it")
            sentences = min(sentences, 150)
        data, checksums = corpus.featurise(sentences), corpus.checksums()
    try:
        progress = reporter.start("training", len(CLASSES) * passes * sentences)
        weights = {
            name: train_states(data.train, name, fastest(), passes, seed, progress) for name in CLASSES
        }
        states = {}
        for state in STATES:
            games = [
                (name, game)
                for name in CLASSES
                for game in sentence_games(data.test, weights[name][state], name)
            ]
            progress = reporter.start(f"games at {state} weights", len(games))
            records = play(games, RULES[state], engines, progress)
            states[state] = {
                "summary": summarise(records, RULES[state]),
                "longest": max(record["length"] for record in records),
                "series": {name: binned(records, name) for name in records[0]["seconds"]},
            }
    finally:
        reporter.stop()
    return {
        "command": command,
        "quick": quick,
        "seed": seed,
        "machine": machine.describe(),
        "data": checksums,
        "games_of": f"the first {sentences} sentences of {corpus.name} testb, classes {', '.join(CLASSES)}",
        "sentences": sentences,
        "passes": passes,
        "iterations": ITERATIONS,
        "engines": {name: [f"{e.lp} × {e.oracle}" for e in pair] for name, pair in engines.items()},
        "states": states,
    }


def main(arguments: list[str]) -> int:
    """Measure or read, draw and write; the exit code."""
    about = __doc__.splitlines()[0]
    return Script(NAME, about, "of the trainings", measure, draw, caption).run(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
