"""Kernels are compiled before jobs begin, and the user is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from advsp.experiments import warm_up as rehearsal
from advsp.experiments.jobs import run_training_job


@pytest.fixture
def tried(monkeypatch) -> list[str]:
    """Names of the systems that are tried out, in order."""
    names, of = [], rehearsal.Rehearsal.of

    def noted(job):
        names.append(job.system)
        return of(job)

    monkeypatch.setattr(rehearsal.Rehearsal, "of", noted)
    return names


def test_every_system_is_tried_out_once_and_before_the_first_job(workspace, command, tried, monkeypatch):
    pytest.importorskip("numba")
    seen = []

    def job(job, *rest):
        seen.append(list(tried))
        return run_training_job(job, *rest)

    monkeypatch.setattr("advsp.experiments.jobs.run_training_job", job)
    assert command("train", "tiny.yaml").code == 0
    assert sorted(tried) == ["ADV_f1", "CRF"]
    assert all(len(names) == 2 for names in seen) and seen


def test_engines_without_kernels_are_not_tried_out(workspace, command, tried):
    assert command("train", "tiny.yaml", "--set", "engine.oracle=numpy").code == 0
    assert tried == []


@pytest.mark.parametrize(("seconds", "said"), [(42.4, True), (0.2, False)])
def test_seconds_of_compilation_are_told_where_there_were_any(workspace, command, monkeypatch, seconds, said):
    compilation = pytest.importorskip("advsp.kernels.compilation")
    monkeypatch.setattr(compilation.Compilation, "seconds", seconds)
    outcome = command("train", "tiny.yaml")
    assert (f"kernels compiled in 42 s, this once; they are in {compilation.FOLDER}" in outcome.out) == said


@pytest.mark.long
def test_where_nothing_is_compiled_processes_share_the_work(workspace, command, monkeypatch):
    pytest.importorskip("numba")
    shared = []

    def run_jobs(function, jobs, workers, progress):
        assert function is rehearsal.perform
        shared.append([part for _, part in jobs])
        return iter(())

    monkeypatch.setattr(rehearsal, "run_jobs", run_jobs)
    monkeypatch.setattr(rehearsal.door, "is_new", lambda: True)
    assert command("train", "tiny.yaml", "--set", "workers=1").code == 0
    assert shared == [[]]
    outcome = command("train", "tiny.yaml", "--set", "workers=3", "--overwrite")
    # Responses first, passes over games last.
    assert shared[1:] == [["adversary", "program", *rehearsal.PARTS, "predictor", "train"]]
    assert "kernels compiled in " in outcome.out


@pytest.mark.long
def test_processes_of_their_own_can_do_every_part(workspace, command, monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setattr(rehearsal.door, "is_new", lambda: True)
    assert command("train", "tiny.yaml", "--set", "workers=2").code == 0


def test_everything_can_be_compiled_beforehand(command, compiled_kernels):
    compilation = pytest.importorskip("advsp.kernels.compilation")
    outcome = command("warm-up", "--workers", "2")
    assert outcome.code == 0
    assert outcome.out == f"nothing left to compile; they are in {compilation.FOLDER}\n"


def test_nothing_can_be_compiled_without_numba(command, monkeypatch):
    monkeypatch.setattr(rehearsal.door, "missing", lambda: "the package 'numba' is not installed")
    outcome = command("warm-up")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(
        "advsp: there is nothing to compile: the package 'numba' is not installed (pip"
    )


def test_rehearsal_leaves_nothing_behind(workspace, command, contents, monkeypatch):
    assert command("train", "tiny.yaml", "--set", "output=with").code == 0
    monkeypatch.setattr("advsp.experiments.train.rehearse", lambda jobs, workers, reporter: None)
    assert command("train", "tiny.yaml", "--set", "output=without").code == 0
    rehearsed, plain = contents(Path("with")), contents(Path("without"))
    assert rehearsed.keys() == plain.keys()
    weights = [path for path in plain if "models" in path and path.endswith(".npz")]
    assert weights and all(rehearsed[path] == plain[path] for path in weights)
