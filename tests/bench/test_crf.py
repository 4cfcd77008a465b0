"""What CRFsuite sees is what we see."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.sections.crf import attributes, to_our_weights, with_bias_alone
from scipy.sparse import csr_matrix

from advsp.training.chain_model import ChainModel
from advsp.training.instances import ChainInstances


@pytest.fixture
def instances() -> ChainInstances:
    node = csr_matrix(np.array([[1.0, 0, 1], [0, 1, 0], [0, 0, 1]]))
    edge = csr_matrix(np.ones((3, 4)))
    words = (("a", "b"), ("c",))
    return ChainInstances(
        node, edge, np.array([0, 1, 1], dtype=np.int8), np.array([0, 2, 3]), ("PER", "O"), words, words
    )


def test_attributes_are_the_node_features_and_a_start(instances):
    assert attributes(instances, 0) == [["0", "2", "START"], ["1"]]
    assert attributes(instances, 1) == [["2", "START"]]


def test_edges_are_left_with_the_bias(instances):
    reduced = with_bias_alone(instances)
    assert reduced.edge.shape == (3, 1)
    assert (reduced.edge.toarray() == 1.0).all()


def test_weights_give_the_potentials_that_the_other_program_means(instances):
    states = {("0", "PER"): 1.0, ("2", "O"): 2.0, ("START", "PER"): 4.0}
    weights = to_our_weights(states, {("PER", "O"): 8.0}, instances)
    model = ChainModel(with_bias_alone(instances), "own")
    assert len(weights) == model.size
    chain = model.chain(model.all_potentials(weights)[:2])
    # PER at the first token: feature 0, START; then O: its pair.
    assert chain.potential(np.array([[0, 1]], dtype=np.int8))[0] == pytest.approx(1.0 + 4.0 + 8.0)
    assert chain.potential(np.array([[1, 1]], dtype=np.int8))[0] == pytest.approx(2.0)
