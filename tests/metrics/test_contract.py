"""What every registered metric must do: count example by example, and score sums of counts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from training.toy import toy_pairs

from advsp.metrics import metrics
from advsp.metrics.base import Metric
from advsp.metrics.entity import entity_counts
from advsp.tasks import tasks
from advsp.training.instances import ChainInstances, Instances

SENTENCES = ChainInstances(
    node=csr_matrix((7, 1)),
    edge=csr_matrix((7, 1)),
    tags=np.array([0, 0, 2, 1, 2, 0, 2], dtype=np.int8),
    offsets=np.array([0, 5, 6, 7]),
    tag_names=("PER", "LOC", "O"),
    words=(("Mira", "Tolen", "left", "Ilmen", "late"), ("Brandt",), ("rain",)),
    gold=(("B-PER", "I-PER", "O", "B-LOC", "O"), ("B-PER",), ("O",)),
)
PAIRS = toy_pairs(shapes=((2, 2), (1, 2), (1, 1)), labels=(2, 1, 0, 2, 2, 0, 0))


@dataclass(frozen=True)
class Case:
    """What a metric is tried on.

    Attributes
    ----------
    instances: three examples with seven positions in all; in the last example there is nothing to find.
    classes: what is to be found.
    """

    instances: Instances
    classes: tuple[str, ...]

    def gold(self, label: str) -> np.ndarray:
        """The decisions of one who knows."""
        if self.instances is PAIRS:
            return PAIRS.labels == 2
        return SENTENCES.tags == SENTENCES.tag_names.index(label)


CASES = {
    "aer": Case(PAIRS, ("all",)),
    "entity_f1": Case(SENTENCES, ("PER", "LOC")),
    "joint_entity_f1": Case(SENTENCES, ("PER", "LOC")),
    "joint_token_f1": Case(SENTENCES, ("PER", "LOC")),
    "token_f1": Case(SENTENCES, ("PER", "LOC")),
}
every = pytest.mark.parametrize("name", metrics.names())


def every_decision(positions: int) -> list[np.ndarray]:
    return [np.array(decided, dtype=bool) for decided in product([False, True], repeat=positions)]


def every_sum(name: str) -> np.ndarray:
    """Summed counts [..., q] of every decision about the first class."""
    metric, case = metrics.get(name)(), CASES[name]
    label = case.classes[0]
    return np.stack([metric.counts(d, case.instances, label).sum(axis=0) for d in every_decision(7)])


def score(metric: Metric, decided: np.ndarray, case: Case, label: str) -> float:
    return float(metric.score(metric.counts(decided, case.instances, label).sum(axis=0)))


def test_there_is_something_to_try_every_metric_on():
    assert set(CASES) == set(metrics)


def test_every_metric_is_measured_in_some_task():
    assert {name for kind in tasks for name in tasks.get(kind).metrics} == set(metrics)


@every
def test_counts_are_whole_numbers_by_example_and_column(name):
    metric, case = metrics.get(name)(), CASES[name]
    assert len(set(metric.columns)) == len(metric.columns)
    for label in case.classes:
        for decided in every_decision(7):
            counts = metric.counts(decided, case.instances, label)
            assert counts.dtype == np.int64
            assert counts.shape == (3, len(metric.columns))
            assert (counts >= 0).all()


@every
def test_counts_of_an_example_do_not_depend_on_the_others(name):
    metric, case = metrics.get(name)(), CASES[name]
    for decided in every_decision(7)[::5]:
        for label in case.classes:
            counts = metric.counts(decided, case.instances, label)
            for example in range(3):
                rows = case.instances.rows(example)
                alone = metric.counts(decided[rows], case.instances.take(np.array([example])), label)
                assert np.array_equal(alone, counts[example : example + 1])


@every
def test_decisions_are_left_as_they_are(name):
    metric, case = metrics.get(name)(), CASES[name]
    decided = case.gold(case.classes[0])
    before = decided.copy()
    metric.counts(decided, case.instances, case.classes[0])
    assert np.array_equal(decided, before)


@every
def test_scores_precision_and_recall_lie_between_nothing_and_one(name):
    metric = metrics.get(name)()
    sums = every_sum(name)
    nothing = np.zeros((1, len(metric.columns)), dtype=np.int64)
    for table in (sums, nothing):
        for value in (metric.score(table), metric.precision(table), metric.recall(table)):
            assert ((value >= 0.0) & (value <= 1.0)).all()


@every
def test_tables_of_sums_are_scored_sum_by_sum(name):
    metric = metrics.get(name)()
    sums = every_sum(name)
    for number in (metric.score, metric.precision, metric.recall, metric.merit):
        table = number(sums.reshape(8, 16, -1))
        assert table.shape == (8, 16)
        assert table.ravel() == pytest.approx([float(number(one)) for one in sums], abs=1e-15)


@every
def test_who_knows_has_the_best_score_and_the_highest_merit(name):
    metric, case = metrics.get(name)(), CASES[name]
    for label in case.classes:
        best = metric.counts(case.gold(label), case.instances, label).sum(axis=0)
        assert metric.score(best) == (0.0 if metric.lower_is_better else 1.0)
        assert metric.precision(best) == metric.recall(best) == metric.merit(best) == 1.0
    assert metric.merit(every_sum(name)).max() == 1.0


@every
def test_who_decides_nothing_or_the_contrary_has_the_worst_score(name):
    metric, case = metrics.get(name)(), CASES[name]
    worst = 1.0 if metric.lower_is_better else 0.0
    for label in case.classes:
        assert score(metric, np.zeros(7, dtype=bool), case, label) == worst
    contrary = PAIRS.labels == 0 if case.instances is PAIRS else ~case.gold("PER")
    assert score(metric, contrary, case, case.classes[0]) == worst


@every
def test_merit_orders_as_the_score_does(name):
    metric = metrics.get(name)()
    sums = every_sum(name)
    scores, merits = metric.score(sums), metric.merit(sums)
    sign = -1.0 if metric.lower_is_better else 1.0
    better = sign * (scores[:, None] - scores[None, :])
    assert np.array_equal(np.sign(merits[:, None] - merits[None, :]).round(), np.sign(better).round())
    assert len(set(scores.tolist())) > 5, "or it would order nothing"
    assert ((merits >= 0.0) & (merits <= 1.0)).all()


@every
def test_score_depends_on_the_sums_alone(name):
    """Or scores of classes, folds and resamples would not be those of their added counts."""
    metric = metrics.get(name)()
    sums = every_sum(name)
    assert metric.score(3 * sums) == pytest.approx(metric.score(sums), abs=1e-15)
    assert metric.score(sums.astype(float)) == pytest.approx(metric.score(sums), abs=1e-15)


def test_tokens_of_classes_are_counted_together_as_one_by_one():
    metric, case = metrics.get("token_f1")(), CASES["token_f1"]
    rng = np.random.default_rng(0)
    masks = {label: rng.random(7) < 0.5 for label in case.classes}
    together = sum(metric.counts(mask, SENTENCES, label).sum(axis=0) for label, mask in masks.items())
    found = sum((masks[label] & case.gold(label)).sum() for label in case.classes)
    said = sum(mask.sum() for mask in masks.values())
    wanted = sum(case.gold(label).sum() for label in case.classes)
    assert together.tolist() == [found, said - found, wanted - found]


def test_entities_of_classes_are_counted_together_as_one_by_one():
    metric = metrics.get("entity_f1")()
    tags = ["I-PER", "I-PER", "I-LOC", "I-LOC", "O", "I-LOC", "I-PER"]
    masks = {label: np.array([tag == f"I-{label}" for tag in tags]) for label in ("PER", "LOC")}
    together = sum(metric.counts(mask, SENTENCES, label) for label, mask in masks.items())
    predicted = [tags[SENTENCES.rows(sentence)] for sentence in range(3)]
    at_once = entity_counts(predicted, SENTENCES.gold, ["PER", "LOC"])
    assert np.array_equal(together, at_once["PER"] + at_once["LOC"])
    assert together.sum(axis=0).tolist() == [1, 3, 2]


def test_possible_links_may_be_decided_and_need_not():
    aer, case = metrics.get("aer")(), CASES["aer"]
    with_possible = PAIRS.labels >= 1
    assert with_possible.sum() > (PAIRS.labels == 2).sum()
    assert score(aer, with_possible, case, "all") == 0.0
