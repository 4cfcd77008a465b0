"""The committed page: what the saved files give, of one run each, with commands that can be typed."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cells.page import above_optimum, measured_file, page
from cells.recipes import BLOCKS, beside, published, recipes, starts, training
from places import ROOT

from advsp.experiments.config import ExperimentConfig
from advsp.support.errors import InputError


@pytest.fixture
def checkout(tmp_path) -> Path:
    """A copy of what the page is made of."""
    shutil.copytree(ROOT / "configs/published", tmp_path / "configs/published")
    for part in ("results/scores", "results/published/scores"):
        shutil.copytree(ROOT / part, tmp_path / part)
    for block in BLOCKS:
        if measured_file(ROOT, block).exists():
            shutil.copy(measured_file(ROOT, block), measured_file(tmp_path, block))
    (tmp_path / "results/tables").mkdir()
    for name in ("results/paper.yaml", "results/tables/published.yaml"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_committed_page_is_what_the_saved_files_give(checkout):
    committed = (ROOT / "results/published.md").read_text(encoding="utf-8")
    assert page(ROOT) == committed
    assert page(checkout) == committed


def test_every_row_names_commands_that_the_page_has():
    text = (ROOT / "results/published.md").read_text(encoding="utf-8")
    commands = text.partition("## Commands")[2]
    header = None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            header = None
        elif header is None:
            header = cells
        elif header[-1] == "made by" and set(line) - set("|-: "):
            assert f"# {cells[-1]}\n" in commands


@pytest.mark.parametrize("block", BLOCKS)
def test_commands_name_configurations_of_the_block(block, monkeypatch):
    monkeypatch.chdir(ROOT)
    names = set()
    for recipe in (published(block), starts(block), training(block)):
        config = recipe.load()
        assert (config.corpus.name, config.corpus.sentences) == (f"conll_{block}", block)
        names.add(config.folder)
        for command in recipe.commands:
            program, verb, file, *settings = shlex.split(command)
            assert (program, file) == ("advsp", recipe.config) and verb in ("train", "evaluate")
            assert settings[1::2] == list(recipe.settings) and set(settings[::2]) <= {"--set"}
    assert len(names) == 3


def test_commands_make_the_runs_that_the_saved_scores_are_of(monkeypatch):
    monkeypatch.chdir(ROOT)
    for recipe in [*beside(), *(recipe for block in BLOCKS for recipe in recipes(block))]:
        scored = ExperimentConfig.model_validate(json.loads(recipe.scores(ROOT).read_text())["config"])
        assert recipe.load().fingerprint() == scored.fingerprint(), recipe.label


@pytest.mark.parametrize("key", ["fingerprint", "data"])
def test_measurements_of_another_run_are_refused(checkout, key):
    path = measured_file(checkout, BLOCKS[0])
    measured = json.loads(path.read_text())
    path.write_text(json.dumps(measured | {key: "another"}))
    with pytest.raises(InputError, match="was measured on another run than the one that published300.json"):
        page(checkout)


def test_block_that_was_not_measured_is_left_out_and_one_without_trainings_says_so(checkout):
    for block in BLOCKS[1:]:
        measured_file(checkout, block).unlink(missing_ok=True)
    path = measured_file(checkout, BLOCKS[0])
    path.write_text(json.dumps(json.loads(path.read_text()) | {"training": None}))
    text = page(checkout)
    assert "Not run for conll_300." in text
    assert "measured-1000" not in text and "starts-1000" not in text


def test_without_anything_measured_the_script_says_so_in_one_line(tmp_path):
    call = [sys.executable, str(ROOT / "scripts/published.py"), "--render"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("published: ") and "nothing is measured yet" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not any(tmp_path.iterdir())


def entry(label: str, bound: float, seed: int = 1, **keys: float) -> dict:
    return {"class": label, "seed": seed, "attained": bound - 1e-9, "bound": bound, **keys}


def test_distance_from_the_optimum_is_bounded_by_the_best_certificate_of_the_same_penalty():
    plain = {
        "l2": 0.0,
        "reached": [entry("A", -9.0), entry("B", -10.0), entry("A", -8.0, 2), entry("B", -9.0, 2)],
    }
    certified = {"l2": 0.5, "reached": [entry("A", -7.0, gap=0.5), entry("B", -6.0, gap=1.0)]}
    tighter = {"l2": 0.5, "reached": [entry("A", -7.1, gap=0.1), entry("B", -6.0, gap=2.0)]}
    other = {"l2": 0.5, "reached": [entry("A", 1.0), entry("B", 2.0)]}
    unknown = {"l2": 0.7, "reached": [entry("A", 1.0), entry("B", 2.0)]}
    trained = {"examples": 10, "systems": [plain, certified, tighter, other, unknown]}
    assert above_optimum(plain, trained) == pytest.approx(20.0 - (19.0 + 17.0) / 2)
    assert above_optimum(other, trained) == pytest.approx(3.0 + 7.2 + 7.0)
    assert above_optimum(certified, trained) == pytest.approx(-13.0 + 7.2 + 7.0)
    assert above_optimum(unknown, trained) == pytest.approx(3.0 + 20.0)
