"""Measurements in a process of their own: ``python -m benchmarks.child TASK ...`` prints a line of JSON.

first-use: seconds of the first and of the second time that small things are done.
memory: most memory that the process ever held, after one task.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from advsp.engine.backends.opening import open_backend
from advsp.support.errors import InputError

if TYPE_CHECKING:
    from advsp.engine.game import Game
    from advsp.engine.settings import Engine
    from advsp.training.instances import ChainInstances


def ask(*arguments: object, environment: Mapping[str, str] | None = None) -> dict[str, float]:
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
    found: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return found


def first_use(lp: str, oracle: str) -> dict[str, float]:
    """Seconds of a chain's and an alignment's game and of a training, each done twice, imports left out."""
    import numpy as np

    from advsp.engine.settings import Engine
    from benchmarks.models import train
    from benchmarks.sections.games import random_chain, random_links

    engine, rng = Engine(lp, oracle), np.random.default_rng(1)
    found: dict[str, float] = {}
    tasks: dict[str, Callable[[], object]] = {
        "chain": partial(_solve, engine, random_chain(10, rng)),
        "AER": partial(_solve, engine, random_links((4, 4), rng)),
        "training": partial(train, _sentences(), "PER", engine, 1, 1),
    }
    for kind, task in tasks.items():
        for which in ("first", "second"):
            began = time.perf_counter()
            task()
            found[f"{kind}, {which}"] = time.perf_counter() - began
    return found


def _solve(engine: Engine, game: Game) -> None:
    open_backend(engine).solve(game, 1e-4)


def _sentences() -> ChainInstances:
    """Two sentences of two tokens with a feature each."""
    import numpy as np
    from scipy.sparse import csr_matrix

    from advsp.training.instances import ChainInstances

    words = (("a", "b"), ("c", "d"))
    tags, offsets = np.array([0, 1, 1, 0], dtype=np.int8), np.array([0, 2, 4])
    matrices = csr_matrix(np.eye(4)), csr_matrix(np.ones((4, 1)))
    return ChainInstances(*matrices, tags, offsets, ("PER", "O"), words, words)


def memory(what: str, lp: str, oracle: str, argument: str) -> dict[str, float]:
    """Most bytes held: ``chain`` or ``AER``, one game of a size; ``training``, a pass over a file."""
    import numpy as np

    from advsp.engine.settings import Engine
    from advsp.training.instance_files import load_instances
    from advsp.training.instances import ChainInstances
    from benchmarks.corpora import CLASSES
    from benchmarks.models import train
    from benchmarks.sections.games import random_chain, random_links

    engine, rng, before = Engine(lp, oracle), np.random.default_rng(1), peak()
    if what == "training":
        instances = load_instances(Path(argument))
        if not isinstance(instances, ChainInstances):
            raise InputError("not tagged sentences", file=argument)
        train(instances, CLASSES[0], engine, 1, 1)
    elif what == "chain":
        _solve(engine, random_chain(int(argument), rng))
    else:
        side = int(argument)
        _solve(engine, random_links((side, side), rng))
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
    tasks: dict[str, Callable[..., dict[str, float]]] = {"first-use": first_use, "memory": memory}
    print(json.dumps(tasks[task](*rest)))
