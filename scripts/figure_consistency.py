"""Draw what learners of tags lose as data grow, on chains whose distribution is known.

    python scripts/figure_consistency.py --quick
    python scripts/figure_consistency.py

Writes consistency.svg, .png, .json and .md (all numbers) into results/figures; --redraw makes picture and
caption anew from the numbers that are there.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from benchmarks import machine
from benchmarks.figure import Script
from regret.measuring import LENGTHS, Draw, measure, summarise
from regret.picture import caption, draw

from advsp.experiments.warm_up import warm_up
from advsp.runners.local import available_workers
from advsp.support.progress import Reporter

NAME = "consistency"
#: Numbers of training sentences, and of draws; and those of ``--quick``.
FULL = (100, 316, 1000, 3162, 10_000, 31_623, 100_000), 6
QUICK = (100, 1000), 2


def figure_of(quick: bool, seed: int, command: str, reporter: Reporter) -> dict[str, Any]:
    """Measure, and describe the circumstances."""
    sizes, draws = QUICK if quick else FULL
    workers = available_workers(0)
    warm_up(workers, reporter)
    # The largest first, so that none is left to the end.
    planned = [
        Draw(length, size, seed + number)
        for size in reversed(sizes)
        for length in LENGTHS
        for number in range(draws)
    ]
    found = measure(planned, workers, reporter)
    found.sort(key=lambda regret: (regret.length, regret.sentences, regret.seed))
    return {
        "command": command,
        "quick": quick,
        "seed": seed,
        "draws": draws,
        "machine": machine.describe(),
        "rows": summarise(found),
        "regrets": [asdict(regret) for regret in found],
    }


def main(arguments: list[str]) -> int:
    """Measure or read, draw and write; the exit code."""
    about = __doc__.splitlines()[0]
    return Script(NAME, about, "of the first draw", figure_of, draw, caption).run(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
