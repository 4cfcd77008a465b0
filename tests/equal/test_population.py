"""Populations whose best decisions are known, against sums over everything there is."""

from __future__ import annotations

from itertools import product

import brute_force
import numpy as np
import pytest
from regret.population import CLASS, Population
from regret.systems import SYSTEMS, plug_in

SMALL = Population.draw(contexts=4, length=3, seed=3)


def every_decision(population: Population):
    """All ways to decide about all contexts, bool [X, n]."""
    for flat in product([False, True], repeat=population.contexts * population.length):
        yield np.array(flat).reshape(population.contexts, population.length)


def test_probabilities_are_those_of_all_labellings():
    assert SMALL.probabilities.sum(axis=1) == pytest.approx(np.ones(4))
    assert {tuple(row) for row in SMALL.labellings.tolist()} == set(product([False, True], repeat=3))
    expected = [
        [sum(p for y, p in zip(SMALL.labellings, row) if y[t]) for t in range(3)]
        for row in SMALL.probabilities
    ]
    assert SMALL.marginals == pytest.approx(np.array(expected))


def test_expected_f1_of_a_sentence_is_that_of_its_definition():
    decided = np.random.default_rng(0).random((4, 3)) < 0.5
    expected = np.mean(
        [
            sum(
                p * brute_force.f_beta(tuple(map(int, said)), tuple(map(int, y)), 1, 1.0)
                for y, p in zip(SMALL.labellings, row)
            )
            for said, row in zip(decided, SMALL.probabilities)
        ]
    )
    assert SMALL.sentence_f1(decided) == pytest.approx(expected)


def test_nothing_is_better_than_the_best():
    tiny = Population.draw(contexts=3, length=2, seed=5)
    sentence, corpus = zip(*((tiny.sentence_f1(d), tiny.corpus_f1(d)) for d in every_decision(tiny)))
    assert tiny.best_sentence_f1 == pytest.approx(max(sentence))
    assert tiny.best_corpus_f1 == pytest.approx(max(corpus))


def test_samples_are_drawn_from_the_distribution():
    data = SMALL.sample(40_000, np.random.default_rng(0))
    contexts = data.node.indices.reshape(-1, 3)[:, 0] // 3
    names = (data.tags == data.tag_names.index(CLASS)).reshape(-1, 3)
    for context in range(4):
        own = names[contexts == context]
        assert own.mean(axis=0) == pytest.approx(SMALL.marginals[context], abs=0.03)
        both = (own[:, 0] & own[:, 1]).mean()
        expected = SMALL.probabilities[context][SMALL.labellings[:, 0] & SMALL.labellings[:, 1]].sum()
        assert both == pytest.approx(expected, abs=0.03)


def test_features_tell_contexts_and_positions_apart():
    node = SMALL.every_context().node.toarray()
    assert np.array_equal(node, np.eye(12))


def test_plug_in_threshold_is_best_where_marginals_are_true():
    marginals = SMALL.marginals.ravel()
    decided = SMALL.marginals > plug_in(marginals)
    assert SMALL.corpus_f1(decided) == pytest.approx(SMALL.best_corpus_f1)


@pytest.mark.long
@pytest.mark.parametrize("name", SYSTEMS)
def test_systems_learn_what_is_best_for_their_measure_from_much(name):
    population = Population.draw(contexts=6, length=2, seed=2)
    data = population.sample(6000, np.random.default_rng(1))
    decided = SYSTEMS[name].decisions(population, data, seed=1)
    assert decided.shape == (6, 2)
    if name == "ADV_f1":
        assert population.sentence_f1(decided) >= population.best_sentence_f1 - 0.02
    elif name in ("ADV_corpus", "CRF, plug-in threshold"):
        assert population.corpus_f1(decided) >= population.best_corpus_f1 - 0.02
    else:
        # The most probable labelling, which is neither.
        best = population.labellings[population.probabilities.argmax(axis=1)]
        assert (decided == best).mean() >= 0.8
