"""What scripts that draw a figure do: measure or read, draw, write numbers and caption, end with a code."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advsp.report.console import ConsoleReporter
from advsp.support.errors import InputError
from advsp.support.files import atomic, write_json
from advsp.support.progress import Reporter
from advsp.support.records import Fields


@dataclass(frozen=True)
class Script:
    """A script that draws one figure.

    Attributes
    ----------
    name: of the figure's files; the script is called ``figure_NAME.py``.
    about: one line for the help.
    seed: what the option ``--seed`` is of.
    measure: the numbers, from whether it is to be quick, the seed, the command and a reporter.
    draw: writes the pictures of the numbers, and names them.
    caption: the numbers in Markdown.
    """

    name: str
    about: str
    seed: str
    measure: Callable[[bool, int, str, Reporter], dict[str, Any]]
    draw: Callable[[dict[str, Any], Path], list[Path]]
    caption: Callable[[dict[str, Any]], str]

    def run(self, arguments: list[str]) -> int:
        """Measure or read, draw and write; the exit code."""
        file = f"figure_{self.name}.py"
        parser = argparse.ArgumentParser(prog=file, description=self.about)
        parser.add_argument("--quick", action="store_true", help="in small, to see that it works")
        parser.add_argument("--redraw", action="store_true", help="from the numbers that are there")
        parser.add_argument(
            "--output", type=Path, help="folder to write to; by default results/figures, or results/quick"
        )
        parser.add_argument("--seed", type=int, default=1, help=self.seed)
        options = parser.parse_args(arguments)
        folder = options.output or Path("results") / ("quick" if options.quick else "figures")
        command = shlex.join(["python", f"scripts/{file}", *arguments])

        def make(reporter: Reporter) -> None:
            numbers, page = folder / f"{self.name}.json", folder / f"{self.name}.md"
            if options.redraw:
                figure: dict[str, Any] = Fields.of_file(numbers).values()
            else:
                figure = self.measure(options.quick, options.seed, command, reporter)
                write_json(numbers, figure)
            pictures = self.draw(figure, folder / self.name)
            text = self.caption(figure)
            with atomic(page) as stream:
                stream.write(text)
            reporter.say(text)
            reporter.say(f"wrote {numbers}, {', '.join(map(str, pictures))}, {page}")

        return ended(f"figure_{self.name}", make)


def ended(program: str, make: Callable[[Reporter], None]) -> int:
    """Do what a script is for; 0, or 2 where the user can mend what went wrong, or 130 after Ctrl-C."""
    reporter = ConsoleReporter()
    try:
        make(reporter)
    except InputError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        return 130
    finally:
        reporter.stop()
    return 0
