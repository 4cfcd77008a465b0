"""A small comparison with all that equal footing needs: parts of splits, decisions by the chain, means."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from places import ROOT

from advsp.experiments.config import load_config
from advsp.experiments.evaluate import evaluate
from advsp.experiments.grid import grid
from advsp.experiments.system_in_use import open_system
from advsp.experiments.train import train
from advsp.learners.by_chain import by_chain
from advsp.learners.trained_model import load_model
from advsp.metrics.counts import f_score
from advsp.metrics.scores import Scores
from advsp.support.progress import Silent
from advsp.support.records import read_json
from advsp.training.instance_files import load_instances

CONFIG = """\
name: footing
table: equal
corpus:
  {name: tiny, path: corpus, sentences: 4, skip: 1, test: [{split: testb, sentences: 2}, {split: testb}]}
classes: [PER, LOC]
runs: 2
workers: 1
optimiser: {name: adagrad, step: 0.5, dropout: 0.2, passes: 3}
selection: {passes: [1, 2], rules: [threshold], threshold_step: 0.01}
evaluation: {bootstrap: 100, mean: true}
systems:
  CRF:
    learner: {name: crf, margin: 0.5}
    selection: {grid: {learner.margin: [0.0, 0.5, 1.0]}}
  SSVM:
    learner: {name: ssvm-tags}
    optimiser: {name: bcfw, l2: 0.5, passes: 5}
    selection: {passes: [], rules: [mode, gibbs], threshold_step: 0.05}
  ADV_f1+gibbs:
    learner: {name: adversarial}
    selection: {rules: [gibbs, gibbs-threshold]}
  ADV_corpus:
    learner: {name: adversarial-corpus, balance: inverse, f: updated}
"""
CLASSES = ("PER", "LOC")


@pytest.fixture(scope="module")
def finished(tmp_path_factory, request) -> Path:
    """The folder of the comparison, trained and evaluated."""
    import contextlib

    from conftest import make_workspace

    folder = tmp_path_factory.mktemp("footing") / "workspace"
    make_workspace(folder)
    (folder / "footing.yaml").write_text(CONFIG)
    with contextlib.chdir(folder):
        evaluate(train(load_config("footing.yaml"), Silent()), Silent())
    return folder


@pytest.fixture
def scores(finished, monkeypatch) -> Scores:
    monkeypatch.chdir(finished)
    return Scores.read(Path("results/scores/footing.json"))


def instances(split: str):
    return load_instances(Path(f"results/runs/footing/instances/stanford/{split}.npz"))


# --- parts of splits -------------------------------------------------------------------------------


def test_splits_are_cut_as_they_were_asked_for(scores):
    lengths = {split: len(instances(split)) for split in ("train", "testa", "testb-2", "testb-all")}
    assert lengths["testb-2"] == 2 < lengths["testb-all"]
    assert lengths["train"] == 4
    assert {row.split for row in scores.rows} == {"testa", "testb-2", "testb-all"}


def test_training_sentences_that_are_skipped_are_not_learnt_from(scores, finished):
    raw = (finished / "corpus/train.conll").read_text().strip().split("\n\n")
    first = [block.splitlines()[0].split()[0] for block in raw]
    assert [words[0] for words in instances("train").words] == first[1:5]


# --- decisions by the chain's own distribution -----------------------------------------------------


@pytest.mark.parametrize("seed", ["seed-1", "seed-2", "average"])
def test_class_models_are_summed_into_one_chain(scores, seed):
    models = [load_model(Path(f"results/runs/footing/models/ADV_f1+gibbs/{seed}/{c}")) for c in CLASSES]
    data = instances("testb-all")
    learner = by_chain(models[0].learner)
    weights = models[0].weights + models[1].weights
    expected = learner.decode(learner.model(data), weights, CLASSES, models[0].engine, 1e-6)
    used = open_system(Path("results/runs/footing"), "ADV_f1+gibbs", seed.removeprefix("seed-"))
    assert used.rule in ("gibbs", "gibbs-threshold")
    said = used.decode(data)
    for label in CLASSES:
        assert said[label].marginal == pytest.approx(expected[label].marginal, abs=1e-12)
    assert sum(said[label].marginal for label in CLASSES).max() <= 1.0 + 1e-12


@pytest.mark.parametrize("system", ["ADV_f1+gibbs", "ADV_f1+gibbs+average", "SSVM", "ADV_corpus+average"])
def test_new_text_is_tagged_as_the_test_split_is(scores, command, system):
    seed = "average" if "+average" in system else "seed-1"
    asked = ["--system", system] + ([] if seed == "average" else ["--seed", "1"])
    ended = command("predict", "results/runs/footing", "raw/testb.txt", *asked)
    kept = Path(f"results/runs/footing/predictions/{system}/{seed}/testb-all.conll").read_text()

    def tags(text: str) -> list[str]:
        return [line.split()[-1] for line in text.splitlines() if line]

    assert tags(ended.out) == tags(kept)


def test_rules_by_the_chain_are_scored_as_they_decide(scores):
    for name in ("ADV_f1+gibbs", "SSVM"):
        choice = scores.selection[name]
        rules = {row.rule for row in choice.grid}
        assert rules == ({"gibbs", "gibbs-threshold"} if name.startswith("ADV") else {"mode", "gibbs"})
        assert choice.score == max(row.score for row in choice.grid)
    rows = {(row.passes, row.rule): row.score for row in scores.selection["ADV_f1+gibbs"].grid}
    for passes in (1, 2, 3):
        assert rows[passes, "gibbs-threshold"] >= rows[passes, "gibbs"]


@pytest.mark.long
def test_several_processes_choose_the_same(scores, tmp_path):
    before, systems = CONFIG.split("systems:\n")
    (alone,) = re.findall(r"  ADV_f1\+gibbs:\n(?:    .*\n)+", systems)
    (tmp_path / "alone.yaml").write_text(f"{before}systems:\n{alone}")
    config = load_config(tmp_path / "alone.yaml", ["workers=2", f"output={tmp_path}"])
    found = read_json(train(config, Silent()) / "selection.json")["ADV_f1+gibbs"]
    assert found == read_json(Path("results/runs/footing/selection.json"))["ADV_f1+gibbs"]


# --- the mean over the classes ---------------------------------------------------------------------


def test_the_mean_is_that_of_the_classes_and_has_tests(scores):
    rows = {(row.split, row.system, row.metric, row.label): row for row in scores.rows}
    assert {row.label for row in scores.rows} == {*CLASSES, "all", "mean"}
    for (split, system, metric, label), row in rows.items():
        if label == "mean":
            classes = [rows[split, system, metric, name].value for name in CLASSES]
            assert row.value == pytest.approx(np.mean(classes))
            assert row.low <= row.value <= row.high
            each = [rows[split, system, metric, name].counts for name in CLASSES]
            assert row.runs == pytest.approx(
                [100 * np.mean([f_score(*c) for c in counts]) for counts in zip(*each, strict=True)]
            )
    tested = {(row.systems, row.metric) for row in scores.tests if row.label == "mean"}
    assert (("CRF", "ADV_corpus"), "token_f1") in tested
    for row in scores.tests:
        if row.label == "mean":
            first, second = (rows[row.split, name, row.metric, "mean"].value for name in row.systems)
            assert row.difference == pytest.approx(first - second)


def test_thresholds_are_in_the_steps_asked_for(scores):
    levels = {
        level for per_seed in scores.selection["CRF"].thresholds.values() for level in per_seed.values()
    }
    assert levels and levels <= {round(k / 100, 2) for k in range(1, 100)}


# --- the committed comparison ----------------------------------------------------------------------

FILES = sorted((ROOT / "configs/equal").glob("equal*.yaml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_compared_systems_have_grids_of_one_size_and_one_way_to_be_chosen(path):
    config = load_config(path)
    systems = config.systems.items()
    assert len({len(grid(name, system)) for name, system in systems}) == 1
    for name, system in systems:
        selection = system.selection
        assert (selection.metric, selection.runs, selection.threshold_step) == (
            config.selection.metric,
            config.selection.runs,
            0.01,
        )
        assert selection.rules == (["gibbs-threshold"] if name == "ADV_f1+gibbs" else ["threshold"])
    assert (config.table, config.evaluation.mean) == ("equal", True)


def test_the_blocks_compare_the_same_systems():
    assert len(FILES) == 4
    learners = [
        {name: system["learner"] for name, system in yaml.safe_load(path.read_text())["systems"].items()}
        for path in FILES
    ]
    assert all(one == learners[0] for one in learners)
