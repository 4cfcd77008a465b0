"""Choices at the end of their grid are named, those within it and at natural bounds are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advsp.experiments.config import ExperimentConfig
from advsp.experiments.edges import with_edges
from advsp.metrics.choice import Choice, GridRow

CONFIG = {
    "name": "trial",
    "corpus": {"name": "tiny", "path": "nowhere"},
    "classes": ["PER"],
    "optimiser": {"passes": 9},
    "selection": {
        "passes": [1, 3],
        "grid": {
            "optimiser.step": [0.3, 0.1, 1.0],
            "optimiser.l2": [0.0, 0.5],
            "learner.start": ["own", "latent"],
        },
    },
    "systems": {"CRF": {"learner": {"name": "crf"}}},
}
SYSTEM = ExperimentConfig.model_validate(CONFIG).systems["CRF"]


def choice(step: float = 0.3, l2: float = 0.0, passes: int = 3, threshold: float = 0.5) -> Choice:
    options = {"optimiser.step": step, "optimiser.l2": l2, "learner.start": "own"}
    rows = tuple(GridRow(0, options, tried, "mode", 0.5, {"PER": 0.5}) for tried in (1, 3, 9))
    thresholds = {"seed-1": {"PER": threshold}, "seed-2": {"PER": 0.5}}
    return Choice("token_f1", 0, passes, "mode", 0.5, options, rows, thresholds)


@pytest.mark.parametrize(
    ("chosen", "edges"),
    [
        ({}, ()),
        ({"step": 0.1}, ("optimiser.step 0.1, the lowest",)),
        ({"step": 1.0}, ("optimiser.step 1, the highest",)),
        ({"l2": 0.5}, ("optimiser.l2 0.5, the highest",)),
        ({"passes": 1}, ()),
        ({"passes": 9}, ("passes 9, the highest",)),
        ({"threshold": 0.05}, ("threshold of PER 0.05, the lowest (1 of 2 models)",)),
        ({"threshold": 0.95}, ("threshold of PER 0.95, the highest (1 of 2 models)",)),
        ({"threshold": 0.9}, ()),
        ({"step": 1.0, "passes": 9}, ("optimiser.step 1, the highest", "passes 9, the highest")),
    ],
    ids=str,
)
def test_ends_that_are_no_natural_bounds_are_named(chosen, edges):
    assert with_edges(choice(**chosen), SYSTEM).edges == edges


def test_what_was_not_chosen_by_scores_has_no_edges():
    assert with_edges(replace(choice(step=1.0), score=None), SYSTEM).edges == ()


def test_edges_are_kept_and_read_again():
    from advsp.support.records import Fields

    found = with_edges(choice(step=1.0), SYSTEM)
    assert Choice.from_json(Fields(found.to_json(), "somewhere", "")) == found
    assert "edges" not in choice().to_json()
