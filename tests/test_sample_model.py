"""The tagger that comes along is the one its script trains, and tags."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from places import ROOT

from advsp import kernels
from advsp.learners.trained_model import load_model
from advsp.support.records import read_json

MODEL = ROOT / "data/sample/models/names"


@pytest.mark.long
@pytest.mark.skipif(not kernels.available(), reason="takes minutes without numba")
def test_script_trains_the_committed_tagger(tmp_path):
    script = ROOT / "scripts/make_sample_model.py"
    subprocess.run([sys.executable, script, "--output", tmp_path], check=True, capture_output=True)
    paths = {path.relative_to(MODEL) for path in MODEL.rglob("*") if path.is_file()}
    assert {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()} == paths
    for name in ("config.json", "features/stanford.json"):
        assert (tmp_path / name).read_bytes() == (MODEL / name).read_bytes()
    choices = [read_json(folder / "selection.json")["ADV_f1"] for folder in (MODEL, tmp_path)]
    assert choices[0]["rule"] == choices[1]["rule"]
    for path in sorted((MODEL / "models").rglob("model.json")):
        mine, made = (load_model(f.parent) for f in (path, tmp_path / path.relative_to(MODEL)))
        # Another processor may find other equilibria.
        assert np.corrcoef(mine.weights, made.weights)[0, 1] > 0.99


def test_it_tags_by_its_name(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("Anna Brandt met the mayor of Oslo .\n")
    ended = command("predict", "names", "text", "--input", "lines")
    assert ended.code == 0, ended.err
    lines = ended.out.splitlines()
    assert lines[:3] == ["Anna I-PER", "Brandt I-PER", "met O"] and not any(tmp_path.glob("*.json"))


def test_a_folder_of_that_name_comes_first(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "names").mkdir()
    ended = command("predict", "names", "--input", "lines")
    assert ended.code == 2 and ended.err.startswith("advsp: names: no run there")
