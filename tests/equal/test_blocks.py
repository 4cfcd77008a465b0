"""Crossed thresholds, differences over samples, and paired differences turned towards the best rival."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.markdown import with_block
from equality.blocks import crossed, differences
from equality.page import page
from equality.readme import NAME, results_block
from equality.runs import BLOCKS, RIVALS, best_rival, config_of, scores_of
from equality.summary import paired
from places import ROOT
from training.toy import toy_instances

from advsp.learners.base import Decoded
from advsp.metrics.choice import Choice
from advsp.metrics.counts import f_score
from advsp.metrics.scores import PairedRow, Scores


def choice(score: float) -> Choice:
    return Choice("token_f1", 0, 3, "threshold", score, {})


def test_each_half_is_decided_by_the_best_threshold_of_the_other():
    data = toy_instances(1, lengths=(40, 40))
    gold = data.is_of("PER")
    first = np.arange(80) < 40
    # In the first half names lie above .3 and all else below, in the second above .7.
    marginal = np.where(first, np.where(gold, 0.35, 0.25), np.where(gold, 0.75, 0.65))
    found = crossed(data, {"PER": Decoded(gold, marginal)}, ["PER"], 0.05)
    # By .7 of the second half nothing is found in the first one, by .3 of the first all is in the second.
    hits, others = int(gold[~first].sum()), int((~gold[~first]).sum())
    expected = 100 * f_score(hits, others, int(gold[first].sum()))
    assert found == pytest.approx({"mean": expected, "all": expected})


def test_differences_are_means_over_samples_with_their_standard_errors():
    samples = [{"CRF": {"mean": 70.0}, "G": {"mean": value}} for value in (71.0, 72.0, 70.5)]
    found = differences({"rival": "CRF", "samples": samples})
    values = np.array([1.0, 2.0, 0.5])
    assert found == {"G": pytest.approx((values.mean(), values.std(ddof=1) / np.sqrt(3)))}


def test_the_best_rival_is_chosen_by_what_systems_were_chosen_on():
    scores = dict.fromkeys(RIVALS, choice(0.7)) | {"CRF+margin": choice(0.8), "ADV_corpus": choice(0.9)}
    assert best_rival(scores) == "CRF+margin"


def test_tests_are_turned_towards_the_best_rival():
    config = config_of("300", ROOT)
    margin, corpus = "CRF+margin+average", "ADV_corpus+average"
    tests = (
        PairedRow("testb-all", "mean", "token_f1", (margin, corpus), 0.5, 0.1, 0.9, 0.01),
        PairedRow("testb-all", "mean", "token_f1", ("CRF", margin), -1.0, -2.0, 0.2, 0.04),
        PairedRow("testb-all", "mean", "token_f1", ("CRF", corpus), 3.0, 2.0, 4.0, 0.01),
        PairedRow("testb-300", "mean", "token_f1", ("CRF", margin), 9.0, 8.0, 10.0, 0.01),
        PairedRow("testb-all", "all", "token_f1", ("CRF", margin), 9.0, 8.0, 10.0, 0.01),
    )
    selection = dict.fromkeys(config.systems, choice(0.7)) | {"CRF+margin": choice(0.8)}
    scores = Scores("equal300", "equal", "0" * 12, {}, {}, {}, selection, (), tests)
    rows = paired(scores, config, "testb-all", "token_f1", "mean")
    found = [(row.system, row.value, row.low, row.high, row.p) for row in rows]
    assert found == [("CRF", -1.0, -2.0, 0.2, 0.04), ("ADV_corpus", -0.5, -0.9, -0.1, 0.01)]


# --- what is committed ----------------------------------------------------------------------------


def test_the_committed_page_and_the_readmes_table_are_those_of_the_committed_scores():
    assert page(ROOT) == (ROOT / "results/equal.md").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert with_block(readme, NAME, results_block(ROOT)) == readme


@pytest.mark.parametrize("block", BLOCKS)
def test_committed_scores_are_those_of_the_committed_configurations(block):
    assert scores_of(block, ROOT).fingerprint == config_of(block, ROOT).fingerprint()
