"""Registered measures as metrics: over all tokens of a corpus, by their own coefficients."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.engine.measures import measures
from advsp.engine.measures.kappa import Kappa
from advsp.metrics import metrics
from advsp.metrics.token_measure import names, token_measure
from advsp.support.errors import InputError

INSTANCES = toy_instances(2, lengths=(3, 1, 4, 2))


def decided(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).random(len(INSTANCES.tags)) < 0.5


def test_every_measure_of_a_target_is_a_metric_and_those_of_links_are_none():
    assert names() == [f"token_{name}" for name in measures if not measures.get(name).links_only]
    assert {"token_kappa", "token_mcc", "token_precision-at-k"} <= set(names())
    assert token_measure("token_aer") is token_measure("kappa") is token_measure("token_nothing") is None


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seed", range(5))
def test_score_is_that_of_all_tokens_as_one_labelling(name, seed):
    metric, found = metrics.get(name)(), decided(seed)
    sums = metric.counts(found, INSTANCES, "PER").sum(axis=0)
    gold = INSTANCES.tags == INSTANCES.tag_names.index("PER")
    weight, offset = metric.measure.defined(found.sum(), gold.sum(), len(gold))
    assert metric.score(sums) == pytest.approx(float(weight * (found & gold).sum() + offset), abs=1e-15)
    assert sums.sum() == len(gold)


@pytest.mark.parametrize("name", names())
def test_many_sums_are_scored_at_once(name):
    metric = metrics.get(name)()
    sums = np.stack([metric.counts(decided(seed), INSTANCES, "PER").sum(axis=0) for seed in range(6)])
    sums[3] *= 7
    alone = [float(metric.score(row)) for row in sums]
    assert metric.score(sums).tolist() == alone
    assert metric.score(sums.reshape(2, 3, 4)).ravel().tolist() == alone


def test_f1_by_that_name_is_the_f1_that_is_registered():
    for seed in range(5):
        ours, registered = metrics.get("token_fbeta")(), metrics.get("token_f1")()
        scores = [m.score(m.counts(decided(seed), INSTANCES, "LOC").sum(axis=0)) for m in (ours, registered)]
        assert scores[0] == pytest.approx(float(scores[1]), abs=1e-15)


def test_f_with_its_beta_in_the_name():
    metric = metrics.get("token_f0.5")()
    assert metric.measure.beta == 0.5
    assert metric.score(np.array([3, 1, 2, 4])) == pytest.approx(1.25 * 3 / (4 + 0.25 * 5))
    assert metrics.get("token_f2") is metrics.get("token_f2")


def test_a_name_of_none_is_refused_with_the_nearest():
    with pytest.raises(InputError, match="unknown metric 'token_f0'"):
        metrics.get("token_f0")


def test_precision_and_recall_are_those_of_the_class():
    metric = token_measure("token_kappa")()
    assert metric.measure == Kappa()
    assert (metric.precision(np.array([3, 1, 2, 4])), metric.recall(np.array([3, 1, 2, 4]))) == (0.75, 0.6)
