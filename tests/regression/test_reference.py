"""Small experiments, from files to scores, against those that are committed in results/reference."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "data/sample"
REFERENCE = ROOT / "results/reference"
#: Points by which scores may differ: machines round differently, and games have several equilibria.
TOLERANCE = 2.0


def compared(command, config: str, results: str) -> str:
    """What the comparison says of an experiment that is run here."""
    assert command("train", config, "--overwrite").code == 0
    assert command("evaluate", config).code == 0
    ended = command("compare", "--results", results, "--against", REFERENCE, "--tolerance", TOLERANCE)
    assert ended.code == 0, ended.out
    return ended.out


@pytest.mark.parametrize(
    ("prepare", "corpus", "name"),
    [("prepare-conll", "conll", "sample"), ("prepare-hansards", "bitext", "sample-bitext")],
)
def test_sample_corpora_score_as_they_did(prepare, corpus, name, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = f"data/sample-{corpus}"
    assert command(prepare, SAMPLE / corpus, "--config", f"{name}-prepare", "--output", folder).code == 0
    said = compared(command, f"sample-{corpus}", "results/demo")
    assert " 0 outside" in said and "without a counterpart" not in said


@pytest.mark.corpora
@pytest.mark.parametrize("corpus", ["conll2003", "hansards"])
def test_real_corpora_score_as_they_did(corpus, command, tmp_path, monkeypatch):
    prepared = ROOT / "data" / corpus
    if not (prepared / "corpus.json").is_file():
        pytest.skip(f"{corpus} is not prepared in data/{corpus}")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / corpus).symlink_to(prepared)
    said = compared(command, f"regression-{corpus.removesuffix('2003')}", "results/regression")
    assert " 0 outside" in said
