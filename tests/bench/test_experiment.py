"""Whole experiments: memory is that of the command and its workers, and a failure is told."""

from __future__ import annotations

import subprocess
import sys

import pytest
from benchmarks.corpora import ROOT
from benchmarks.sections import experiment
from benchmarks.settings import QUICK
from benchmarks.workbench import Workbench

#: Holds 100 MB for a while, and so does a process that it starts.
HOLDER = """
import subprocess, sys, time
if len(sys.argv) == 1:
    child = subprocess.Popen([sys.executable, sys.argv[0], "child"])
held = b"x" * 100_000_000
time.sleep(1.5)
if len(sys.argv) == 1:
    child.wait()
"""


def test_memory_is_that_of_the_process_and_its_children(tmp_path):
    pytest.importorskip("psutil")
    script = tmp_path / "holder.py"
    script.write_text(HOLDER)
    with subprocess.Popen([sys.executable, str(script)]) as process:
        peak = experiment.peak_memory(process)
    assert 200e6 <= peak["proportional"] <= peak["resident"] <= 300e6


def test_command_that_fails_is_told_with_what_it_said(tmp_path):
    bench = Workbench(QUICK, tmp_path, ROOT)
    with pytest.raises(RuntimeError, match="no such file"):
        experiment.train(bench, "configs/nowhere.yaml", [])


def test_rows_without_memory_are_shown():
    row = {"config": "a.yaml", "seconds": 2.0, "resident": None, "proportional": None}
    assert "| `a.yaml` | 2.0 s | – (–) |" in experiment.render({"rows": [row]})
