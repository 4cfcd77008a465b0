"""What a training says of itself, word for word."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
from training.toy import toy_instances

from advsp.experiments.announcements import announce_choice, announce_memory, announce_sizes
from advsp.experiments.config import ExperimentConfig
from advsp.experiments.grid import grid
from advsp.experiments.jobs import TrainingJob
from advsp.metrics.choice import Choice
from advsp.support.progress import Silent
from advsp.tasks.base import View

CHOICE = Choice(
    metric="mean token_f1 over the classes on testa",
    point=1,
    passes=4,
    rule="marginal",
    score=0.12345,
    options={"optimiser.step": 0.5, "optimiser.l2": 0.0},
)


class Listener(Silent):
    """Keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, text: str) -> None:
        self.lines.append(text)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {},
            "optimiser.step=0.5, optimiser.l2=0.0, 4 passes, rule marginal "
            "(mean token_f1 over the classes on testa 12.35)",
        ),
        (
            {"options": {}, "rule": "mode"},
            "4 passes, rule mode (mean token_f1 over the classes on testa 12.35)",
        ),
        ({"options": {}, "score": None}, "4 passes, rule marginal (nothing to choose)"),
    ],
)
def test_choice_is_said_with_what_it_was_chosen_by(changes, said):
    listener = Listener()
    announce_choice("ADV [a]", replace(CHOICE, **changes), listener)
    assert listener.lines == [f"ADV [a]: {said}"]


def test_sizes_of_splits_models_and_memory_are_said():
    train, testa = toy_instances(lengths=(3, 1, 4)), toy_instances(seed=1, lengths=(2, 2))
    view = View({"train": train, "testa": testa}, None)
    given = {
        "name": "trial",
        "corpus": {"name": "tiny", "path": "nowhere"},
        "classes": ["PER"],
        "systems": {
            "A": {"learner": {"name": "crf"}},
            "B": {"learner": {"name": "adversarial", "bias": True}},
        },
    }
    config = ExperimentConfig.model_validate(given)
    grids = {name: grid(name, system) for name, system in config.systems.items()}
    listener = Listener()
    announce_sizes(config, grids, {"stanford": view}, listener)
    sizes = [points[0].learner.model(train).size for points in grids.values()]
    assert sizes[0] != sizes[1]
    counts = train.feature_counts()
    parts = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    assert listener.lines == [
        "tiny: train 3 sentences 8 tokens, testa 2 sentences 4 tokens",
        f"stanford: {sum(counts.values())} features ({parts}), {max(sizes)} weights a model",
    ]


#: Of the instances whose memory is told.
FEATURES = 200_000


@pytest.fixture
def job():
    """Makes a job that trains by an optimiser, on instances that a view has."""

    def make(**optimiser):
        given = {
            "name": "trial",
            "corpus": {"name": "tiny", "path": "nowhere"},
            "classes": ["PER"],
            "optimiser": optimiser,
            "systems": {"A": {"learner": {"name": "crf"}}},
        }
        config = ExperimentConfig.model_validate(given)
        (point,) = grid("A", config.systems["A"])
        run = SimpleNamespace(train="train", validation="testa")
        return TrainingJob(run, point, seed=1, fold=None, group=("PER",), passes=1, candidates=(1,))

    return make


def megabytes(jobs, workers: int) -> int:
    """What is said of them on instances of many features."""
    train = toy_instances(lengths=(1, 1), node_features=FEATURES)
    listener = Listener()
    announce_memory(jobs, {"stanford": View({"train": train, "testa": train}, None)}, workers, listener)
    (said,) = listener.lines
    found = re.fullmatch(r"about ([\d,]+) MB of memory for (\d+) workers?", said)
    assert int(found[2]) == workers
    return int(found[1].replace(",", ""))


def test_memory_is_that_of_the_largest_jobs_at_a_time(job):
    few, many = job(name="lbfgs", memory=2), job(name="lbfgs", memory=40)
    weights = 8 * many.point.learner.model(toy_instances(node_features=FEATURES)).size / 1e6
    # Two corrections for every one more that is kept.
    alone, larger = megabytes([few], 1), megabytes([many], 1)
    assert larger - alone == pytest.approx(2 * 38 * weights, abs=2)
    # Jobs that follow each other do not add up, jobs at the same time do.
    assert megabytes([few, many, few], 1) == larger
    assert megabytes([few, many, many], 2) > 2 * larger - 200
    assert megabytes([many], 2) == larger
