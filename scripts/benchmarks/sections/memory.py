"""Peak memory of processes that do one thing each."""

from __future__ import annotations

from typing import Any

from advsp.training.instance_files import save_instances
from benchmarks.child import ask
from benchmarks.engines import COMPILED, fastest, fastest_numpy, label
from benchmarks.headline import Headline
from benchmarks.markdown import table
from benchmarks.workbench import Workbench

TITLE = "Peak memory"
MEGABYTE = 2**20


def measure(bench: Workbench) -> dict[str, Any]:
    """Peak resident memory in bytes of one game and of one pass of training, engine by engine."""
    length, (side, _) = bench.settings.lengths[-1], bench.settings.edges[-1]
    tasks: list[tuple[str, str, object]] = [
        (f"one chain game of {length} tokens", "chain", length),
        (f"one AER game of {side * side:,} edges", "AER", side),
    ]
    for sentences in bench.sizes:
        path = bench.scratch / f"{sentences}.npz"
        save_instances(path, bench.featurised(sentences).train)
        what = f"a pass of training, one class, {sentences:,} sentences of `{bench.tagging.name}`"
        tasks.append((what, "training", path))
    engines = list(dict.fromkeys([fastest(), fastest_numpy()]))
    rows = []
    progress = bench.reporter.start("peak memory", len(tasks) * len(engines))
    try:
        for what, kind, argument in tasks:
            for engine in engines:
                task = ("memory", kind, engine.lp, engine.oracle, argument)
                if engine == COMPILED:
                    ask(*task)  # compiling takes memory of its own
                found = ask(*task)
                rows.append({"what": what, "engine": label(engine), **found})
                progress(1, what)
    finally:
        bench.reporter.stop()
    return {"rows": rows}


def render(result: dict[str, Any]) -> list[str]:
    """Tasks down, engines across."""
    engines = list(dict.fromkeys(row["engine"] for row in result["rows"]))
    cells = {(row["what"], row["engine"]): row for row in result["rows"]}

    def cell(row: dict[str, Any]) -> str:
        return f"{row['peak'] / MEGABYTE:,.0f} ({row['before'] / MEGABYTE:,.0f})"

    return [
        "Megabytes of resident memory at the peak, in a process of its own that compiles nothing; in "
        "brackets after imports alone.",
        "",
        *table(
            ["process", *engines],
            [
                [what, *(cell(cells[what, engine]) for engine in engines)]
                for what in dict.fromkeys(row["what"] for row in result["rows"])
            ],
        ),
        "",
    ]


def headlines(result: dict[str, Any]) -> list[Headline]:
    """None: the table of docs/performance.md is of times."""
    return []
