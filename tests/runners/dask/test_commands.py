"""``--dask``: the commands' results are those of a local run, with a worker killed in mid-run, too."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from run_folder import assert_same_run

pytest.importorskip("distributed", reason="distributed is not installed")

from advsp.experiments import jobs
from advsp.runners.dask.shards import ClusterLosses

pytestmark = pytest.mark.long

EXPERIMENT = """\
name: spread
corpus: {name: tiny, path: corpus}
classes: [PER, LOC]
workers: 1
checkpoint_seconds: 0
engine: {lp: linprog, oracle: numpy}
optimiser: {name: adadelta, passes: 6, shards: 3, epsilon: 0.001}
selection: {passes: [2]}
evaluation: {bootstrap: 100}
systems:
  CRF:
    learner: {name: crf}
    optimiser: {name: lbfgs, passes: 1, iterations: 6, l2: 1.0, shards: 4}
    selection: {passes: [], rules: [mode]}
  ADV_f1:
    learner: {name: adversarial, share: true}
  online:
    learner: {name: adversarial}
    optimiser: {name: adagrad, passes: 2}
"""

#: The evaluation of a sharded objective that is stopped, and the one during which a worker is killed.
STOPPED, KILLED = 10, 12


@pytest.fixture
def spread(workspace, monkeypatch) -> Path:
    """The current folder, with sharded and other systems to train; splits are decoded in pieces of three."""
    monkeypatch.setattr(jobs, "PIECE", 3)
    (workspace / "spread.yaml").write_text(EXPERIMENT)
    return workspace


def run(command, output: str, *more: str):
    ended = command("train", "spread.yaml", "--set", f"output={output}", *more)
    assert (ended.code, ended.err.strip()) == (0, "")
    return Path(output) / "runs" / "spread"


def scores(output: str) -> dict:
    found = json.loads(Path(output, "scores", "spread.json").read_text())
    return {name: found[name] for name in ("rows", "tests", "selection")}


def test_results_are_those_of_a_local_run_though_it_is_stopped_and_a_worker_killed(
    spread, command, three, loopback, monkeypatch
):
    """Stopped in the first sharded system, gone on with; a worker is killed in the second."""
    local = run(command, "local")
    evaluations, evaluate = [], ClusterLosses.evaluate

    def disturbed(self, *arguments):
        evaluations.append(self)
        if len(evaluations) == STOPPED:
            raise KeyboardInterrupt
        if len(evaluations) == KILLED:
            loopback.kill(three._client.run(os.getpid)[self._place.homes[0]])
        return evaluate(self, *arguments)

    monkeypatch.setattr(ClusterLosses, "evaluate", disturbed)
    begun = ("train", "spread.yaml", "--set", "output=cluster", "--dask", loopback.address)
    ended = command(*begun)
    assert ended.code == 130
    assert f"--dask {loopback.address} --resume" in ended.out
    assert command(*begun, "--resume").code == 0
    assert len(evaluations) > KILLED
    assert len(loopback.pids()) == 2
    spread_out = Path("cluster/runs/spread")
    assert_same_run(local, spread_out)
    for output, more in (("local", ()), ("cluster", ("--dask", loopback.address))):
        ended = command("evaluate", "spread.yaml", "--set", f"output={output}", *more, "--quiet")
        assert (ended.code, ended.err.strip()) == (0, "")
    assert scores("local") == scores("cluster")
    left = [path.name for path in spread_out.rglob("*")]
    assert not {"shards", "memories"} & set(left)
    assert not [name for name in left if name.startswith((".advsp-probe", "evaluation"))]


def test_run_that_was_begun_on_a_cluster_goes_on_without_it(spread, command, loopback, three, interrupt):
    local = run(command, "local")
    begun = ("train", "spread.yaml", "--set", "output=cluster")
    interrupt("advsp.runners.dask.shards:ClusterLosses.evaluate", STOPPED)
    assert command(*begun, "--dask", loopback.address).code == 130
    assert list(Path("cluster").rglob("memories"))
    assert command(*begun, "--resume").code == 0
    assert_same_run(local, Path("cluster/runs/spread"))
