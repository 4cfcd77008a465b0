"""What a training says of itself, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from training.toy import toy_instances

from advsp.experiments.announcements import announce_choice, announce_sizes
from advsp.experiments.config import ExperimentConfig
from advsp.experiments.grid import grid
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
    announce_sizes(config, grids, {"stanford": view}, workers=3, reporter=listener)
    sizes = [points[0].learner.model(train).size for points in grids.values()]
    assert sizes[0] != sizes[1]
    held = (train.nbytes + testa.nbytes) * 3 // 2
    counts = train.feature_counts()
    parts = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    assert listener.lines == [
        "tiny: train 3 sentences 8 tokens, testa 2 sentences 4 tokens",
        f"stanford: {sum(counts.values())} features ({parts}), {max(sizes)} weights a model",
        f"about {3 * (48 * max(sizes) + held) / 1e6:,.0f} MB of memory for 3 workers",
    ]
