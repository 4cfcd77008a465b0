"""The program itself: its help, its exit codes, and how an error reaches the user."""

from __future__ import annotations

import errno
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from advsp import __version__
from advsp.experiments import train as experiment
from advsp.support.errors import InputError

COMMANDS = [
    "prepare-conll", "prepare-hansards", "train", "evaluate", "compare", "predict", "align", "inspect",
    "show-pair", "show-game",
]  # fmt: skip


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


@pytest.mark.parametrize("behind", [False, True])
def test_debug_shows_the_traceback_and_changes_nothing_else(tmp_path, behind):
    arguments = ["train", tmp_path / "nowhere.yaml"]
    ended = program(*(arguments + ["--debug"] if behind else ["--debug"] + arguments))
    assert ended.returncode == 2
    assert "Traceback (most recent call last)" in ended.stderr
    assert "InputError" in ended.stderr
    assert ended.stderr.splitlines()[-1] == f"advsp: {tmp_path / 'nowhere.yaml'}: no such file"


@pytest.mark.long
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


# ---- what the system may do to a command


@pytest.mark.parametrize("number", [1, 4, 9])
def test_a_full_disk_is_said_in_one_line_and_what_was_written_stays(workspace, command, monkeypatch, number):
    real, calls = os.fsync, []

    def full(descriptor):
        calls.append(descriptor)
        if len(calls) >= number:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    ended = command("train", "tiny.yaml")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "cannot be written: No space left on device" in ended.err
    assert len([path for path in Path("results").rglob("*") if path.is_file()]) >= number - 1
    assert not [path for path in Path("results").rglob("*.advsp-tmp")]
    monkeypatch.setattr(os, "fsync", real)
    assert command("train", "tiny.yaml", "--resume").code == 0


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="everything may be written to")
def test_a_folder_that_may_not_be_written_to_is_named(workspace, command):
    Path("results").mkdir(mode=0o500)
    ended = command("train", "tiny.yaml")
    assert (ended.code, "results" in ended.err, len(ended.err.splitlines())) == (2, True, 1)


def test_a_file_where_a_folder_is_wanted_is_named(workspace, command):
    Path("results").write_text("")
    ended = command("train", "tiny.yaml")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "results" in ended.err


@pytest.mark.long
def test_a_reader_that_has_seen_enough_ends_the_command_quietly():
    shell = f"{sys.executable} -m advsp.cli.main show-game table1 | head -c 20; exit ${{PIPESTATUS[0]}}"
    for _ in range(3):
        ended = subprocess.run(["bash", "-c", shell], capture_output=True, text=True)
        assert ended.stderr == ""
        assert ended.returncode in (0, 1)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_cannot_be_shown_is_shown_otherwise(bitext_workspace, encoding):
    """Signs have letters in their place; words have question marks."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    command = [sys.executable, "-m", "advsp.cli.main", "show-pair", "corpus", "1", "--aligner", "m.ef"]
    ended = subprocess.run(command, capture_output=True, env=environment)
    assert (ended.returncode, ended.stderr) == (0, b"")
    said = ended.stdout.decode(encoding)
    assert "?" not in said and "S  sure, predicted" in said


def test_a_second_process_in_a_folder_is_refused_until_the_first_has_gone(workspace, command):
    """A process that has the lock is killed, and leaves none."""
    code = (
        "import time\nfrom pathlib import Path\nfrom advsp.support.lock import locked\n"
        "with locked(Path('results/runs/tiny'), 'wait'):\n"
        "    print('has it', flush=True)\n    time.sleep(600)\n"
    )
    first = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout.readline() == "has it\n"
        ended = command("train", "tiny.yaml")
        assert (ended.code, "results/runs/tiny: is in use by another process" in ended.err) == (2, True)
    finally:
        first.kill()
        first.wait()
    assert (
        command("train", "tiny.yaml", "--set", "optimiser.passes=1", "--set", "selection.passes=[]").code == 0
    )
    assert not list(Path("results/runs").glob(".*"))
