"""A measure and a learner, each from one file outside the package: trained with, chosen by and reported."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from outside import registered

from advsp.engine.measures import measures
from advsp.experiments.config import load_config
from advsp.experiments.evaluate import evaluate
from advsp.experiments.train import train
from advsp.learners import learners
from advsp.learners.trained_model import load_model
from advsp.metrics.scores import Scores
from advsp.support.progress import Silent

EXPERIMENT = """\
name: outside
corpus: {name: tiny, path: corpus}
classes: [PER, LOC]
workers: 1
optimiser: {name: adagrad, step: 0.5, passes: 3}
selection: {metric: token_fowlkes-mallows}
evaluation: {bootstrap: 100, metrics: [token_kappa, token_f2]}
systems:
  ADV_fm:
    learner: {name: adversarial, measure: fowlkes-mallows}
  ADV_f2:
    learner: {name: adversarial, measure: {name: fbeta, beta: 2}}
  Perceptron:
    learner: {name: perceptron, start: latent}
    selection: {rules: [mode]}
"""


class Said(Silent):
    """Keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, text: str) -> None:
        self.lines.append(text)


@pytest.fixture
def outside() -> Iterator[tuple[type, type]]:
    """The measure and the learner, registered while the test lasts."""
    with (
        registered("fowlkes_mallows", measures, "fowlkes-mallows") as measure,
        registered("perceptron", learners, "perceptron") as learner,
    ):
        yield measure, learner


@pytest.mark.usefixtures("workspace")
def test_one_file_is_all_that_a_measure_or_a_learner_takes(tmp_path, outside):
    measure, learner = outside
    (tmp_path / "outside.yaml").write_text(EXPERIMENT)
    config, reporter = load_config(tmp_path / "outside.yaml"), Said()
    run = train(config, reporter)
    model = load_model(run / "models" / "ADV_fm" / "seed-1" / "PER")
    assert model.learner.measure == measure()
    assert load_model(run / "models" / "Perceptron" / "seed-1" / "PER-LOC").learner == learner("latent")
    scores = Scores.read(evaluate(run, reporter))
    found = {row.metric for row in scores.rows}
    assert found >= {"token_fowlkes-mallows", "token_kappa", "token_f2"}
    in_numpy = [line for line in reporter.lines if "in numpy" in line]
    assert in_numpy in (
        [],  # where there are no kernels at all, nothing is said
        ["Perceptron: in numpy, there are no kernels for the loss PerceptronLoss"],
    )
    (chosen,) = [line for line in reporter.lines if line.startswith("ADV_fm: ")]
    assert "mean token_fowlkes-mallows over the classes on testa" in chosen
