"""Whole games: every LP solver with every oracle, over growing sizes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

import numpy as np

from advsp.engine.backends.opening import open_backend
from advsp.engine.double_oracle import Equilibrium
from advsp.engine.game import AerGame, ChainF1Game, Game
from advsp.engine.settings import Engine
from advsp.support.errors import InputError
from benchmarks.engines import BASELINE, COMPILED, every_engine, installed, label, numpy_engine
from benchmarks.headline import Headline
from benchmarks.markdown import exponent, ratio, seconds, table
from benchmarks.models import sentence_games
from benchmarks.statistics import growth
from benchmarks.timing import expected, interleave, summary
from benchmarks.workbench import Workbench

SizeT = TypeVar("SizeT")

TITLE = "Games"
#: Gap that every game is solved to, and standard deviation of random potentials.
_TOLERANCE, _SIGMA = 1e-4, 0.3
_TAGS = 5
#: Sentences of every class whose games are played as they are, and what their games are called.
_SENTENCES, _AS_THEY_ARE = 25, "chain, test sentences"
#: What one game of a sentence is compared with on that page, too: the same protocol without kernels,
#: with the linear programs of a general solver, with and without pruning.
_PLAIN = ("pulp-cbc × numpy", "pulp-cbc × reference")
#: Smallest size that growth is fitted on: below it the constant cost of a call is what is measured.
_FIT_FROM = {"chain": 10, "AER": 80}


def random_chain(length: int, rng: np.random.Generator) -> ChainF1Game:
    """A game whose potentials are noise."""
    unary, pairwise = (
        rng.normal(scale=_SIGMA, size=(length, _TAGS)),
        rng.normal(scale=_SIGMA, size=(_TAGS, _TAGS)),
    )
    return ChainF1Game(unary, pairwise, 0)


def random_links(shape: tuple[int, int], rng: np.random.Generator) -> AerGame:
    """A game whose potentials are noise."""
    return AerGame(*rng.normal(scale=_SIGMA, size=(2, shape[0] * shape[1])))


def likely_links(shape: tuple[int, int], rng: np.random.Generator) -> AerGame:
    """A game as after training: nearly all edges clearly have no link, one edge of every word is in doubt."""
    sure, possible = rng.normal(loc=-2.0, scale=0.5, size=(2, *shape))
    words = np.arange(min(shape))
    sure[words, words] = rng.normal(scale=_SIGMA, size=len(words))
    possible[words, words] = rng.normal(scale=_SIGMA, size=len(words))
    return AerGame(sure.ravel(), possible.ravel())


def measure(bench: Workbench) -> dict[str, Any]:
    """Seconds per game of every kind, size and engine; what was skipped; growth exponents."""
    settings = bench.settings
    installed(bench.remark)
    data = bench.featurised(bench.sizes[0])
    weights = bench.weights(bench.sizes[0])
    first = next(iter(weights))
    chosen = data.test.take(np.linspace(0, len(data.test) - 1, _SENTENCES, dtype=int))

    def trained_chains(length: int) -> list[Game]:
        return sentence_games(data.stretches(length, settings.games), weights[first], first)

    def sentences() -> list[Game]:
        return [game for name in weights for game in sentence_games(chosen, weights[name], name)]

    def drawn(make: Callable[[SizeT, np.random.Generator], Game], size: SizeT) -> list[Game]:
        # The same numbers whatever else is measured.
        return [make(size, np.random.default_rng([settings.seed, k])) for k in range(settings.games)]

    kinds: dict[str, list[tuple[int, Callable[[], list[Game]]]]] = {
        "chain, random": [(n, partial(drawn, random_chain, n)) for n in settings.lengths],
        "chain, trained": [(n, partial(trained_chains, n)) for n in settings.lengths],
        # The mean length stands for all of them.
        _AS_THEY_ARE: [(round(len(chosen.tags) / len(chosen)), sentences)],
        "AER, random": [(a * b, partial(drawn, random_links, (a, b))) for a, b in settings.edges],
        "AER, likely links": [(a * b, partial(drawn, likely_links, (a, b))) for a, b in settings.edges],
    }
    rows, skipped = [], []
    total = sum(map(len, kinds.values()))
    progress = bench.reporter.start("games", total)
    try:
        for kind, sizes in kinds.items():
            known: dict[Engine, dict[float, float]] = {e: {} for e in every_engine(settings.iterations)}
            for size, make in sizes:
                progress(0, f"{kind}, {size}")
                found, left_out = _measure_size(make(), size, known, bench)
                place = {"game": kind, "size": size}
                rows += [place | row for row in found]
                skipped += [place | row for row in left_out]
                progress(1)
    finally:
        bench.reporter.stop()
    return {
        "tolerance": _TOLERANCE,
        "baseline": label(BASELINE),
        "rows": rows,
        "skipped": skipped,
        "growth": _growths(rows),
    }


def _measure_size(
    games: list[Game], size: int, known: dict[Engine, dict[float, float]], bench: Workbench
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows and what is skipped at one size; ``known`` learns how long every engine took."""
    settings, skipped = bench.settings, []
    candidates: dict[str, Callable[[], None]] = {}
    solved: dict[str, list[Equilibrium]] = {}
    engines = {label(engine): engine for engine in known}
    for name, engine in list(engines.items()):
        predicted = expected(size, known[engine])
        if predicted is not None and predicted > settings.budget:
            skipped.append({"engine": name, "reason": "too slow", "predicted": predicted / len(games)})
            continue
        if predicted is None:
            # The first size: find out whether the engine takes such games; what is compiled is compiled now.
            try:
                open_backend(engine).solve(games[0], _TOLERANCE)
            except InputError as error:
                skipped.append({"engine": name, "reason": error.problem, "predicted": None})
                del known[engine]
                continue

        def solve_all(name: str = name, engine: Engine = engine) -> None:
            solved[name] = [open_backend(engine).solve(game, _TOLERANCE) for game in games]

        candidates[name] = solve_all
    times = interleave(candidates, settings.rounds, settings.budget)
    found = {name: summary(times[name], per=len(games)) for name in candidates}
    for name in candidates:
        known[engines[name]][size] = found[name]["seconds"] * len(games)
    baseline = found.get(label(BASELINE))
    rows = []
    for name, numbers in found.items():
        equilibria = solved[name]
        rows.append(
            {
                "engine": name,
                **numbers,
                "ratio": numbers["seconds"] / baseline["seconds"] if baseline else None,
                "iterations": float(np.mean([e.iterations for e in equilibria])),
                "unfinished": sum(e.certified and e.gap > _TOLERANCE for e in equilibria),
                "value": float(np.mean([e.value for e in equilibria])),
            }
        )
    return rows, skipped


def _growths(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The growth exponent of every kind of game and engine."""
    found = []
    for kind, engine in dict.fromkeys((row["game"], row["engine"]) for row in rows):
        smallest = _FIT_FROM[kind.partition(",")[0]]
        used = [r for r in rows if (r["game"], r["engine"]) == (kind, engine) and r["size"] >= smallest]
        for of, rounds in (("game", [1.0 for _ in used]), ("round", [r["iterations"] for r in used])):
            times = [r["seconds"] / k for r, k in zip(used, rounds)]
            fitted = growth([r["size"] for r in used], times)
            if fitted is not None:
                found.append({"game": kind, "engine": engine, "of": of, **finite(asdict(fitted))})
    return found


def finite(numbers: dict[str, Any]) -> dict[str, Any]:
    """The same numbers with None for what JSON cannot hold."""
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in numbers.items()}


def render(result: dict[str, Any]) -> list[str]:
    """A table a kind of game: engines down, sizes across; times as a multiple of the baseline's."""
    lines = [
        f"Seconds per game to a certified gap of {result['tolerance']:g}, and in brackets that time by "
        f"{result['baseline']}'s on the same games; a star marks games left unfinished. "
        "Growth exponents are of the time of a game and of one round of double oracle. Approximate responses "
        "certify nothing: their time is that of their own stopping rule.",
        "",
    ]
    for kind in dict.fromkeys(row["game"] for row in result["rows"]):
        rows = [row for row in result["rows"] if row["game"] == kind]
        sizes = list(dict.fromkeys(row["size"] for row in rows))
        cells = {(row["engine"], row["size"]): row for row in rows}
        grown = {(g["engine"], g["of"]): g for g in result["growth"] if g["game"] == kind}
        unit = "edges" if kind.startswith("AER") else "tokens"
        lines += [f"### {kind[0].upper()}{kind[1:]}", ""]
        lines += table(
            ["engine", *(f"{size:,} {unit}" for size in sizes), "growth of a game", "of a round"],
            [
                [
                    engine,
                    *(_cell(cells.get((engine, size))) for size in sizes),
                    *(exponent(grown.get((engine, of))) for of in ("game", "round")),
                ]
                for engine in dict.fromkeys(row["engine"] for row in rows)
            ],
        )
        lines.append("")
        lines += _skipped([row for row in result["skipped"] if row["game"] == kind], unit)
    return lines


def _skipped(rows: list[dict[str, Any]], unit: str) -> list[str]:
    """What was left out and why: by reason where an engine does not take the games, else by engine."""
    unfit: dict[str, list[str]] = {}
    slow: dict[str, list[str]] = {}
    for row in rows:
        if row["predicted"] is None:
            unfit.setdefault(row["reason"], []).append(row["engine"])
        else:
            estimate = f"{row['size']:,} {unit} (about {seconds(row['predicted'])} a game)"
            slow.setdefault(row["engine"], []).append(estimate)
    lines = [f"* not there: {', '.join(engines)}: {reason}" for reason, engines in unfit.items()]
    lines += [f"* skipped as too slow: {engine} at {', '.join(where)}" for engine, where in slow.items()]
    return [*lines, ""] if lines else []


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return "–"
    return f"{seconds(row['seconds'])} ({ratio(row['ratio'])}){'*' if row['unfinished'] else ''}"


def headlines(result: dict[str, Any]) -> list[Headline]:
    """The largest game of every kind that both the compiled and the fastest numpy engine solved."""
    found = []
    ours, numpy = label(COMPILED), numpy_engine({row["engine"] for row in result["rows"]})
    for kind in dict.fromkeys(row["game"] for row in result["rows"]):
        unit = "edges" if kind.startswith("AER") else "tokens"
        rows = {(r["size"], r["engine"]): r["seconds"] for r in result["rows"] if r["game"] == kind}
        for other in (numpy, *(_PLAIN if kind == _AS_THEY_ARE else ())):
            sizes = [size for size, engine in rows if engine == ours and (size, other) in rows]
            if sizes:
                size = max(sizes)
                a, b = rows[size, ours], rows[size, other]
                what = f"one game, {kind}, {size:,} {unit}" + ("" if other == numpy else f", {other}")
                found.append(Headline(what, seconds(a), seconds(b), ratio(b / a)))
    return found
