"""Kernels are compiled before jobs begin, and the user is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from outside import registered

from advsp.engine.measures import measures
from advsp.engine.structures import structures
from advsp.experiments import rehearsed
from advsp.experiments import warm_up as rehearsal
from advsp.experiments.jobs import run_training_job
from advsp.learners import learners
from advsp.support.errors import InputError


@pytest.fixture(autouse=True)
def notes(monkeypatch) -> dict[str, str | None]:
    """What was rehearsed, for one test alone; nothing at first."""
    kept: dict[str, str | None] = {}
    monkeypatch.setattr(rehearsed, "known", lambda: dict(kept))
    monkeypatch.setattr(rehearsed, "remember", kept.update)
    return kept


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


@pytest.mark.parametrize(("seconds", "said"), [(42.4, True), (0.02, False)])
def test_seconds_of_compilation_are_told_where_there_were_any(workspace, command, monkeypatch, seconds, said):
    compilation = pytest.importorskip("advsp.kernels.compilation")
    monkeypatch.setattr(compilation.Compilation, "seconds", seconds)
    outcome = command("train", "tiny.yaml", "--set", "workers=1")
    told = re.search(r"^kernels compiled in \d+ s, this once; they are in (.*)$", outcome.out, re.MULTILINE)
    assert (told is not None and told[1] == str(compilation.FOLDER)) == said


def test_what_was_rehearsed_is_not_rehearsed_again(workspace, command, tried, notes):
    pytest.importorskip("numba")
    assert command("train", "tiny.yaml").code == 0
    assert len(tried) == len(notes) == 2
    # Numbers make no other code, a measure does.
    assert command("train", "tiny.yaml", "--overwrite", "--set", "optimiser.step=0.7").code == 0
    assert len(tried) == 2
    setting = "systems={A: {learner: {name: adversarial, measure: {name: fbeta, beta: 3}}}}"
    assert command("train", "tiny.yaml", "--overwrite", "--set", setting).code == 0
    assert len(tried) == len(notes) == 3


@pytest.mark.parametrize(
    ("module", "registry", "name", "learner"),
    [
        ("fowlkes_mallows", measures, "fowlkes-mallows", "{name: adversarial, measure: fowlkes-mallows}"),
        ("perceptron", learners, "perceptron", "{name: perceptron}"),
    ],
)
def test_what_is_from_outside_is_rehearsed_every_time(
    workspace, command, tried, notes, module, registry, name, learner
):
    pytest.importorskip("numba")
    with registered(module, registry, name):
        for more in ((), ("--overwrite",)):
            setting = f"systems={{A: {{learner: {learner}, selection: {{rules: [mode]}}}}}}"
            assert command("train", "tiny.yaml", "--set", setting, "--set", "workers=1", *more).code == 0
    assert tried == ["A", "A"] and not notes


def test_a_structure_from_outside_makes_its_learner_one_from_outside():
    learner = learners.get("adversarial-links")
    assert rehearsal._is_ours(learner()) and rehearsal._is_ours(learner(structure="matching"))
    assert rehearsal._is_ours(learners.get("stacked")(second=learner()))
    with registered("at_most_one", structures, "at-most-one"):
        outside = learner(structure="at-most-one")
        assert not rehearsal._is_ours(outside)
        assert not rehearsal._is_ours(learners.get("stacked")(second=outside))


def test_systems_of_one_kind_are_tried_out_once(workspace, command, tried):
    pytest.importorskip("numba")
    setting = "systems={A: {learner: {name: crf}}, B: {learner: {name: crf}, optimiser: {l2: 0.5, step: 2}}}"
    assert command("train", "tiny.yaml", "--set", setting, "--set", "optimiser.l2=0.7").code == 0
    assert tried == ["A"]


def test_why_systems_are_left_to_numpy_is_said_every_time(workspace, command, monkeypatch):
    pytest.importorskip("numba")
    monkeypatch.setattr(rehearsal.Rehearsal, "left_to_numpy", lambda self: f"for {self.system}")
    for more in ((), ("--overwrite",)):
        outcome = command("train", "tiny.yaml", *more)
        assert "ADV_f1: in numpy, for ADV_f1" in outcome.out and "CRF: in numpy, for CRF" in outcome.out


def test_processes_share_the_work(workspace, command, monkeypatch):
    pytest.importorskip("numba")
    shared = []

    def run_jobs(function, jobs, workers, progress):
        assert function is rehearsal.perform and workers == 3
        shared.extend([part for _, part in parts] for parts in jobs)
        raise InputError("enough")

    monkeypatch.setattr(rehearsal, "run_jobs", run_jobs)
    monkeypatch.setattr(rehearsal.door, "is_kept", lambda: True)
    assert command("train", "tiny.yaml", "--set", "workers=3").err.startswith("advsp: enough")
    # Responses first, passes over games last and in one piece.
    alone = [["adversary"], ["program"], *([part] for part in rehearsal.PARTS), ["predictor"]]
    assert shared == [*alone, list(rehearsal.PARTS)]


def test_where_nothing_is_kept_one_process_compiles(workspace, command, monkeypatch):
    pytest.importorskip("numba")
    used = []

    def run_jobs(function, jobs, workers, progress):
        used.append(workers)
        raise InputError("enough")

    monkeypatch.setattr(rehearsal, "run_jobs", run_jobs)
    monkeypatch.setattr(rehearsal.door, "is_kept", lambda: False)
    assert command("train", "tiny.yaml", "--set", "workers=3").code == 2
    assert used == [1]


@pytest.mark.long
def test_processes_of_their_own_can_do_every_part(workspace, command):
    pytest.importorskip("numba")
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
