"""Measure the toolkit: engines, trainings, memory, start-up, and CRFsuite beside it.

    python scripts/bench.py --quick
    python scripts/bench.py --page

What is compared is measured in turns in one run, so that ratios can be trusted on a machine that others use.
Numbers go to a JSON file, a report in Markdown beside it, and with --page into docs/performance.md.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks.markdown import with_block
from benchmarks.report import NAME, markdown, page_block
from benchmarks.run import run, with_sections_of
from benchmarks.sections import SECTIONS
from benchmarks.settings import QUICK, Settings

from advsp.report.console import ConsoleReporter
from advsp.support.errors import InputError
from advsp.support.files import atomic, write_json

PAGE = Path(__file__).resolve().parents[1] / "docs/performance.md"


def main(arguments: list[str]) -> int:
    """Measure, print and write; the exit code."""
    parser = argparse.ArgumentParser(prog="bench.py", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--quick",
        action="store_true",
        help="small sizes, to see that it works (a minute or two, and compiling)",
    )
    parser.add_argument(
        "--output",
        type=Path,
        help="JSON file to write; by default results/bench/bench.json, or results/quick/bench.json",
    )
    parser.add_argument("--page", action="store_true", help="write the table of docs/performance.md, too")
    parser.add_argument("--seed", type=int, default=1, help="of all random numbers")
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="SECTION",
        choices=list(SECTIONS),
        help="measure these and keep the others of the file, if machine, versions and settings are the same: "
        + ", ".join(SECTIONS),
    )
    options = parser.parse_args(arguments)
    output = options.output or Path("results") / ("quick" if options.quick else "bench") / "bench.json"
    settings = replace(QUICK if options.quick else Settings(), seed=options.seed)
    reporter = ConsoleReporter()
    try:
        # A page without a place for the table is found out before the long part.
        page = with_block(PAGE.read_text(encoding="utf-8"), NAME, "") if options.page else None
        command = shlex.join(["python", "scripts/bench.py", *arguments])
        bench = run(settings, options.only or list(SECTIONS), command, reporter)
        if options.only:
            bench = with_sections_of(bench, output)
    except InputError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        reporter.stop()
        print("bench: interrupted", file=sys.stderr)
        return 130
    report = markdown(bench)
    write_json(output, bench)
    with atomic(output.with_suffix(".md")) as stream:
        stream.write(report)
    if page is not None:
        block = with_block(PAGE.read_text(encoding="utf-8"), NAME, page_block(bench))
        with atomic(PAGE) as stream:
            stream.write(block)
    reporter.say(report)
    reporter.say(f"wrote {output} and {output.with_suffix('.md')}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
