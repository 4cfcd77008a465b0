"""Best responses alone: the adversary's against one mixture, oracle by oracle."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from advsp.engine.game import Game
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle
from advsp.support.errors import InputError
from benchmarks.engines import installed
from benchmarks.headline import Headline
from benchmarks.markdown import ratio, seconds, table
from benchmarks.sections.games import likely_links, random_chain, random_links
from benchmarks.timing import interleave, summary
from benchmarks.workbench import Workbench

TITLE = "Best responses"
#: Strategies in the predictor's mixture.
_STRATEGIES = 10


def mixture(length: int, share: float, rng: np.random.Generator) -> Mixture:
    """Strategies of the predictor that put ones on a share of the positions, with random probabilities."""
    labellings = (rng.random((_STRATEGIES, length)) < share).astype(np.int8)
    return Mixture(labellings, rng.dirichlet(np.ones(_STRATEGIES)))


def measure(bench: Workbench) -> dict[str, Any]:
    """Seconds of the adversary's response by every oracle that takes the game."""
    settings = bench.settings
    rng = np.random.default_rng(settings.seed)
    _, oracles = installed(bench.remark)
    shapes = [shape for shape in settings.edges if shape in ((16, 20), (80, 80))] or [settings.edges[-1]]
    lengths = [n for n in settings.lengths if n in (40, 113)] or [settings.lengths[-1]]
    cases: list[tuple[str, Game, Mixture]] = []
    for kind, make in (("random", random_links), ("likely links", likely_links)):
        for a, b in shapes:
            # As many links as there are words.
            cases.append(
                (f"AER, {kind}, {a * b:,} edges", make((a, b), rng), mixture(a * b, 1 / max(a, b), rng))
            )
    for length in lengths:
        cases.append(
            (f"chain, random, {length} tokens", random_chain(length, rng), mixture(length, 0.3, rng))
        )
    rows = []
    progress = bench.reporter.start("best responses", len(cases))
    try:
        for what, game, opponent in cases:
            progress(0, what)
            rows += [{"game": what, **row} for row in _measure_case(game, opponent, oracles, bench)]
            progress(1)
    finally:
        bench.reporter.stop()
    return {"strategies": _STRATEGIES, "rows": rows}


def _measure_case(
    game: Game, opponent: Mixture, oracles: list[str], bench: Workbench
) -> list[dict[str, Any]]:
    candidates: dict[str, Callable[[], object]] = {}
    values: dict[str, float] = {}
    for name in oracles:
        oracle = open_oracle(name)
        try:
            values[name] = oracle.adversary(game, opponent)[1]
        except InputError:
            continue  # made for other games
        candidates[name] = partial(oracle.adversary, game, opponent)
    times = interleave(candidates, 3 * bench.settings.rounds, bench.settings.budget / 4)
    found = {name: summary(times[name]) for name in candidates}
    baseline = found["numpy"]["seconds"]
    return [
        {"oracle": name, **found[name], "ratio": found[name]["seconds"] / baseline, "value": values[name]}
        for name in found
    ]


def render(result: dict[str, Any]) -> list[str]:
    """Games down, oracles across."""
    oracles = list(dict.fromkeys(row["oracle"] for row in result["rows"]))
    cells = {(row["game"], row["oracle"]): row for row in result["rows"]}

    def cell(row: dict[str, Any] | None) -> str:
        return "–" if row is None else f"{seconds(row['seconds'])} ({ratio(row['ratio'])})"

    return [
        f"The adversary's response to a mixture of {result['strategies']} strategies, in brackets its time "
        "by that of `numpy`. `reference` is the algorithm as it is written, without pruning.",
        "",
        *table(
            ["game", *oracles],
            [
                [game, *(cell(cells.get((game, name))) for name in oracles)]
                for game in dict.fromkeys(row["game"] for row in result["rows"])
            ],
        ),
        "",
    ]


def headlines(result: dict[str, Any]) -> list[Headline]:
    """Compiled against numpy, in the largest alignment game of every kind."""
    found: dict[str, Headline] = {}
    for game in dict.fromkeys(row["game"] for row in result["rows"]):
        rows = {row["oracle"]: row["seconds"] for row in result["rows"] if row["game"] == game}
        if "compiled" in rows and "edges" in game:
            a, b = rows["compiled"], rows["numpy"]
            line = Headline(f"best response, {game}", seconds(a), seconds(b), ratio(b / a))
            # Sizes grow, so that the last one of a kind stays.
            found[game.rpartition(", ")[0]] = line
    return list(found.values())
