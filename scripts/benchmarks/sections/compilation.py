"""What the first use of compiled code costs, which no other section counts."""

from __future__ import annotations

from typing import Any

from benchmarks.child import ask
from benchmarks.engines import COMPILED, fastest, label
from benchmarks.headline import Headline
from benchmarks.markdown import seconds, table
from benchmarks.workbench import Workbench

TITLE = "Compilation"


def measure(bench: Workbench) -> dict[str, Any]:
    """Seconds of first and second uses in a process, without and with compiled code on disk."""
    if fastest() != COMPILED:
        bench.remark("compilation is left out: compiled engines are not installed")
        return {"rows": []}
    environment = {"ADVSP_CACHE": str(bench.scratch / "compiled")}
    rows = []
    progress = bench.reporter.start("compilation", 2)
    try:
        for when in ("nothing compiled before", "compiled code on disk"):
            progress(0, when)
            found = ask("first-use", COMPILED.lp, COMPILED.oracle, environment=environment)
            rows.append({"when": when, **found})
            progress(1)
    finally:
        bench.reporter.stop()
    return {"engine": label(COMPILED), "rows": rows}


def render(result: dict[str, Any]) -> list[str]:
    """A line a state of the disk."""
    if not result["rows"]:
        return ["Nothing is compiled here.", ""]
    tasks = [key for key in result["rows"][0] if key != "when"]
    return [
        f"Small games and a small training with {result['engine']} in a process of its own, imports left "
        "out. The first use after installing compiles and keeps the result on disk; no other section counts "
        "it.",
        "",
        *table(
            ["", *tasks], [[row["when"], *(seconds(row[task]) for task in tasks)] for row in result["rows"]]
        ),
        "",
    ]


def headlines(result: dict[str, Any]) -> list[Headline]:
    """None: it is paid once."""
    return []
