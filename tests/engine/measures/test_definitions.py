"""Scores worked out by hand, the paper's own examples among them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from advsp.engine.measures.accuracy import Accuracy
from advsp.engine.measures.additive import AdditiveScore
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.measures.informedness import Informedness
from advsp.engine.measures.kappa import Kappa
from advsp.engine.measures.mcc import MatthewsCorrelation
from advsp.engine.measures.precision import Precision
from advsp.engine.measures.precision_at_k import PrecisionAtK
from advsp.engine.measures.recall import Recall
from advsp.engine.measures.roles import N, P, S


def score(measure, predicted, actual) -> float:
    return measure.scores(np.array([predicted], np.int8), np.array([actual], np.int8))[0, 0]


# --- F-beta ----------------------------------------------------------------------------------------


def test_f1_is_twice_the_hits_over_the_sum_of_the_counts():
    assert score(FBeta().on_target(2, 1), [1, 1, 1, 0], [1, 0, 0, 1]) == pytest.approx(2 * 1 / (3 + 2))


def test_f1_looks_at_the_target_alone():
    assert (
        score(FBeta().on_target(4, 2), [1, 0, 1], [2, 3, 2])
        == score(FBeta().on_target(4, 2), [1, 0, 1], [2, 0, 2])
        == 1.0
    )


def test_f_beta_of_recall_alone_and_of_precision_alone():
    # Recall 1, precision 1/3.
    assert score(FBeta(2.0).on_target(2, 1), [1, 1, 1], [1, 0, 0]) == pytest.approx(5 / 7)
    assert score(FBeta(0.5).on_target(2, 1), [1, 1, 1], [1, 0, 0]) == pytest.approx(1.25 / 3.25)


def test_nothing_predicted_where_nothing_is_scores_one():
    assert score(FBeta().on_target(3, 0), [0, 0], [1, 2]) == 1.0


def test_one_side_empty_scores_zero():
    assert score(FBeta().on_target(3, 0), [0, 1], [1, 2]) == 0.0
    assert score(FBeta().on_target(3, 0), [0, 0], [0, 2]) == 0.0


@pytest.mark.parametrize("target", [-1, 3])
def test_target_must_be_a_label(target):
    with pytest.raises(ValueError, match=f"target {target} is not one of 3 labels"):
        FBeta().on_target(3, target)


@pytest.mark.parametrize("beta", [0.0, -1.0, float("nan")])
def test_beta_must_be_positive(beta):
    with pytest.raises(ValueError, match="beta must be positive"):
        FBeta(beta)


# --- alignment error rate --------------------------------------------------------------------------


def test_sure_hit_counts_twice_and_possible_hit_once():
    assert score(AlignmentAccuracy().on_links(), [1, 1, 0], [S, P, N]) == pytest.approx((2 + 1) / (2 + 1))
    assert score(AlignmentAccuracy().on_links(), [1, 1, 1], [S, P, N]) == pytest.approx((2 + 1) / (3 + 1))
    assert score(AlignmentAccuracy().on_links(), [0, 1, 0], [S, P, N]) == pytest.approx(1 / (1 + 1))


def test_missed_possible_link_costs_nothing():
    assert score(AlignmentAccuracy().on_links(), [1, 0], [S, P]) == 1.0


def test_no_link_at_all_scores_one_whatever_is_possible():
    assert (
        score(AlignmentAccuracy().on_links(), [0, 0], [N, N])
        == score(AlignmentAccuracy().on_links(), [0, 0], [P, N])
        == 1.0
    )


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
    assert 1 - score(AlignmentAccuracy().on_links(), proposed, gold) == pytest.approx(5 / 13)


# --- additive costs --------------------------------------------------------------------------------


def test_gains_add_up_over_positions():
    gain = AdditiveScore([[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]])
    assert score(gain, [0, 1, 1, 0], [0, 1, 2, 2]) == 1.0 + 16.0 + 32.0 + 4.0


@pytest.mark.parametrize("gain", [np.zeros(3), np.zeros((3, 3)), np.zeros((1, 2))])
def test_gain_must_have_a_row_for_either_prediction(gain):
    with pytest.raises(ValueError, match=r"gain must have shape \[2, L\]"):
        AdditiveScore(gain)


# --- measures of a target, from the four counts ----------------------------------------------------


def confusion(predicted, actual) -> tuple[int, int, int, int]:
    """True positives, false positives, false negatives and true negatives."""
    pairs = list(zip(predicted, actual, strict=True))
    return tuple(pairs.count(pair) for pair in ((1, 1), (1, 0), (0, 1), (0, 0)))


def kappa(tp, fp, fn, tn):
    n = tp + fp + fn + tn
    observed = (tp + tn) / n
    chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / n**2
    return 1.0 if chance == 1.0 else (observed - chance) / (1.0 - chance)


def mcc(tp, fp, fn, tn):
    if [tp, fp, fn, tn].count(0) == 3:
        return 1.0 if tp or tn else -1.0
    product_of_sums = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / product_of_sums**0.5 if product_of_sums else 0.0


def informedness(tp, fp, fn, tn):
    found = tp / (tp + fn) if tp + fn else 1.0
    left_alone = tn / (tn + fp) if tn + fp else 1.0
    return found + left_alone - 1.0


BY_COUNTS = {
    "accuracy": (Accuracy(), lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn)),
    "kappa": (Kappa(), kappa),
    "mcc": (MatthewsCorrelation(), mcc),
    "informedness": (Informedness(), informedness),
    "precision": (Precision(), lambda tp, fp, fn, tn: tp / (tp + fp)),
    "precision at 2": (PrecisionAtK(2), lambda tp, fp, fn, tn: tp / 2),
    "recall": (Recall(most=3), lambda tp, fp, fn, tn: tp / (tp + fn) if tp + fn else 1.0),
}


@pytest.mark.parametrize("length", [2, 3, 4])
@pytest.mark.parametrize("name", BY_COUNTS)
def test_scores_are_those_of_the_four_counts(name, length):
    measure, by_definition = BY_COUNTS[name]
    least, most = measure.permitted(length)
    compared = 0
    for predicted in product((0, 1), repeat=length):
        for actual in product((0, 1), repeat=length):
            found = score(measure.on_target(2, 1), predicted, actual)
            if least <= sum(predicted) <= most:
                expected = by_definition(*confusion(predicted, actual))
                assert found == pytest.approx(expected, abs=1e-14), (predicted, actual)
                compared += 1
            else:
                assert found == -np.inf
    assert compared


def test_a_target_of_several_labels_counts_them_as_one():
    both = FBeta().on_target(4, (1, 3))
    assert score(both, [1, 1, 0, 1], [1, 3, 3, 0]) == pytest.approx(2 * 2 / (3 + 3))
    assert both.roles.counted.tolist() == [False, True, False, True]


@pytest.mark.parametrize("target", [(), (0, 3), (-1,)])
def test_a_target_of_several_labels_has_labels_that_there_are(target):
    with pytest.raises(ValueError, match="is not one of 3 labels, or a set of some"):
        Kappa().on_target(3, target)
