"""Measurements in a process of their own: ``python -m benchmarks.child TASK ...`` prints a line of JSON.

first-use: seconds of the first and of the second solution of two small games.
memory: most memory that the process ever held, after one task.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def ask(*arguments: object, environment: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What a child says; the engines that it is to use are among the arguments."""
    path = [str(Path(__file__).resolve().parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    variables = {"PYTHONPATH": os.pathsep.join(path), "OMP_NUM_THREADS": "1"}
    # What goes wrong there is for the reader to see.
    ended = subprocess.run(
        [sys.executable, "-m", "benchmarks.child", *map(str, arguments)],
        env={**os.environ, **variables, **(environment or {})},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(ended.stdout.splitlines()[-1])


def first_use(lp: str, oracle: str) -> dict[str, float]:
    """Seconds of a chain's and an alignment's game, solved twice in this process, imports left out."""
    import numpy as np

    from advsp.learners.game_loss import Engine
    from benchmarks.sections.games import random_chain, random_links

    engine, found = Engine(lp, oracle), {}
    for kind, game in {
        "chain": random_chain(10, np.random.default_rng(1)),
        "AER": random_links((4, 4), np.random.default_rng(1)),
    }.items():
        for which in ("first", "second"):
            began = time.perf_counter()
            engine.solve(game, 1e-4)
            found[f"{kind}, {which}"] = time.perf_counter() - began
    return found


def memory(what: str, lp: str, oracle: str, argument: str) -> dict[str, float]:
    """Most bytes held: ``chain`` or ``AER``, one game of a size; ``training``, a pass over a file."""
    import numpy as np

    from advsp.learners.game_loss import Engine
    from advsp.runs import load_instances
    from benchmarks.corpora import CLASSES
    from benchmarks.models import train
    from benchmarks.sections.games import random_chain, random_links

    engine, rng, before = Engine(lp, oracle), np.random.default_rng(1), peak()
    if what == "training":
        train(load_instances(Path(argument)), CLASSES[0], engine, 1, 1)
    elif what == "chain":
        engine.solve(random_chain(int(argument), rng), 1e-4)
    else:
        side = int(argument)
        engine.solve(random_links((side, side), rng), 1e-4)
    return {"before": before, "peak": peak()}


def peak() -> int:
    """Most bytes of memory that this process has held."""
    # On Linux the usage of a child begins at what its parent held; the high-water mark does not.
    status = Path("/proc/self/status")
    if status.exists():
        marks = [line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        if marks:
            return 1024 * int(marks[0])
    # Bytes on macOS, kibibytes elsewhere.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


if __name__ == "__main__":
    task, *rest = sys.argv[1:]
    print(json.dumps({"first-use": first_use, "memory": memory}[task](*rest)))
