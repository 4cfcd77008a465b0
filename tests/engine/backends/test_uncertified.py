"""Games for which the simplex finds no certified answer are told of, and counted."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.engine.backends import door
from advsp.engine.settings import Engine
from advsp.learners.game_loss import chain_game_loss
from advsp.training.chain_model import ChainModel
from advsp.training.objective import Objective


@pytest.mark.parametrize(("what", "name"), [("evaluate", "evaluate_batch"), ("decode", "decode_batch")])
def test_they_are_counted_from_what_kernels_say(monkeypatch, caplog, compiled_kernels, what, name):
    model = ChainModel(toy_instances(lengths=(3, 1, 2)))
    loss = chain_game_loss(model, [0], Engine(), warm=False)
    passes = door.module("passes")
    batch = getattr(passes, name)
    monkeypatch.setattr(passes, name, lambda *arguments: batch(*arguments) + 2)
    potentials = model.all_potentials(np.zeros(model.size))
    asked = (loss, potentials, 0.1) if what == "evaluate" else (loss, 0, potentials, 0.1)
    with caplog.at_level(logging.WARNING):
        getattr(loss.backend, what)(*asked)
    assert loss.uncertified == Objective(model, loss).uncertified == 2
    assert "2 games ended early: the simplex found no certified answer" in caplog.text
    getattr(loss.backend, what)(*asked)
    assert loss.uncertified == 4
