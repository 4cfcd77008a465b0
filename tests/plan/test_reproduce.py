"""A whole reproduction as a plan: what is done is left alone, what was stopped goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
import reproduce
from plan.profiles import PROFILES
from plan.step import Step

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ran(tmp_path, monkeypatch) -> list[str]:
    """Commands that are run, in order; all succeed. Two experiments and the tables are planned."""
    monkeypatch.chdir(tmp_path)
    commands = []

    def run(command):
        commands.append(" ".join(command))
        return 0

    config = tmp_path / "a.yaml"
    config.write_text("name: a\n")

    def steps(runs: int) -> list[Step]:
        return [
            Step("a", (("advsp", "train", "a.yaml"), ("advsp", "evaluate", "a.yaml")), 2, (config,)),
            Step("b", (("python", "b.py"),), 6, needs=(tmp_path / "needed",)),
            Step("tables", (("advsp", "compare"),), 0.1),
        ]

    monkeypatch.setattr(reproduce, "run", run)
    monkeypatch.setitem(PROFILES, "full", steps)
    (tmp_path / "needed").touch()
    return commands


TRAINING = ["advsp train a.yaml --resume", "advsp evaluate a.yaml"]


def test_steps_are_done_once_and_tables_every_time(ran, capsys):
    assert reproduce.main([]) == 0
    assert ran == [*TRAINING, "python b.py", "advsp compare"]
    assert "[1/3] a, about 8 min left in all" in capsys.readouterr().out
    ran.clear()
    assert reproduce.main([]) == 0
    assert ran == ["advsp compare"]
    assert "[3/3] tables" in capsys.readouterr().out


def test_a_step_whose_configuration_changed_is_done_anew(ran):
    reproduce.main([])
    ran.clear()
    Path("a.yaml").write_text("name: a\nseed: 2\n")
    assert reproduce.main([]) == 0
    assert ran == [*TRAINING, "advsp compare"]


def test_what_is_missing_is_named_and_left_out(ran, capsys):
    Path("needed").unlink()
    assert reproduce.main([]) == 0
    assert ran == [*TRAINING, "advsp compare"]
    assert "b is left out: " in capsys.readouterr().out


def test_a_step_that_fails_ends_the_plan_which_goes_on_there(ran, monkeypatch, capsys):
    well = reproduce.run
    monkeypatch.setattr(reproduce, "run", lambda command: 3 if "b.py" in command else well(command))
    assert reproduce.main([]) == 3
    assert "b ended with code 3" in capsys.readouterr().out
    monkeypatch.setattr(reproduce, "run", well)
    ran.clear()
    assert reproduce.main([]) == 0
    assert ran == ["python b.py", "advsp compare"]


def test_a_run_that_would_not_end_the_same_is_trained_anew(ran, monkeypatch):
    well = reproduce.run
    monkeypatch.setattr(reproduce, "run", lambda command: 2 if "--resume" in command else well(command))
    assert reproduce.main([]) == 0
    assert ran[0] == "advsp train a.yaml --overwrite"


def test_listing_runs_nothing(ran):
    assert reproduce.main(["--list"]) == 0
    assert ran == [] and not Path("results").exists()


def test_what_is_left_is_judged_by_the_pace_so_far():
    steps = [Step("a", (), 3), Step("b", (), 5)]
    assert reproduce.left(steps, 0.0, 0.0) == 8
    assert reproduce.left(steps, 4.0, 2.0) == 16


@pytest.mark.parametrize("profile", PROFILES)
def test_what_profiles_run_is_there(profile):
    for step in PROFILES[profile](5):
        for path in step.reads:
            assert path.suffix == ".json" or (ROOT / path).is_file()
