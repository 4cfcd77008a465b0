"""Draw the error rates of aligners that see no labels against the size of the text they learn from.

    python scripts/figure_aligners.py --quick
    python scripts/figure_aligners.py

Needs data/hansards (make reproduce-hansards prepares it) and eflomal (pip install -e '.[align]').  Writes
aligners.svg, .png, .json and .md (all numbers) into results/figures; --redraw makes picture and caption anew
from the numbers that are there.
"""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from benchmarks import machine
from benchmarks.figure import Script
from text_sizes.measuring import FOLDER, measure, programs
from text_sizes.picture import caption, draw

from advsp.aligners.eflomal import Eflomal
from advsp.corpora.prepared_bitext import read_manifest
from advsp.support.progress import Reporter

NAME = "aligners"
#: Numbers of unlabelled pairs; None is all of them.
FULL = (10_000, 50_000, 100_000, None)
QUICK = (1000, 3000)


def figure_of(quick: bool, seed: int, command: str, reporter: Reporter) -> dict[str, Any]:
    """Measure, and describe the circumstances; nothing is drawn by chance that a seed could repeat."""
    Eflomal.version()
    sizes = QUICK if quick else FULL
    text = read_manifest(FOLDER)["unlabelled"]["files"]
    progress = reporter.start("aligners", len(sizes) * sum(len(runs) for _, runs in programs()))
    try:
        found = measure(sizes, progress)
    finally:
        reporter.stop()
    return {
        "command": command,
        "quick": quick,
        "machine": machine.describe(),
        "text": text,
        "versions": {name: runs[0].version() for name, runs in programs()},
        "runs": [asdict(run) for run in found],
    }


def main(arguments: list[str]) -> int:
    """Measure or read, draw and write; the exit code."""
    return Script(NAME, __doc__.splitlines()[0], "not used", figure_of, draw, caption).run(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
