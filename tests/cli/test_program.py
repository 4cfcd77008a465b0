"""The program itself: its help, its exit codes, and how an error reaches the user."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

from advsp import __version__
from advsp.experiments import train as experiment
from advsp.support.errors import InputError

COMMANDS = ["prepare-conll", "prepare-hansards", "train", "evaluate", "compare", "show-pair", "show-game"]


def program(*arguments, **environment) -> subprocess.CompletedProcess:
    """The program in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "advsp.cli.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    )


def test_version_is_that_of_the_package(command):
    outcome = command("--version")
    assert (outcome.code, outcome.out, outcome.err) == (0, f"advsp {__version__}\n", "")


def test_help_names_every_command(command):
    outcome = command("--help")
    assert outcome.code == 0
    for name in COMMANDS:
        assert name in outcome.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(command, name):
    outcome = command(name, "--help")
    assert outcome.code == 0
    assert "Usage: " in outcome.out
    assert f"advsp {name}" in outcome.out
    assert not outcome.err


def test_command_that_does_not_exist_is_answered_with_the_nearest(command):
    outcome = command("trian")
    assert outcome.code == 2
    assert "train" in outcome.err
    assert "Traceback" not in outcome.err


def test_error_is_one_line_in_a_real_process_too(tmp_path):
    ended = program("train", tmp_path / "nowhere.yaml")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr == f"advsp: {tmp_path / 'nowhere.yaml'}: no such file\n"


def test_debug_shows_the_traceback_in_a_real_process(tmp_path):
    ended = program("--debug", "train", tmp_path / "nowhere.yaml")
    assert ended.returncode == 1
    assert "Traceback (most recent call last)" in ended.stderr
    assert "InputError" in ended.stderr
    assert "no such file" in ended.stderr


def test_prepared_corpus_can_be_trained_on_in_real_processes(workspace):
    assert program("prepare-conll", "raw", "--config", "prepare.yaml", "--output", "corpus").returncode == 0
    ended = program("train", "tiny.yaml", "--set", "runs=1", "--set", "optimiser.passes=1")
    assert (ended.returncode, ended.stderr.strip()) == (0, "")
    assert "models in results/runs/tiny; next: advsp evaluate tiny.yaml" in ended.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(
            ["prepare-conll", "raw", "--config", "prepare.yaml", "--output", "new"], "", id="success"
        ),
        pytest.param(["train", "tiny.yaml", "--set", "classes=[ORG]"], "advsp: classes: ", id="error"),
    ],
)
def test_standard_error_holds_the_error_and_nothing_else(workspace, command, arguments, said):
    err = command(*arguments).err
    assert err.startswith(said)
    assert len(err.splitlines()) == bool(said)


def test_defect_of_the_program_is_not_dressed_up_as_an_error_of_the_user(workspace, command, monkeypatch):
    def broken(*arguments, **options):
        raise ZeroDivisionError

    monkeypatch.setattr(experiment, "train", broken)
    with pytest.raises(ZeroDivisionError):
        command("train", "tiny.yaml")


@pytest.fixture
def interrupted(workspace, command, monkeypatch):
    """Outcome of a training that is interrupted as soon as it begins."""

    def interrupt(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(experiment, "run_training", interrupt)
    return lambda *arguments: command("train", "tiny.yaml", *arguments)


def test_interrupt_has_an_exit_code_of_its_own_and_names_the_way_back(interrupted):
    outcome = interrupted()
    assert outcome.code == 130
    assert "go on with: advsp train tiny.yaml --resume" in outcome.out
    assert "Traceback" not in outcome.out + outcome.err


def test_interrupt_says_so_on_standard_error(interrupted):
    assert interrupted().err == "advsp: interrupted\n"


def test_way_back_from_an_interrupt_can_be_taken(workspace, interrupted, command, monkeypatch):
    outcome = interrupted("--set", "seed=7", "--set", "corpus.name=tiny names")
    monkeypatch.undo()
    monkeypatch.chdir(workspace)
    words = shlex.split(outcome.out.partition("go on with: advsp ")[2])
    assert command(*words).code == 0


def test_input_error_keeps_its_parts():
    error = InputError("found 3", file="a.yaml", line=2, key="runs", hint="say 4")
    assert str(error) == "a.yaml:2: runs: found 3 (say 4)"
    assert (error.problem, error.file, error.line, error.key, error.hint) == (
        "found 3",
        "a.yaml",
        2,
        "runs",
        "say 4",
    )
    assert str(InputError("found 3", line=2)) == "found 3"
