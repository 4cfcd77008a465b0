"""What every system loses, draw by draw, and what is made of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from advsp.runners.local import run_jobs
from advsp.support.progress import Progress, Reporter
from regret.population import Population
from regret.systems import SYSTEMS

#: Measures by the names that the figure has.
MEASURES = {"sentence": "expected F1 of a sentence", "corpus": "F1 of the corpus"}
#: Length of the sentences to number of contexts.
LENGTHS = {2: 36, 5: 32}


@dataclass(frozen=True)
class Draw:
    """One population, and one sample from it."""

    length: int
    sentences: int
    seed: int


@dataclass(frozen=True)
class Regret:
    """What a system lost in a draw, in points: of the best that can be had under a measure."""

    system: str
    length: int
    sentences: int
    seed: int
    sentence: float
    corpus: float


def measure(draws: Sequence[Draw], workers: int, reporter: Reporter) -> list[Regret]:
    """The regrets of all systems in all draws, in their order."""
    progress = reporter.start("regret", len(draws) * len(SYSTEMS))
    try:
        found = dict(run_jobs(regrets, draws, workers, progress))
    finally:
        reporter.stop()
    return [regret for number in range(len(draws)) for regret in found[number]]


def regrets(draw: Draw, progress: Progress) -> list[Regret]:
    """Those of every system in one draw."""
    population = Population.draw(LENGTHS[draw.length], draw.length, draw.seed)
    data = population.sample(draw.sentences, np.random.default_rng([draw.seed, draw.sentences]))
    found = []
    for name, system in SYSTEMS.items():
        decided = system.decisions(population, data, draw.seed)
        lost = {
            "sentence": population.best_sentence_f1 - population.sentence_f1(decided),
            "corpus": population.best_corpus_f1 - population.corpus_f1(decided),
        }
        points = {key: 100.0 * loss for key, loss in lost.items()}
        found.append(Regret(name, draw.length, draw.sentences, draw.seed, **points))
        progress(1)
    return found


def summarise(found: Sequence[Regret]) -> list[dict[str, Any]]:
    """Mean regret of every system, length, number of sentences and measure, and its standard error."""
    groups: dict[tuple[str, int, int], list[Regret]] = {}
    for regret in found:
        groups.setdefault((regret.system, regret.length, regret.sentences), []).append(regret)
    rows = []
    for (system, length, sentences), members in groups.items():
        for name in MEASURES:
            values = np.array([getattr(member, name) for member in members])
            error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
            rows.append(
                {
                    "system": system,
                    "length": length,
                    "sentences": sentences,
                    "measure": name,
                    "regret": float(values.mean()),
                    "error": error,
                }
            )
    return rows
