"""Systems over column chains, from a configuration to new pairs and to what is seen of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.test_align import given, text

from advsp.corpora.links import PHARAOH, read_links
from advsp.experiments.inspection.weights import model_weights
from advsp.experiments.system_in_use import open_system
from advsp.metrics.scores import Scores

EXPERIMENT = """\
name: columns
corpus: {kind: bitext, name: harbour, path: corpus}
workers: 1
engine: {lp: linprog, oracle: numpy}
features: {preset: taskar+m}
optimiser: {name: adagrad, step: 0.05, batch: 3, passes: 3, l2: 0.1}
selection: {rules: [mode]}
evaluation: {bootstrap: 100, tolerance: 0.01, thresholds: false}
systems:
  ADV_aer [columns]: {learner: {name: adversarial-links, structure: column-chain, possible: ignore}}
  ADV_aer [columns, label]: {learner: {name: adversarial-links, structure: column-chain}}
  SSVM [columns]:
    learner: {name: ssvm, structure: column-chain}
    optimiser: {name: bcfw, passes: 4, l2: 0.1}
  CRF [columns]:
    learner: {name: crf-links}
    optimiser: {name: lbfgs, passes: 1, iterations: 30, initial: zeros}
"""
RUN = Path("results/runs/columns")
SYSTEMS = ["ADV_aer [columns]", "ADV_aer [columns, label]", "SSVM [columns]", "CRF [columns]"]
#: Those that decide by a labelling of the structure.
DECIDED_BY_ONE = SYSTEMS[2:]


@pytest.fixture
def run(bitext_workspace, command) -> Path:
    Path("columns.yaml").write_text(EXPERIMENT)
    for step in ("train", "evaluate"):
        ended = command(step, "columns.yaml")
        assert ended.code == 0, ended.err
    return RUN


def test_they_are_scored_align_as_they_predicted_and_are_seen_through(run, command):
    scores = Scores.read(Path("results/scores/columns.json"))
    assert {row.system for row in scores.rows if row.split == "test"} >= set(SYSTEMS)
    lines = [Path(file).read_text().splitlines() for file in text("test")]
    shapes = [(len(e.split()), len(f.split())) for e, f in zip(*lines, strict=True)]
    for name in SYSTEMS:
        aligned = command("align", run, *text("test"), "--system", name, *given("test"))
        assert aligned.code == 0, aligned.err
        folder = name.replace(" [", "_").replace(", ", "_").rstrip("]")
        predicted = run / f"predictions/{folder}/seed-1/test.pharaoh"
        assert aligned.out == predicted.read_text()
        if name in DECIDED_BY_ONE:
            for links in read_links(predicted, shapes, PHARAOH):
                for f in {f for _, f in links.sure}:
                    words = sorted(e for e, target in links.sure if target == f)
                    assert len(words) == 1 or (len(words) == 2 and words[1] == words[0] + 1)
        ended = command("inspect", run, "--system", name, "--example", "1")
        assert ended.code == 0, ended.err


def test_steps_are_named_among_the_weights(run, command):
    system = open_system(run, "CRF [columns]", None)
    (found,) = model_weights(system, system.run.folder.instances(system.point.view, "valid"), 5)
    assert set(found.strongest) == {"sure", "step"}
    assert {weight.feature for weight in found.strongest["step"]} <= {"monotone", "swap", "stay"}
    ended = command("inspect", run, "--system", "ADV_aer [columns, label]")
    for label in ("sure", "possible", "step"):
        assert f"strongest weights of {label}" in ended.out
