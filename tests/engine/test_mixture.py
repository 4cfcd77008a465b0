"""Mixtures of labellings."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.engine.mixture import Mixture

LABELLINGS = np.array([[0, 1, 2], [1, 1, 0], [0, 2, 2]], dtype=np.int8)


def mixture(*probabilities: float) -> Mixture:
    return Mixture(LABELLINGS, np.array(probabilities))


def test_pure_mixture_always_plays_its_labelling():
    pure = Mixture.pure(np.array([0, 2, 1]))
    assert pure.labellings.tolist() == [[0, 2, 1]]
    assert pure.labellings.dtype == np.int8
    assert pure.probabilities.tolist() == [1.0]


def test_support_leaves_out_what_is_never_played():
    support = mixture(0.25, 0.0, 0.75).support()
    assert support.labellings.tolist() == LABELLINGS[[0, 2]].tolist()
    assert support.probabilities.tolist() == [0.25, 0.75]


def test_mixture_that_plays_everything_is_its_own_support():
    full = mixture(0.25, 0.25, 0.5)
    assert full.support() is full


def test_mode_is_the_most_probable_labelling():
    assert mixture(0.2, 0.3, 0.5).mode().tolist() == [0, 2, 2]


def test_mode_is_the_first_of_several_on_a_tie():
    assert mixture(0.2, 0.4, 0.4).mode().tolist() == [1, 1, 0]


def test_marginal_adds_up_where_a_label_stands():
    assert mixture(0.2, 0.3, 0.5).marginal() == pytest.approx([0.3, 0.5, 0.0])
    assert mixture(0.2, 0.3, 0.5).marginal(2) == pytest.approx([0.0, 0.5, 0.7])


def test_marginals_over_all_labels_sum_to_one():
    total = sum(mixture(0.2, 0.3, 0.5).marginal(label) for label in range(3))
    assert total == pytest.approx(np.ones(3))
