"""How long the program takes to say what it can do."""

from __future__ import annotations

import statistics
import subprocess
import sys
from functools import partial
from typing import Any

from benchmarks.headline import Headline
from benchmarks.markdown import ratio, seconds, table
from benchmarks.timing import interleave, summary
from benchmarks.workbench import Workbench

TITLE = "Start-up"
_BASE = "python -c 'import typer, rich'"
#: What is started; the first is what the others are compared with.
_PROGRAMS = {
    _BASE: ["-c", "import typer, rich"],
    "advsp --help": ["-c", "from advsp.cli.main import run; run()", "--help"],
    "python -c 'import advsp'": ["-c", "import advsp"],
    "python -c 'from advsp import solve_game'": ["-c", "from advsp import solve_game"],
}


def measure(bench: Workbench) -> dict[str, Any]:
    """Seconds of every program, and its ratio to the first within each round."""
    run = partial(subprocess.run, stdout=subprocess.DEVNULL, check=True)
    candidates = {name: partial(run, [sys.executable, *rest]) for name, rest in _PROGRAMS.items()}
    # Files come from the disk once; that is not what is measured.
    for start in candidates.values():
        start()
    times = interleave(candidates, 3 * bench.settings.rounds, bench.settings.budget)
    base = times[_BASE]
    return {
        "rows": [
            {
                "program": name,
                **summary(times[name]),
                "ratio": statistics.median(a / b for a, b in zip(times[name], base)),
            }
            for name in candidates
        ]
    }


def render(result: dict[str, Any]) -> list[str]:
    """A line a program."""
    return [
        "Medians of repetitions in turns; ratios are medians of those to the first line in the same round.",
        "",
        *table(
            ["program", "time", "ratio"],
            [[f"`{r['program']}`", seconds(r["median"]), ratio(r["ratio"])] for r in result["rows"]],
        ),
        "",
    ]


def headlines(result: dict[str, Any]) -> list[Headline]:
    """None: the table of docs/performance.md is of engines."""
    return []
