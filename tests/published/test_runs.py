"""From configurations to measurements, on the sample corpus."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from cells.measure import measure
from cells.page import above_optimum
from places import ROOT

from advsp.experiments.config import load_config
from advsp.experiments.prepare import prepare_conll_corpus
from advsp.experiments.train import train
from advsp.support.errors import InputError
from advsp.support.progress import Silent

CONFIGS = ROOT / "configs/published"
SENTENCES = 12
CLASSES = ["PER", "ORG"]

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(find_spec("sklearn") is None, reason="scikit-learn is not installed"),
]


@pytest.fixture(scope="module")
def runs(tmp_path_factory) -> tuple[Path, Path]:
    """A run of published weights and one of trainings."""
    folder = tmp_path_factory.mktemp("published")
    prepared = folder / "corpus"
    raw, config = ROOT / "data/sample/conll", ROOT / "configs/sample-prepare.yaml"
    prepare_conll_corpus(raw, prepared, config, (), Silent())
    shared = [f"corpus.path={prepared}", f"corpus.sentences={SENTENCES}", "corpus.test=[]", "workers=1"]
    shared.append(f"classes=[{', '.join(CLASSES)}]")
    shared.append(f"output={folder / 'results'}")
    cells = load_config(CONFIGS / "conll300.yaml", shared)
    few = ["runs=1", "optimiser.passes=2", "selection.passes=[]", "selection.grid={}"]
    trainings = load_config(CONFIGS / "training.yaml", [*shared, *few])
    return train(cells, Silent()), train(trainings, Silent())


@pytest.fixture(scope="module")
def measured(runs) -> dict:
    return measure(*runs, "the command", Silent())


def test_result_names_what_it_was_made_of_and_can_be_saved(measured, runs):
    about = json.loads((runs[0] / "provenance.json").read_text())
    assert (measured["command"], measured["run"]) == ("the command", "published300")
    assert measured["fingerprint"] == about["fingerprint"] and measured["data"] == about["data"]
    assert measured["config"]["optimiser"]["initial"]["seed"] == 2147483647
    assert {"advsp", "numpy", "scikit-learn"} <= set(measured["versions"]["measure"])
    assert json.loads(json.dumps(measured)) == measured


def test_every_class_is_measured_at_the_start_and_on_the_split(measured):
    assert [found["class"] for found in measured["start"]] == CLASSES
    assert [(found["split"], found["class"]) for found in measured["agreement"]] == [
        ("testa", label) for label in CLASSES
    ]
    assert all(found["games"] == SENTENCES for found in measured["start"] + measured["agreement"])
    for found in measured["start"]:
        assert found["equilibria"] == found["games"] and found["gradient"] == 0.0
        assert 0.0 < found["scale"] < 1.0


def test_published_start_without_penalty_stays_at_the_smallest_objective(measured):
    training = measured["training"]
    systems = {about["system"]: about for about in training["systems"]}
    start = systems["ADV_f1+adagrad [published start, l2=0]"]
    assert above_optimum(start, training) == pytest.approx(0.0, abs=1e-6)
    assert above_optimum(systems["ADV_f1+adagrad [zeros, l2=0]"], training) > 0.0


def test_certified_optimiser_is_as_near_to_the_optimum_as_its_gap_says(measured):
    training = measured["training"]
    systems = {about["system"]: about for about in training["systems"]}
    certified = systems["ADV_f1+bcfw [l2=0.3]"]
    gaps = sum(entry["gap"] for entry in certified["reached"])
    assert 0.0 <= above_optimum(certified, training) <= gaps + 1e-9
    assert gaps <= 0.05 * SENTENCES * len(CLASSES)
    other = above_optimum(systems["ADV_f1+adagrad [zeros, l2=0.3]"], training)
    assert other > above_optimum(certified, training)


def test_run_of_many_systems_is_refused(runs):
    with pytest.raises(InputError, match="expected a run of one system"):
        measure(runs[1], None, "the command", Silent())
