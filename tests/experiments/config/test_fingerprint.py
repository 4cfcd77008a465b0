"""Fingerprints: what a result depends on, and nothing else; those of committed runs for good."""

from __future__ import annotations

import json
from typing import Any

import pytest
from places import ROOT
from trial_configs import BITEXT, TRIAL, LaterCRF, edited

from advsp.experiments.config import ExperimentConfig, load_config
from advsp.learners import learners
from advsp.support.yaml_source import read_yaml

# --- what it depends on ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "override",
    [
        "name=other",
        "seed=2",
        "runs=2",
        "classes=[LOC, PER]",
        "corpus.sentences=10",
        "corpus.docstart=drop",
        "corpus.validation=null",
        "features.preset=paper",
        "engine.lp=linprog",
        "engine.stop=value-repeats",
        "evaluation.display=truncated",
        "optimiser.step=0.2",
        "optimiser.tolerance.decay=0.4",
        "selection.rules=[mode]",
        "selection.grid={}",
        "evaluation.bootstrap=100",
        "evaluation.tolerance=1e-3",
        "systems.ADV.learner.beta=0.5",
        "systems.ADV.learner.warm=false",
        "systems.CRF.optimiser.memory=3",
        "systems.NEW={learner: {name: crf}}",
    ],
)
def test_fingerprint_changes_with_what_a_result_depends_on(load, override):
    assert load(TRIAL, override).fingerprint() != load().fingerprint()


@pytest.mark.parametrize("override", ["workers=3", "output=elsewhere", "optimiser.step=1e-1", "seed=1"])
def test_fingerprint_does_not_change_with_anything_else(load, override):
    assert load(TRIAL, override).fingerprint() == load().fingerprint()


def test_fingerprint_does_not_change_with_the_way_a_configuration_is_written(load):
    block = "    learner:\n      # as before\n      'name':  adversarial\n"
    assert load(edited("    learner: {name: adversarial}\n", block)).fingerprint() == load().fingerprint()
    assert load(edited("  step: 0.1", "  step: 1e-1")).fingerprint() == load().fingerprint()


def test_fingerprint_does_not_change_with_a_default_that_is_spelt_out(load):
    explicit = edited("{name: adversarial}", "{name: adversarial, beta: 1.0}")
    assert load(explicit).fingerprint() == load().fingerprint()


def test_fingerprint_is_twelve_hexadecimal_digits_and_the_same_everywhere(load):
    assert load().fingerprint() == load().fingerprint()
    assert len(load().fingerprint()) == 12
    assert int(load().fingerprint(), 16) >= 0


@pytest.mark.parametrize(
    "override",
    [
        "features.preset=taskar",
        "optimiser.initial=zeros",
        "optimiser.initial={name: logistic, scale: 0.1}",
        "optimiser.batch=4",
        "selection.folds=3",
        "selection.rules=[threshold]",
        "evaluation.thresholds=false",
        "table=table3",
        "systems.ADV_aer [taskar+m, label].learner.cost={AN: 0.6}",
        "systems.ADV_aer [taskar+m, label].learner.scale=length",
        "systems.SSVM [taskar].features.preset=taskar+m",
    ],
)
def test_fingerprint_of_an_alignment_changes_with_what_a_result_depends_on(load, override):
    assert load(BITEXT, override).fingerprint() != load(BITEXT).fingerprint()


# --- options that come later ------------------------------------------------------------------------


def test_option_that_a_learner_gets_later_changes_no_fingerprint_until_it_is_used(load, monkeypatch):
    before = load()
    monkeypatch.setitem(learners._members, "crf", LaterCRF)
    assert load().systems["CRF"].learner.build() == LaterCRF()
    assert load().model_dump() == before.model_dump()
    assert load().fingerprint() == before.fingerprint()
    options = ("most=1", "measure=even", "measure={name: even, margin: 1}", "measure=tilted")
    used = {load(TRIAL, f"systems.CRF.learner.{option}").fingerprint() for option in options}
    assert len(used - {before.fingerprint()}) == len(options)


# --- committed runs ---------------------------------------------------------------------------------

FILES = {
    read_yaml(file).value["name"]: file
    for file in sorted((ROOT / "configs").rglob("*.yaml"))
    if "systems" in read_yaml(file).value
}


def runs_of_tables() -> list[dict[str, Any]]:
    """The runs that committed tables are made of: name, fingerprint, resolved configuration."""
    files = sorted((ROOT / "results/tables").glob("*.runs.json"))
    return [run for file in files for run in json.loads(file.read_text(encoding="utf-8"))]


def committed_runs() -> list[dict[str, Any]]:
    """All runs whose scores are committed."""
    files = sorted((ROOT / "results").rglob("scores/*.json"))
    return runs_of_tables() + [json.loads(file.read_text(encoding="utf-8")) for file in files]


@pytest.mark.parametrize("run", runs_of_tables(), ids=lambda run: run["name"])
def test_configurations_make_the_runs_that_committed_tables_are_of(run):
    # The number of runs is given on the command line; all else stands in the file.
    config = load_config(FILES[run["name"]], [f"runs={run['config']['runs']}"])
    assert config.fingerprint() == run["fingerprint"]


@pytest.mark.parametrize("run", committed_runs(), ids=lambda run: run["name"])
def test_committed_resolved_configurations_are_read_as_they_were_written(run):
    config = ExperimentConfig.model_validate(run["config"])
    assert config.model_dump() == run["config"]
    assert config.fingerprint() == run["fingerprint"]


def test_there_are_committed_runs():
    assert {"hansards", "conll300", "conll1000", "conll3000"} <= {run["name"] for run in runs_of_tables()}
    assert {"training300", "starts300"} <= {run["name"] for run in committed_runs()}
