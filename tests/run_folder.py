"""What a run folder holds, and whether two of them hold the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from advsp.support.sparse_arrays import read_packed


def weights(run: Path) -> dict[str, np.ndarray]:
    """The weights of every model of a run."""
    found = {}
    for path in sorted((run / "models").rglob("model.npz")):
        found[str(path.parent.relative_to(run / "models"))] = read_packed(path, "a model", "")["weights"]
    return found


def histories(run: Path) -> dict[str, list[dict]]:
    """The lines of every history of a run, apart from what the clock said."""
    found = {}
    for path in sorted((run / "jobs").rglob("history.jsonl")):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        found[str(path.parent.relative_to(run))] = [
            {key: value for key, value in line.items() if key != "seconds"} for line in lines
        ]
    return found


def assert_same_run(run: Path, other: Path) -> None:
    """The same models bit for bit, the same choices, the same histories."""
    mine, its = weights(run), weights(other)
    assert mine.keys() == its.keys()
    for name in mine:
        assert mine[name].tobytes() == its[name].tobytes(), name
    assert (run / "selection.json").read_bytes() == (other / "selection.json").read_bytes()
    assert histories(run) == histories(other)
