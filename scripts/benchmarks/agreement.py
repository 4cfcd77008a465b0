"""Exact against approximate responses: how long games take, and how often both end at the same prediction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from advsp.engine.backends.opening import open_backend
from advsp.engine.double_oracle import Equilibrium
from advsp.engine.game import Game
from advsp.engine.settings import Engine
from advsp.support.progress import Progress
from advsp.support.threads import single_threaded
from benchmarks.engines import COMPILED, fastest_numpy, installed
from benchmarks.models import STATES
from benchmarks.statistics import share_interval
from benchmarks.timing import interleave

#: Confidence of the intervals.
LEVEL = 0.99


@dataclass(frozen=True)
class Rule:
    """How the games of one state of training are played.

    Attributes
    ----------
    tolerance: gap to which they are solved, as training does at that stage.
    once_a_length: whether one game stands for all of its length; at zero weights they are the same game.
    """

    tolerance: float
    once_a_length: bool = False


RULES: Mapping[str, Rule] = dict(
    zip(STATES, (Rule(0.1, once_a_length=True), Rule(0.01), Rule(1e-4)), strict=True)
)
#: Rounds after which a game is left as it is.
ITERATIONS = 1000
#: A game is repeated up to so many times, while so many seconds last.
_ROUNDS, _BUDGET = 3, 0.02


def backends() -> dict[str, tuple[Engine, Engine]]:
    """Backend to its exact and its approximate engine, the fastest backend first."""
    lps, oracles = installed()
    exact = fastest_numpy()
    found = {"numpy": (exact, Engine(exact.lp, "approximate-numpy"))}
    if "compiled" in lps and {"compiled", "approximate-compiled"} <= set(oracles):
        found = {"compiled": (COMPILED, Engine(COMPILED.lp, "approximate-compiled"))} | found
    return {name: (limited(exact), limited(approximate)) for name, (exact, approximate) in found.items()}


def limited(engine: Engine) -> Engine:
    """The same engine, which leaves a game after :data:`ITERATIONS` rounds."""
    return Engine(engine.lp, engine.oracle, ITERATIONS)


@single_threaded
def play(
    games: Sequence[tuple[str, Game]],
    rule: Rule,
    engines: Mapping[str, tuple[Engine, Engine]],
    progress: Progress,
) -> list[dict[str, Any]]:
    """One record a game: its class, its length, what either kind of response says, and how long it took.

    Parameters
    ----------
    games: class and game.
    engines: as :func:`backends` gives them; what is said is the first one's.
    """
    records: list[dict[str, Any]] = []
    seen: set[int] = set()
    for name, game in games:
        length = game.predictor.length
        if rule.once_a_length and length in seen:
            progress(1)
            continue
        if not seen:  # whatever is compiled is compiled now
            for engine in (engine for pair in engines.values() for engine in pair):
                open_backend(engine).solve(game, rule.tolerance)
        seen.add(length)
        solved: dict[tuple[str, str], Equilibrium] = {}

        def solve(
            key: tuple[str, str],
            engine: Engine,
            game: Game = game,
            solved: dict[tuple[str, str], Equilibrium] = solved,
        ) -> None:
            solved[key] = open_backend(engine).solve(game, rule.tolerance)

        candidates = {
            f"{backend} {kind}": partial(solve, (backend, kind), engine)
            for backend, pair in engines.items()
            for kind, engine in zip(("exact", "approximate"), pair)
        }
        times = interleave(candidates, _ROUNDS, _BUDGET)
        exact, approximate = (solved[next(iter(engines)), kind] for kind in ("exact", "approximate"))
        records.append(
            {
                "class": name,
                "length": length,
                "seconds": {key: min(found) for key, found in times.items()},
                "same": bool(np.array_equal(exact.predictor.mode(), approximate.predictor.mode())),
                "exact": exact.value,
                "approximate": approximate.value,
                "gap": exact.gap,
                "iterations": [exact.iterations, approximate.iterations],
            }
        )
        progress(1)
    return records


def summarise(records: Sequence[dict[str, Any]], rule: Rule) -> dict[str, Any]:
    """The statistics of one state: agreement with its interval, error of the value, ratio of the times.

    ``open`` are the games that are not over in the first round of exact responses.
    """
    same = sum(record["same"] for record in records)
    errors = np.array([record["approximate"] - record["exact"] for record in records])
    backends = dict.fromkeys(key.partition(" ")[0] for key in records[0]["seconds"])
    totals = {key: sum(record["seconds"][key] for record in records) for key in records[0]["seconds"]}
    return {
        "games": len(records),
        "tolerance": rule.tolerance,
        "same": same,
        "agreement": same / len(records),
        "interval": list(share_interval(same, len(records), LEVEL)),
        "open": sum(record["iterations"][0] > 1 for record in records),
        "open_same": sum(record["same"] for record in records if record["iterations"][0] > 1),
        "level": LEVEL,
        "mean_error": float(errors.mean()),
        "mean_absolute_error": float(np.abs(errors).mean()),
        "unfinished": sum(record["gap"] > rule.tolerance for record in records),
        "seconds": totals,
        "speed": {name: totals[f"{name} exact"] / totals[f"{name} approximate"] for name in backends},
        "mean_iterations": np.mean([record["iterations"] for record in records], axis=0).tolist(),
    }


def binned(records: Sequence[dict[str, Any]], series: str, bins: int = 8) -> dict[str, list[float]]:
    """Geometric mean and quartiles of the seconds of one series over lengths that are near each other.

    Parameters
    ----------
    series: a key of the records' seconds, e.g. ``"numpy exact"``.
    bins: most groups, of equal width in the logarithm of the length.
    """
    lengths = np.array([record["length"] for record in records], dtype=float)
    times = np.array([record["seconds"][series] for record in records])
    edges = np.geomspace(lengths.min(), lengths.max() + 1e-9, bins + 1)
    group = np.clip(np.searchsorted(edges, lengths, side="right") - 1, 0, bins - 1)
    found: dict[str, list[float]] = {"length": [], "mean": [], "low": [], "high": []}
    for number in np.unique(group):
        chosen = group == number
        found["length"].append(float(np.exp(np.log(lengths[chosen]).mean())))
        found["mean"].append(float(np.exp(np.log(times[chosen]).mean())))
        for name, value in zip(("low", "high"), np.quantile(times[chosen], (0.25, 0.75))):
            found[name].append(float(value))
    return found
