"""How tests are put into order, and when kernels are compiled for them."""

from __future__ import annotations

import subprocess
import sys

import compiled
import pytest
from order import PURE, SLOW, TESTS


@pytest.mark.parametrize("path", (*PURE, *SLOW))
def test_files_and_folders_that_are_named_are_there(path):
    assert (TESTS / path).exists()


def collected(*arguments: str) -> list[str]:
    """The files of the tests that would be run, in their order."""
    call = [sys.executable, "-m", "pytest", "--collect-only", "-q", *arguments]
    lines = subprocess.run(
        call, cwd=TESTS.parent, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return list(dict.fromkeys(line.partition("::")[0] for line in lines if "::" in line))


def test_slow_ones_can_be_left_out_and_those_without_kernels_come_first():
    there = [
        "tests/show/test_full_game.py",
        "tests/engine/test_large_games.py",
        "tests/metrics/test_counts.py",
    ]
    assert collected(*there) == [there[2], *there[:2]]
    assert collected(*there, "-m", "not slow") == [there[2], there[0]]
    assert collected(*there, "-m", "slow") == [there[1]]


@pytest.fixture
def made(monkeypatch, tmp_path):
    """Counts how often everything was compiled; kernels are complete once it was."""
    calls = []

    def compile_all() -> None:
        calls.append(1)
        (tmp_path / "complete").touch()

    monkeypatch.setattr(compiled, "stamp", lambda: tmp_path / "complete")
    monkeypatch.setattr(compiled, "compile_all", compile_all)
    return calls


def test_whoever_comes_first_to_the_kernels_has_everything_compiled(made):
    through = compiled.watched(lambda name: sys.modules[name], without_compiling=False)
    assert made == []
    assert through("sys") is sys
    assert through("pytest") is pytest
    assert made == [1]


def test_test_is_skipped_where_kernels_would_have_to_be_compiled_and_must_not(made):
    through = compiled.watched(lambda name: sys.modules[name], without_compiling=True)
    for _ in range(2):
        with pytest.raises(pytest.skip.Exception, match="not compiled yet"):
            through("sys")
    assert made == []
    compiled.compile_all()
    assert through("sys") is sys


def test_nothing_is_started_where_everything_is_compiled(made, monkeypatch):
    monkeypatch.setattr(compiled.kernels, "available", lambda: True)
    monkeypatch.setattr(compiled.subprocess, "Popen", lambda command: command)
    assert compiled.start_compiling() is not None
    compiled.compile_all()
    assert compiled.start_compiling() is None
    monkeypatch.setattr(compiled.kernels, "available", lambda: False)
    assert compiled.start_compiling() is None
