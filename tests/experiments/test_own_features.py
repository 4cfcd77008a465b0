"""Columns, templates and vectors from YAML to predictions, with kernels and without."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from advsp.experiments.config import ExperimentConfig
from advsp.support.records import read_json
from advsp.support.yaml_source import parse_value

SOURCE = """\
files: {train: train.txt, testa: testa.txt, testb: testb.txt}
scheme: iob2
columns: {kind: 1, place: 2}
"""
EXPERIMENT = """\
name: own
corpus: {name: own, path: corpus}
workers: 1
features:
  preset: stanford
  columns: [kind]
  templates: ["%x[0,2]/%x[-1,kind]", "B%x[0,1]"]
  vectors: vectors
optimiser: {name: adagrad, step: 0.3, passes: 4}
evaluation: {bootstrap: 100, thresholds: false}
systems:
  CRF:
    learner: {name: crf, start: own}
    optimiser: {name: lbfgs, passes: 1, iterations: 50, l2: 0.1}
  ADV_f1: {learner: {name: adversarial}}
"""


def sentences(words: str) -> str:
    """One word is a name where the second column says so: no word alone tells."""
    blocks = []
    for number, word in enumerate(words):
        named = number % 3 == 0
        blocks.append(f"{word} {'name' if named else 'noun'} p{number % 2} {'B-PER' if named else 'O'}\n")
    return "\n".join(blocks)


@pytest.fixture
def folder(tmp_path, monkeypatch, command) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("raw").mkdir()
    for split, words in (
        ("train", "abcdefghijklmnopqrstuvwxyz"),
        ("testa", "zyxwvutsrq"),
        ("testb", "acegikmoqs"),
    ):
        Path(f"raw/{split}.txt").write_text(sentences(words))
    Path("prepare.yaml").write_text(SOURCE)
    Path("vectors").write_text(
        "".join(f"{word} {number} {-number % 3}\n" for number, word in enumerate("abcdefgh"))
    )
    Path("own.yaml").write_text(EXPERIMENT)
    assert command("prepare-conll", "raw", "--config", "prepare.yaml", "--output", "corpus").code == 0
    return tmp_path


def test_prepared_files_keep_the_columns(folder):
    assert Path("corpus/testb.conll").read_text().startswith("a name p0 B-PER\n\nc noun p1 O\n")
    assert read_json(Path("corpus/corpus.json"))["columns"] == {"kind": 1, "place": 2}


@pytest.mark.parametrize("engine", ["auto", "numpy"])
def test_what_a_column_says_is_learnt_and_predicted(folder, command, engine):
    lp = "linprog" if engine == "numpy" else "auto"
    for verb in ("train", "evaluate"):
        overrides = ["--set", f"engine={{lp: {lp}, oracle: {engine}}}"] if verb == "train" else []
        assert command(verb, "own.yaml", "--quiet", *overrides).code == 0
    rows = read_json(Path("results/scores/own.json"))["rows"]
    assert {row["value"] for row in rows if row["split"] == "testb" and row["metric"] == "token_f1"} == {
        100.0
    }
    for system in ("CRF", "ADV_f1"):
        ended = command("predict", "results/runs/own", "raw/testb.txt", "--system", system)
        tags = [line.split()[-1] for line in ended.out.splitlines() if line]
        assert tags == [line.split()[-1] for line in Path("raw/testb.txt").read_text().splitlines() if line]
    assert "vectors/vectors" in read_json(Path("results/runs/own/provenance.json"))["data"]


def test_text_without_the_columns_is_refused(folder, command):
    assert command("train", "own.yaml", "--quiet").code == 0
    Path("bare").write_text("a\nb\n")
    for options, problem in (
        ((), "bare:1: found 1 column, expected the kind at index 1"),
        (
            ("--input", "lines"),
            "bare: features look at the columns kind, place, which sentences a line do not have",
        ),
    ):
        ended = command("predict", "results/runs/own", "bare", *options)
        assert (ended.code, problem in ended.err) == (2, True)


@pytest.mark.parametrize(
    "features, problem",
    [
        ("{preset: stanford, columns: [knd]}", "the corpus has no column 'knd'"),
        (
            "{preset: stanford, columns: [lumns: [pos]]}",
            "found {'lumns': ['pos']}, expected the name of a column",
        ),
        ("{preset: stanford, templates: ['%x[0,5]']}", "template '%x[0,5]': the corpus has no column '5'"),
        ("{preset: stanford, vectors: nowhere}", "nowhere: no such file"),
    ],
)
def test_features_that_there_are_not_are_refused_before_training(folder, command, features, problem):
    ended = command("train", "own.yaml", "--set", f"features={features}", "--quiet")
    assert (ended.code, problem in ended.err) == (2, True), ended.err
    assert not Path("results").exists()


def test_a_list_of_columns_looks_at_the_neighbours():
    config = ExperimentConfig.model_validate(parse_value(EXPERIMENT))
    assert config.features.columns == {"kind": 1}
    plain = parse_value(EXPERIMENT) | {"features": {"preset": "stanford"}}
    assert ExperimentConfig.model_validate(plain).model_dump()["features"] == {"preset": "stanford"}
    with pytest.raises(ValidationError):
        ExperimentConfig.model_validate(plain | {"features": {"preset": "stanford", "columns": {"kind": -1}}})
