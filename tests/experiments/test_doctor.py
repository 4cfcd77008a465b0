"""What `advsp doctor` finds, says and advises."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from advsp.engine.backends import door
from advsp.engine.lp import solvers
from advsp.engine.lp.base import LPSolver, Session
from advsp.experiments.doctor import installation, machine
from advsp.experiments.doctor.corpora import corpora
from advsp.experiments.doctor.examination import examine

ROOT = Path(__file__).parents[2]


def test_whatever_is_needed_is_in_order_in_a_workspace(workspace, command):
    ended = command("doctor", "--data", ".")
    assert ended.code == 0, ended.out
    lines = ended.out.splitlines()
    assert all(line[:3] in ("ok ", "-- ") for line in lines)
    assert any(line.startswith("ok corpus corpus: 3 files, all as they were prepared") for line in lines)
    for name in solvers.names():
        assert any(line[3:].startswith(f"LP solver {name}: ") for line in lines)


def test_a_corpus_that_was_changed_is_named_and_the_exit_code_is_one(workspace, command):
    (workspace / "corpus/testa.conll").write_text("x O\n")
    ended = command("doctor", "--data", ".")
    assert ended.code == 1
    said = "!! corpus corpus: testa.conll changed since it was prepared (prepare it again, "
    assert any(line.startswith(said) for line in ended.out.splitlines())


def test_missing_files_are_counted_and_a_manifest_that_is_none_is_said(workspace):
    for split in ("train", "testb"):
        (workspace / f"corpus/{split}.conll").unlink()
    (workspace / "other").mkdir()
    (workspace / "other/corpus.json").write_text("[]")
    first, second = corpora(Path("."))
    assert (first.state, first.said) == (
        "broken",
        "train.conll is missing, and 1 file more are not as they were",
    )
    assert second.state == "broken" and second.said.startswith("is no manifest of a corpus")


def test_no_corpus_is_no_fault(tmp_path):
    (finding,) = corpora(tmp_path)
    assert (finding.state, finding.said) == ("absent", "none is prepared")
    assert "advsp init" in finding.remedy


class Wrong(Session):
    """Answers with what is no equilibrium, or with nothing."""

    def __init__(self, row):
        self._row = row

    def solve(self, payoffs):
        if self._row is None:
            raise OSError("no such program")
        return self._row, installation.np.array([0.5, 0.5])


@pytest.mark.parametrize("row", [None, installation.np.array([0.5, 0.5])])
def test_a_solver_that_is_wrong_is_found_out(monkeypatch, row):
    class Liar(LPSolver):
        def session(self):
            return Wrong(row)

        def maximise(self, program):
            raise NotImplementedError

    monkeypatch.setattr(solvers, "names", lambda: ["liar"])
    monkeypatch.setattr(solvers, "get", lambda name: Liar)
    (finding,) = installation.solves()
    assert finding.state == "broken"
    assert finding.said.startswith("does not solve a game of 2 x 2")
    assert "engine.lp=linprog" in finding.remedy


def test_folders_that_cannot_be_written_to_are_said(tmp_path, monkeypatch):
    def refuse(*, dir):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(installation.tempfile, "NamedTemporaryFile", refuse)
    (finding,) = installation.writable((tmp_path / "not" / "there",))
    assert (finding.state, finding.said) == ("broken", "cannot be written to: Permission denied")


def test_without_kernels_everything_works_and_the_remedy_is_said(monkeypatch):
    monkeypatch.setattr(door, "missing", lambda: "the package 'numba' is not installed")
    (finding,) = installation.kernels()
    assert finding.state == "absent" and finding.remedy == door.INSTALL


def test_a_cache_that_is_not_kept_and_one_that_is_new_are_told_apart(monkeypatch, tmp_path):
    monkeypatch.setattr(door, "missing", lambda: None)
    monkeypatch.setattr(door, "folder", lambda: tmp_path)
    monkeypatch.setattr(door, "is_kept", lambda: False)
    (finding,) = installation.kernels()
    assert "is not kept" in finding.said and "ADVSP_CACHE" in finding.remedy
    monkeypatch.setattr(door, "is_kept", lambda: True)
    monkeypatch.setattr(door, "is_new", lambda: True)
    (finding,) = installation.kernels()
    assert "nothing is compiled yet" in finding.said and "advsp warm-up" in finding.remedy


def test_little_memory_is_said(monkeypatch):
    monkeypatch.setattr(machine, "SMALL", 1e18)
    (finding,) = machine.memory()
    assert finding.state == "absent" and "--set workers=1" in finding.remedy


def test_extras_are_those_of_the_package(monkeypatch):
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(installation.EXTRAS) < set(about["project"]["optional-dependencies"])
    monkeypatch.setattr(installation, "find_spec", lambda module: None)
    for finding in installation.extras():
        assert finding.state == "absent"
        assert finding.remedy.startswith("pip install 'advsp[")


def test_every_finding_that_is_not_good_has_a_remedy(tmp_path):
    for finding in examine(tmp_path):
        assert finding.subject and finding.said
        assert finding.state == "good" or finding.remedy
