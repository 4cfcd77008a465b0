"""A run that is killed at any moment, and resumed, ends at the same models to the last bit."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from run_folder import assert_same_run

KILLS = 20

#: Trains as often as there are moments, in processes that have everything read in already; a process that is
#: not done at its moment, in seconds, ends at once as by SIGKILL, and another goes on from what it left.
PROGRAM = """
import json, os, signal, sys
from advsp.experiments.config import load_config
from advsp.experiments.train import train
from advsp.support.progress import Silent

def ended(output, moment, resume):
    child = os.fork()
    if child == 0:
        if moment:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, moment)
        train(load_config("tiny.yaml", [f"output={output}"]), Silent(), resume=resume)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

assert ended("whole", 0, False) == 0
codes = []
for number, moment in enumerate(json.loads(sys.argv[1])):
    codes.append(ended(f"killed{number}", moment, False))
    assert ended(f"killed{number}", 0, True) == 0
print(json.dumps(codes))
"""


@pytest.mark.long
@pytest.mark.parametrize("seconds", ["0", "0.05"])
def test_run_killed_at_random_moments_ends_the_same(workspace, seconds):
    text = Path("tiny.yaml").read_text()
    assert "checkpoint_seconds: 0\n" in text
    engine = "engine: {lp: linprog, oracle: numpy}\n"
    passes = text.replace("passes: 2}", "passes: 5}").replace("runs: 2", "runs: 1")
    Path("tiny.yaml").write_text(
        engine + passes.replace("checkpoint_seconds: 0\n", f"checkpoint_seconds: {seconds}\n")
    )
    moments = np.random.default_rng(int(float(seconds) * 100)).uniform(0.01, 0.5, KILLS // 2).tolist()
    child = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(moments)], capture_output=True, text=True, timeout=300
    )
    assert child.returncode == 0, child.stderr
    codes = json.loads(child.stdout)
    assert sum(code < 0 for code in codes) >= 5, "the moments come after the end"
    for number in range(KILLS // 2):
        assert_same_run(Path("whole/runs/tiny"), Path(f"killed{number}/runs/tiny"))
