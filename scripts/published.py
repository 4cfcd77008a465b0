"""Measure what the published cells of Table 3 are, and write the page about it.

    python scripts/published.py --train
    python scripts/published.py
    python scripts/published.py --render

Measures at the weights that runs have saved, writes results/published/measured*.json, and from those and the
saved scores results/published.md; --train makes the runs that are not there first, --render only the page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.figure import ended
from cells.measure import measure
from cells.page import measured_file, page
from cells.recipes import BLOCKS, published, recipes, training

from advsp.experiments.evaluate import evaluate
from advsp.experiments.train import train
from advsp.support.files import atomic, write_json
from advsp.support.progress import Reporter

ROOT = Path(".")


def run_all(blocks: Sequence[int], reporter: Reporter) -> None:
    """Train and evaluate what the blocks need; a run that is there and whole is taken as it is."""
    for block in blocks:
        for recipe in recipes(block):
            for command in recipe.commands:
                reporter.say(command)
            config = recipe.load()
            train(config, reporter, resume=True)
            evaluate(config.folder, reporter)


def measure_all(blocks: Sequence[int], reporter: Reporter) -> None:
    """Measure the blocks, one file each."""
    for block in blocks:
        trained = training(block).load().folder
        command = f"python scripts/published.py --blocks {block}"
        there = trained if training(block).scores(ROOT).exists() else None
        found = measure(published(block).load().folder, there, command, reporter)
        write_json(measured_file(ROOT, block), found)
        reporter.say(f"wrote {measured_file(ROOT, block)}")


def main(arguments: list[str]) -> int:
    """Run, measure and write; the exit code."""
    parser = argparse.ArgumentParser(prog="published.py", description=__doc__.splitlines()[0])
    parser.add_argument("--train", action="store_true", help="make the runs that are not there, first")
    parser.add_argument("--render", action="store_true", help="only the page, from what is saved")
    parser.add_argument(
        "--blocks", type=int, nargs="+", choices=BLOCKS, default=list(BLOCKS), help="sentences of a split"
    )
    options = parser.parse_args(arguments)

    def make(reporter: Reporter) -> None:
        if options.train:
            run_all(options.blocks, reporter)
        if not options.render:
            measure_all(options.blocks, reporter)
        text = page(ROOT)
        with atomic(ROOT / "results/published.md") as stream:
            stream.write(text)
        reporter.say("wrote results/published.md")

    return ended("published", make)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
