"""Features left out of a pass: which, how the others weigh, and that chance is the seed's alone."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_instances, toy_pairs

from advsp.learners.log_loss import ChainLogLoss
from advsp.training.chain_model import ChainModel
from advsp.training.edge_model import EdgeModel
from advsp.training.objective import Objective
from advsp.training.optimisers.adagrad import AdaGrad

LENGTHS = (30, 50, 40, 80)


def thinned(model: ChainModel, seed: int = 0, dropout: float = 0.25) -> ChainModel:
    return model.thinned(dropout, np.random.default_rng(seed))


@pytest.mark.parametrize("bias", [False, True])
def test_some_node_features_are_left_out_and_the_others_weigh_the_more(bias):
    model = ChainModel(toy_instances(lengths=LENGTHS), bias=bias)
    thin = thinned(model)
    whole, found = model.node.toarray(), thin.node.toarray()
    columns = slice(0, model.node_features - bias)
    there = whole[:, columns] != 0
    ratios = found[:, columns][there] / whole[:, columns][there]
    assert set(np.round(ratios, 12)) == {0.0, round(4 / 3, 12)}
    assert 0.2 < np.mean(ratios == 0) < 0.3
    if bias:
        assert (found[:, -1] == 1.0).all()
    assert (thin.edge != model.edge).nnz == 0
    # The model itself is what it was.
    assert np.array_equal(model.node.toarray(), whole)


def test_potentials_and_gradients_are_those_of_the_features_that_are_left():
    model = ChainModel(toy_instances(lengths=(3, 4)))
    model.potentials(0, np.zeros(len(model.support(0))))  # what is kept of an example is of the whole model
    thin = thinned(model)
    weights = np.random.default_rng(1).normal(size=model.size)
    table = thin.all_potentials(weights)
    nodes, _ = thin.tables(weights)
    assert table[:, : model.tags] == pytest.approx(thin.node.toarray() @ nodes)
    moments = np.random.default_rng(2).normal(size=table.shape) * (table != 0)
    for example in range(2):
        support, rows = thin.support(example), thin.rows(example)
        assert thin.potentials(example, weights[support]) == pytest.approx(table[rows])
        assert thin.adjoint(example, moments[rows]) @ weights[support] == pytest.approx(
            np.vdot(moments[rows], table[rows])
        )


def test_what_penalties_are_shared_by_stays():
    model = ChainModel(toy_instances(lengths=LENGTHS))
    assert np.array_equal(thinned(model).frequencies(), model.frequencies())


def test_links_do_not_do_without_features():
    with pytest.raises(TypeError, match="EdgeModel does not do without features"):
        EdgeModel(toy_pairs()).thinned(0.2, np.random.default_rng(0))


def run(order: np.ndarray, passes: int = 1, dropout: float | None = 0.3) -> dict[str, np.ndarray]:
    model = ChainModel(toy_instances())
    objective = Objective(model, ChainLogLoss(model))
    optimiser = AdaGrad(dropout=dropout)
    state = optimiser.start(objective, np.zeros(model.size))
    for _ in range(passes):
        optimiser.run_pass(objective, state, order)
    return state


def test_chance_is_that_of_the_order_and_of_the_pass(monkeypatch):
    drawn = []
    original = ChainModel.thinned

    def spy(self, dropout, chance):
        found = original(self, dropout, chance)
        drawn.append(found.node.data.tobytes())
        return found

    monkeypatch.setattr(ChainModel, "thinned", spy)
    order = np.array([2, 0, 3, 1])
    first, again = run(order, passes=2), run(order, passes=2)
    assert all(np.array_equal(first[key], again[key]) for key in first)
    assert drawn[:2] == drawn[2:] and drawn[0] != drawn[1]
    run(order[::-1])
    assert drawn[4] not in drawn[:4]


def test_no_dropout_is_none_at_all():
    order = np.array([2, 0, 3, 1])
    plain, none = run(order, dropout=None), run(order, dropout=0.0)
    assert all(np.array_equal(plain[key], none[key]) for key in plain)
    assert not np.array_equal(run(order)["weights"], plain["weights"])
