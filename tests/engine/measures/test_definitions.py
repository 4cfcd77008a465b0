"""Scores worked out by hand, the paper's own examples among them."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.engine.measures.additive import Additive
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.measures.roles import N, P, S


def score(measure, predicted, actual) -> float:
    return measure.scores(np.array([predicted], np.int8), np.array([actual], np.int8))[0, 0]


# --- F-beta ----------------------------------------------------------------------------------------


def test_f1_is_twice_the_hits_over_the_sum_of_the_counts():
    assert score(FBeta(2, 1), [1, 1, 1, 0], [1, 0, 0, 1]) == pytest.approx(2 * 1 / (3 + 2))


def test_f1_looks_at_the_target_alone():
    assert score(FBeta(4, 2), [1, 0, 1], [2, 3, 2]) == score(FBeta(4, 2), [1, 0, 1], [2, 0, 2]) == 1.0


def test_f_beta_of_recall_alone_and_of_precision_alone():
    # Recall 1, precision 1/3.
    assert score(FBeta(2, 1, beta=2.0), [1, 1, 1], [1, 0, 0]) == pytest.approx(5 / 7)
    assert score(FBeta(2, 1, beta=0.5), [1, 1, 1], [1, 0, 0]) == pytest.approx(1.25 / 3.25)


def test_nothing_predicted_where_nothing_is_scores_one():
    assert score(FBeta(3, 0), [0, 0], [1, 2]) == 1.0


def test_one_side_empty_scores_zero():
    assert score(FBeta(3, 0), [0, 1], [1, 2]) == 0.0
    assert score(FBeta(3, 0), [0, 0], [0, 2]) == 0.0


@pytest.mark.parametrize("target", [-1, 3])
def test_target_must_be_a_label(target):
    with pytest.raises(ValueError, match=f"target {target} is not one of 3 labels"):
        FBeta(3, target)


@pytest.mark.parametrize("beta", [0.0, -1.0, float("nan")])
def test_beta_must_be_positive(beta):
    with pytest.raises(ValueError, match="beta must be positive"):
        FBeta(3, 0, beta)


# --- alignment error rate --------------------------------------------------------------------------


def test_sure_hit_counts_twice_and_possible_hit_once():
    assert score(AlignmentAccuracy(), [1, 1, 0], [S, P, N]) == pytest.approx((2 + 1) / (2 + 1))
    assert score(AlignmentAccuracy(), [1, 1, 1], [S, P, N]) == pytest.approx((2 + 1) / (3 + 1))
    assert score(AlignmentAccuracy(), [0, 1, 0], [S, P, N]) == pytest.approx(1 / (1 + 1))


def test_missed_possible_link_costs_nothing():
    assert score(AlignmentAccuracy(), [1, 0], [S, P]) == 1.0


def test_no_link_at_all_scores_one_whatever_is_possible():
    assert score(AlignmentAccuracy(), [0, 0], [N, N]) == score(AlignmentAccuracy(), [0, 0], [P, N]) == 1.0


def test_figure_of_the_paper_has_an_aer_of_5_13():
    # The caption fixes a grid of 5 x 8 edges, the ends of either sequence (S N... N P S P against
    # A N... N N N A) and the AER of 5/13.  The middle is made up here so that it agrees: seven links
    # proposed and six sure ones, 13 together, of which three are hit and two possible ones as well.
    gold, proposed = np.full(40, N), np.zeros(40, dtype=int)
    gold[0], proposed[0] = S, 1
    gold[37:], proposed[39] = [P, S, P], 1
    gold[[9, 18]], proposed[[9, 18]] = S, 1
    gold[27], proposed[27] = P, 1
    gold[[11, 20]] = S
    proposed[[12, 21]] = 1
    assert proposed.sum() + (gold == S).sum() == 13
    assert 1 - score(AlignmentAccuracy(), proposed, gold) == pytest.approx(5 / 13)


# --- additive costs --------------------------------------------------------------------------------


def test_gains_add_up_over_positions():
    gain = Additive([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
    assert score(gain, [0, 1, 1, 0], [0, 1, 2, 2]) == 1.0 + 16.0 + 32.0 + 4.0


@pytest.mark.parametrize("gain", [np.zeros(3), np.zeros((3, 3)), np.zeros((1, 2))])
def test_gain_must_have_a_row_for_either_prediction(gain):
    with pytest.raises(ValueError, match=r"gain must have shape \[2, L\]"):
        Additive(gain)
