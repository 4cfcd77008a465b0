"""Batches whose potentials would take too much memory are gone through in parts, to the same end."""

from __future__ import annotations

import numpy as np
import pytest
from run_folder import weights
from training.toy import toy_instances

from advsp.experiments.config import OptimiserConfig, load_config
from advsp.experiments.recipe import Recipe
from advsp.experiments.train import train
from advsp.learners.adversarial import Adversarial
from advsp.learners.crf import CRF
from advsp.runners import sharded
from advsp.runners.sharded import shards_needed
from advsp.support.progress import Silent
from advsp.training.chain_model import ChainModel

SENTENCES = toy_instances(lengths=(3, 1, 4, 2, 5, 1, 2))


def test_number_of_parts_follows_from_the_size_of_the_table(monkeypatch):
    model = ChainModel(SENTENCES)
    cells = int(model.offsets[-1]) * model.width
    for table, parts in ((cells, 1), (cells - 1, 2), (cells // 3, 4 if cells % 3 else 3)):
        monkeypatch.setattr(sharded, "TABLE", table)
        assert shards_needed(model) == parts


@pytest.mark.parametrize("learner", [CRF(), Adversarial()], ids=["crf", "adversarial"])
def test_decisions_in_parts_are_those_in_one(learner, monkeypatch):
    recipe = Recipe(learner, ("PER",), optimiser=OptimiserConfig())
    found = np.random.default_rng(2).normal(size=learner.model(SENTENCES).size)
    whole = recipe.decode(SENTENCES, found, 1e-6)
    monkeypatch.setattr(sharded, "TABLE", 20)
    assert shards_needed(learner.model(SENTENCES)) > 3
    assert recipe.decode(SENTENCES, found, 1e-6) == whole


def test_full_batch_in_parts_ends_at_the_same_weights(workspace, monkeypatch):
    options = "{name: adadelta, passes: 2}, selection: {grid: {}}"
    config = load_config(
        "tiny.yaml", [f"systems.ADV_f1={{learner: {{name: adversarial}}, optimiser: {options}}}"]
    )
    whole = weights(train(config, Silent()))
    monkeypatch.setattr(sharded, "TABLE", 60)
    parts = weights(train(config, Silent(), overwrite=True))
    assert whole.keys() == parts.keys()
    for name in whole:
        assert parts[name] == pytest.approx(whole[name], rel=1e-6, abs=1e-8), name
