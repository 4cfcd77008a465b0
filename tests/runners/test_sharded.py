"""A full batch in shards: what it is made of, and that its numbers depend on the cut alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.toy import toy_instances, toy_pairs

from advsp.engine.settings import Engine
from advsp.experiments.config.schema import OptimiserConfig
from advsp.experiments.recipe import Recipe
from advsp.learners.adversarial import Adversarial
from advsp.learners.adversarial_corpus import AdversarialCorpus
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.crf import CRF
from advsp.learners.logistic import LogisticLinks
from advsp.runners.local import Local, place_here
from advsp.runners.sharded import FAN_IN, Shard, ShardedObjective, Total, add_up, cut, in_groups
from advsp.support.errors import InputError
from advsp.training.loop import CHECKPOINT, Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers.adadelta import AdaDelta
from advsp.training.optimisers.lbfgs import LBFGS

ENGINE = Engine(lp="linprog", oracle="numpy")
SENTENCES = toy_instances(lengths=(3, 1, 4, 2, 5, 3, 2))
PAIRS = toy_pairs(shapes=((2, 2), (1, 1), (2, 3), (1, 2), (3, 2)))
CASES = {
    "adversarial": (Adversarial(), SENTENCES, ("PER",)),
    "adversarial-corpus": (AdversarialCorpus(weight=2.0, f="updated"), SENTENCES, ("PER", "LOC")),
    "crf": (CRF(), SENTENCES, ("PER", "LOC")),
    "adversarial-links": (AdversarialLinks(), PAIRS, ("all",)),
    "logistic": (LogisticLinks(), PAIRS, ("all",)),
}
cases = pytest.mark.parametrize("case", CASES)
NOWHERE = Path("not needed")


def sharded(case: str, shards: int, folder: Path | None = None, tolerance: float = 1e-9) -> ShardedObjective:
    learner, instances, group = CASES[case]
    placed = place_here(instances, shards, learner, NOWHERE)
    return ShardedObjective(placed, Recipe(learner, group, ENGINE).loss, 0.3, tolerance, folder)


def whole(case: str, tolerance: float = 1e-9) -> Objective:
    learner, instances, group = CASES[case]
    model = learner.model(instances)
    return Objective(model, learner.loss(model, group, ENGINE), 0.3, tolerance)


def somewhere(objective) -> np.ndarray:
    return np.random.default_rng(0).normal(scale=0.5, size=objective.size)


# --- the cut and the order of sums --------------------------------------------------------------------


@given(st.integers(1, 100), st.integers(1, 20))
def test_shards_are_consecutive_and_alike_in_size(examples, shards):
    ends = cut(examples, shards)
    assert len(ends) == min(examples, shards)
    assert [e for a, b in ends for e in range(a, b)] == list(range(examples))
    sizes = [b - a for a, b in ends]
    assert max(sizes) - min(sizes) <= 1


@given(st.integers(1, 200))
def test_neighbours_are_combined_in_order(number):
    widest = 0

    def combine(group):
        nonlocal widest
        widest = max(widest, len(group))
        return "".join(group)

    letters = [chr(0x4E00 + i) for i in range(number)]
    assert in_groups(letters, combine) == "".join(letters)
    assert widest <= FAN_IN


def test_totals_are_added_from_the_first_to_the_last():
    numbers = [1.0, 1e16, -1e16, 1.0]
    total = add_up(Total(x, -x, np.array([x])) for x in numbers)
    assert (total.attained, total.bound, total.gradient.tolist()) == (1.0, -1.0, [1.0])


# --- the objective ------------------------------------------------------------------------------------


@cases
@pytest.mark.parametrize("shards", [1, 2, 3, 50])
def test_sharded_objective_is_the_whole_one(case, shards):
    ours, expected = sharded(case, shards), whole(case)
    assert (ours.examples, ours.size, ours.blocks) == (expected.examples, expected.size, expected.blocks)
    weights = somewhere(ours)
    found, its = ours.full(weights), expected.full(weights)
    assert found[:2] == pytest.approx(its[:2], abs=1e-7)
    if case not in ("adversarial", "adversarial-links"):  # equilibria need not be unique
        assert found[2] == pytest.approx(its[2], abs=1e-9)


@cases
def test_every_example_is_ticked_off_once(case):
    ticked = []
    ours = sharded(case, 3)
    ours.full(somewhere(ours), lambda n, note="": ticked.append(n))
    assert sum(ticked) == ours.examples


def test_another_loss_of_the_same_shards():
    """What initial weights are found with."""
    learner, instances, _ = CASES["adversarial-links"]
    ours = sharded("adversarial-links", 2).with_loss(learner.log_loss, 0.7)
    expected = whole("adversarial-links").with_loss(learner.log_loss, 0.7)
    for found, its in zip(ours.full(somewhere(ours)), expected.full(somewhere(ours)), strict=True):
        assert found == pytest.approx(its, abs=1e-9)


@cases
def test_evaluation_has_no_side_effects(case):
    learner, instances, group = CASES[case]
    model = learner.model(instances)
    shard = Shard(model, learner.loss(model, group, ENGINE))
    weights = np.random.default_rng(1).normal(size=model.size)
    total, memory = shard.evaluate(shard.first, weights, 0.05)
    again, same = shard.evaluate(shard.first, weights, 0.05)
    warm, _ = shard.evaluate(memory, 0.9 * weights, 0.05)
    warm_again, _ = shard.evaluate(same, 0.9 * weights, 0.05)
    for one, other in ((total, again), (warm, warm_again)):
        assert (one.attained, one.bound) == (other.attained, other.bound)
        assert one.gradient.tobytes() == other.gradient.tobytes()
    assert memory.keys() == same.keys()
    for name in memory:
        assert memory[name].tobytes() == same[name].tobytes()


@cases
def test_prediction_does_not_depend_on_the_cut(case):
    learner, instances, group = CASES[case]
    weights = np.random.default_rng(2).normal(size=learner.model(instances).size)
    expected = learner.decode(learner.model(instances), weights, group, ENGINE, 1e-6)
    for shards in (1, 2, 5):
        placed = Local(1).place(instances, shards, learner, NOWHERE)
        found = placed.decode(learner, weights, group, ENGINE, 1e-6)
        for name in group:
            assert np.array_equal(found[name].mode, expected[name].mode)
            assert found[name].marginal == pytest.approx(expected[name].marginal, abs=1e-9)


# --- what shards share --------------------------------------------------------------------------------


def test_what_shards_share_is_renewed_by_the_sums_over_all_of_them():
    objectives = [sharded("adversarial-corpus", shards) for shards in (1, 3)] + [whole("adversarial-corpus")]
    values = []
    for objective in objectives:
        objective.full(somewhere(objective))
        before = objective.full(somewhere(objective))[0]
        objective.renew()
        values.append(objective.full(somewhere(objective))[0])
        assert values[-1] != pytest.approx(before, abs=1e-3)
    assert values[0] == pytest.approx(values[1], abs=1e-6) == pytest.approx(values[2], abs=1e-6)


def test_what_is_taken_from_all_examples_is_not_taken_from_a_shard():
    learner = AdversarialCorpus(weight=2.0, balance="inverse").seen(SENTENCES, ("PER", "LOC"))
    placed = place_here(SENTENCES, 3, learner, NOWHERE)
    ours = ShardedObjective(placed, Recipe(learner, ("PER", "LOC"), ENGINE).loss, 0.0, 1e-9)
    model = learner.model(SENTENCES)
    expected = Objective(model, learner.loss(model, ("PER", "LOC"), ENGINE), 0.0, 1e-9)
    assert ours.full(somewhere(ours))[0] == pytest.approx(expected.full(somewhere(ours))[0], abs=1e-6)


# --- checkpoints --------------------------------------------------------------------------------------


class Stopped(Exception):
    """A run is stopped here."""


@pytest.mark.long
@pytest.mark.parametrize(
    "optimiser", [AdaDelta(epsilon=1e-3), LBFGS(iterations=3)], ids=["adadelta", "lbfgs"]
)
@pytest.mark.parametrize("case", ["adversarial", "adversarial-corpus", "adversarial-links", "crf"])
def test_run_that_is_stopped_after_a_pass_ends_as_if_it_had_not_been(case, optimiser, tmp_path):
    def run(name, after_pass=None, resume=False):
        folder = tmp_path / name
        objective = sharded(case, 3, folder / "memories")
        return fit(
            objective,
            optimiser,
            passes=4,
            seed=1,
            tolerance=Tolerance(),
            folder=folder,
            resume=resume,
            initial=somewhere(objective),
            checkpoint_seconds=0,
            after_pass=after_pass,
        )

    def stop(number, weights):
        if number == 3:
            raise Stopped
        return {}

    expected = run("whole")
    with pytest.raises(Stopped):
        run("stopped", stop)
    assert (tmp_path / "stopped" / CHECKPOINT).exists()
    assert run("stopped", resume=True).tobytes() == expected.tobytes()


def test_what_shards_remember_is_kept_for_the_last_two_checkpoints(tmp_path):
    objective = sharded("adversarial", 2, tmp_path)
    for _ in range(4):
        objective.full(somewhere(objective))
        objective.state()
        assert len(list(tmp_path.glob("evaluation-*"))) <= 2
    assert sorted(path.name for path in (tmp_path / "evaluation-4").iterdir()) == [
        "shard-0.npz",
        "shard-1.npz",
    ]


def test_what_a_shard_remembers_and_is_not_there_is_an_error(tmp_path):
    objective = sharded("adversarial", 2, tmp_path)
    with pytest.raises(InputError, match="shard-0.npz"):
        objective.restore({"evaluations": np.array(7)})


# --- configurations -----------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [{"name": "lbfgs"}, {"name": "adadelta"}, {"name": "adadelta", "batch": 0}])
def test_full_batches_can_be_cut(given):
    assert OptimiserConfig.model_validate(given | {"shards": 4}).shards == 4


@pytest.mark.parametrize(
    "given",
    [
        {"name": "adagrad"},
        {"name": "bcfw", "l2": 1.0},
        {"name": "adadelta", "batch": 5},
        {"name": "lbfgs", "warm": 1},
    ],
)
def test_what_goes_from_example_to_example_cannot_be_cut(given):
    assert OptimiserConfig.model_validate(given).shards == 1
    with pytest.raises(ValueError, match="goes from example to example"):
        OptimiserConfig.model_validate(given | {"shards": 2})
