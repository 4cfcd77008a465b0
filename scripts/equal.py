"""Compare systems on equal footing, and write the page about it.

    python scripts/equal.py
    python scripts/equal.py --render

Makes the runs of configs/equal that are not there, trains what was chosen on other sentences, and writes
results/equal/samples*.json, results/figures/equal.svg and .png, results/equal.md and the README's table;
--render makes page, figure and table anew from what is saved.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.figure import ended
from benchmarks.markdown import with_block
from equality.blocks import SAMPLES, blocks_file, replicate
from equality.page import figure, page
from equality.readme import NAME, results_block
from equality.runs import BLOCKS, make

from advsp.support.files import atomic, write_json
from advsp.support.progress import Reporter

ROOT = Path(".")


def main(arguments: list[str]) -> int:
    """Run and write; the exit code."""
    parser = argparse.ArgumentParser(prog="equal.py", description=__doc__.splitlines()[0])
    parser.add_argument("--render", action="store_true", help="only page and figure, from what is saved")
    parser.add_argument(
        "--blocks", nargs="+", choices=BLOCKS, default=list(BLOCKS), help="training sentences"
    )
    options = parser.parse_args(arguments)

    def compare(reporter: Reporter) -> None:
        if not options.render:
            for block in options.blocks:
                make(block, reporter)
                if block in SAMPLES:
                    write_json(blocks_file(block), replicate(block, "python scripts/equal.py", reporter))
        text, pictures, results = page(ROOT), figure(ROOT), results_block(ROOT)
        readme = with_block((ROOT / "README.md").read_text(encoding="utf-8"), NAME, results)
        for path, content in ((ROOT / "results/equal.md", text), (ROOT / "README.md", readme)):
            with atomic(path) as stream:
                stream.write(content)
        reporter.say(f"wrote results/equal.md, README.md, {', '.join(map(str, pictures))}")

    return ended("equal", compare)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
