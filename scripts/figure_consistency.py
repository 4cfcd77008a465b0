"""Draw what learners of tags lose as data grow, on chains whose distribution is known.

    python scripts/figure_consistency.py --quick
    python scripts/figure_consistency.py

Writes consistency.svg, .png, .json and .md (all numbers) into results/figures; --redraw makes picture and
caption anew from the numbers that are there.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import machine
from regret.measuring import LENGTHS, Draw, measure, summarise
from regret.picture import caption, draw

from advsp.experiments.warm_up import warm_up
from advsp.report.console import ConsoleReporter
from advsp.runners.local import available_workers
from advsp.support.errors import InputError
from advsp.support.files import atomic, write_json
from advsp.support.progress import Reporter
from advsp.support.records import Fields

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
    parser = argparse.ArgumentParser(prog="figure_consistency.py", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few sentences, to see that it works")
    parser.add_argument("--redraw", action="store_true", help="from the numbers that are there")
    parser.add_argument(
        "--output", type=Path, help="folder to write to; by default results/figures, or results/quick"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the first draw")
    options = parser.parse_args(arguments)
    folder = options.output or Path("results") / ("quick" if options.quick else "figures")
    reporter = ConsoleReporter()
    numbers = folder / f"{NAME}.json"
    try:
        if options.redraw:
            figure: dict[str, Any] = Fields.of_file(numbers).values()
        else:
            command = shlex.join(["python", "scripts/figure_consistency.py", *arguments])
            figure = figure_of(options.quick, options.seed, command, reporter)
            write_json(numbers, figure)
        pictures = draw(figure, folder / NAME)
    except InputError as error:
        print(f"figure_consistency: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("figure_consistency: interrupted", file=sys.stderr)
        return 130
    text = caption(figure)
    with atomic(folder / f"{NAME}.md") as stream:
        stream.write(text)
    reporter.say(text)
    reporter.say(f"wrote {numbers}, {', '.join(map(str, pictures))}, {folder / f'{NAME}.md'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
