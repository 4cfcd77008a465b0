"""Which rooms and files of advsp a sentence enters on its way from a column file to a score.

    python scripts/trace_sentence.py
    PYTHONPATH=ANOTHER_CHECKOUT python scripts/trace_sentence.py --set engine.oracle=numpy

Prepares a corpus of a few sentences, trains one system on it and scores it, in this process, and counts the
files of which a function was called.  A room is a folder directly below the package, or a module that lies in
none.  What compiled kernels call is not seen, only that they are called.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import pkgutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

SENTENCES = """\
Mira I-PER
sails O
to O
Vesterby I-LOC

rain O
is O
expected O
"""
FILES = {
    "train.txt": SENTENCES,
    "testa.txt": SENTENCES,
    "testb.txt": SENTENCES,
    "prepare.yaml": "files: {train: train.txt, testa: testa.txt, testb: testb.txt}\n",
    "trace.yaml": """\
name: trace
corpus: {name: trace, path: corpus}
classes: [PER]
seed: 1
workers: 1
optimiser: {name: adagrad, step: 0.1, passes: 1}
selection: {passes: []}
evaluation: {bootstrap: 100}
systems: {ADV_f1: {learner: {name: adversarial}}}
""",
}


def main(arguments: list[str]) -> int:
    """Trace, and print what was entered."""
    parser = argparse.ArgumentParser(prog="trace_sentence.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--package", default="advsp", help="whose files are counted (default: advsp)")
    parser.add_argument(
        "--entry",
        default="advsp.cli.main:run",
        metavar="MODULE:FUNCTION",
        help="the program, which finds its arguments in sys.argv (default: advsp.cli.main:run)",
    )
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="for the training")
    options = parser.parse_args(arguments)
    root = import_all(options.package)
    entry = pkgutil.resolve_name(options.entry)
    given = [part for one in options.set for part in ("--set", one)]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, content in FILES.items():
            Path(name).write_text(content, encoding="utf-8")
        with entered(root) as files:
            run(entry, ["prepare-conll", ".", "--config", "prepare.yaml", "--output", "corpus"])
            run(entry, ["train", "trace.yaml", *given])
            run(entry, ["evaluate", "trace.yaml"])
    print(table(files))
    return 0


def import_all(package: str) -> Path:
    """Import all modules of a package that can be, so that no import is traced; the package's folder."""
    module = import_module(package)
    for one in pkgutil.walk_packages(module.__path__, f"{package}."):
        with contextlib.suppress(ImportError):
            import_module(one.name)
    return Path(module.__path__[0]).resolve()


def run(entry: Callable[[], Any], arguments: Sequence[str]) -> None:
    """Run one command of the program, silently.

    Raises
    ------
    RuntimeError: it fails; the text is what it printed.
    """
    before, sys.argv = sys.argv, ["advsp", *arguments]
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            entry()
    except SystemExit as left:
        if left.code:
            raise RuntimeError(f"{' '.join(arguments)}: {said.getvalue()}") from None
    finally:
        sys.argv = before


@contextlib.contextmanager
def entered(root: Path) -> Iterator[set[str]]:
    """Fills a set with the files below a folder, by their paths from there, of which functions are called."""
    files: set[str] = set()
    seen: dict[str, str | None] = {}
    prefix = f"{root}{os.sep}"

    def called(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            name = frame.f_code.co_filename
            if name not in seen:
                path = os.path.realpath(name)
                seen[name] = path.removeprefix(prefix) if path.startswith(prefix) else None
            if (file := seen[name]) is not None:
                files.add(file)

    threading.setprofile(called)
    sys.setprofile(called)
    try:
        yield files
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def table(files: set[str]) -> str:
    """Rooms, how many of their files were entered, and which."""
    rooms: dict[str, list[str]] = {}
    for file in sorted(files):
        room, _, rest = file.partition(os.sep)
        rooms.setdefault(room, []).append(rest or room)
    lines = [
        f"{'room':20} files",
        *(f"{room:20} {len(names):5}  {' '.join(names)}" for room, names in rooms.items()),
    ]
    return "\n".join([*lines, f"{len(rooms)} rooms, {len(files)} files"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
