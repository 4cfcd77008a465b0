"""Shards on a cluster: the bits of a local run, whichever worker is lost when."""

from __future__ import annotations

import os

import numpy as np
import pytest
from training.toy import toy_instances, toy_pairs

pytest.importorskip("distributed", reason="distributed is not installed")

from advsp.engine.settings import Engine
from advsp.experiments.recipe import Recipe
from advsp.learners.adversarial import Adversarial
from advsp.learners.adversarial_corpus import AdversarialCorpus
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.crf import CRF
from advsp.runners.dask import shards as cluster_shards
from advsp.runners.dask.shards import ClusterLosses
from advsp.runners.local import place_here
from advsp.runners.sharded import ShardedObjective

pytestmark = pytest.mark.long

ENGINE = Engine(lp="linprog", oracle="numpy")
SENTENCES = toy_instances(lengths=(3, 1, 4, 2, 5, 3, 2, 4, 1, 3))
PAIRS = toy_pairs(shapes=((2, 2), (1, 1), (2, 3), (1, 2), (3, 2), (2, 1), (2, 2)))
CASES = {
    "games of sentences": (Adversarial(), SENTENCES, ("PER",)),
    "a game of all": (AdversarialCorpus(weight=2.0, f="updated"), SENTENCES, ("PER", "LOC")),
    "games of pairs": (AdversarialLinks(), PAIRS, ("all",)),
    "no memory": (CRF(), SENTENCES, ("PER", "LOC")),
}
SHARDS = 5
#: Loose, so that what is remembered shows in what is found.
TOLERANCE = 0.05


def objective(place, case: str, folder) -> ShardedObjective:
    learner, instances, group = CASES[case]
    placed = place(instances, SHARDS, learner, folder / "shards")
    make = Recipe(learner, group, ENGINE).loss
    return ShardedObjective(placed, make, l2=0.1, tolerance=TOLERANCE, folder=folder / "memories")


def pids(cluster) -> dict[str, int]:
    """Processes of the workers, by their addresses."""
    return cluster._client.run(os.getpid)


def walk(goal: ShardedObjective, steps: int, between=lambda step: None, start: np.ndarray | None = None):
    """A few steps down the objective: the values on the way, and where it ends."""
    weights = np.full(goal.size, 0.3) if start is None else start
    values = []
    for step in range(steps):
        attained, bound, gradient = goal.full(weights)
        values.append((attained, bound))
        weights = weights - 0.2 * gradient
        goal.renew()
        between(step)
    return values, weights


def assert_same_walk(mine, its) -> None:
    assert mine[0] == its[0]
    assert mine[1].tobytes() == its[1].tobytes()


@pytest.mark.parametrize("case", CASES)
def test_numbers_are_those_of_a_local_run(three, case, tmp_path):
    local = walk(objective(place_here, case, tmp_path / "local"), 3)
    assert_same_walk(walk(objective(three.place, case, tmp_path / "cluster"), 3), local)


@pytest.mark.long
@pytest.mark.parametrize("case", ["games of sentences", "games of pairs"])
def test_numbers_are_the_same_if_a_worker_is_killed_in_mid_run(three, loopback, case, tmp_path, monkeypatch):
    """Its shards, and what they remembered over several evaluations and a file, are made again elsewhere."""
    monkeypatch.setattr(cluster_shards, "LINEAGE", 3)
    local = walk(objective(place_here, case, tmp_path / "local"), 8)
    goal = objective(three.place, case, tmp_path / "cluster")
    homes = goal.shards.homes
    assert len(set(homes)) == 3
    processes = pids(three)
    lost = homes[0]

    def kill(step):
        if step == 4:
            loopback.kill(processes[lost])

    assert_same_walk(walk(goal, 8, kill), local)
    assert lost not in goal.shards.homes


@pytest.mark.long
def test_worker_that_is_killed_while_it_evaluates_changes_nothing(three, loopback, tmp_path):
    case = "games of sentences"
    local = walk(objective(place_here, case, tmp_path / "local"), 3)
    goal = objective(three.place, case, tmp_path / "cluster")
    victim = pids(three)[goal.shards.homes[-1]]
    seen = []

    def progress(examples, note=""):
        seen.append(examples)
        if len(seen) == SHARDS + 1:  # the first shard of the second evaluation is done
            loopback.kill(victim)

    full = goal.full
    goal.full = lambda weights: full(weights, progress)
    assert_same_walk(walk(goal, 3), local)
    assert sum(seen) == 3 * goal.examples


def test_shards_and_what_they_remember_stay_on_their_workers(three, tmp_path):
    goal = objective(three.place, "games of sentences", tmp_path)
    losses = goal._losses
    for _ in range(3):
        goal.full(np.zeros(goal.size))
        for futures in (goal.shards.models, losses._shards, losses._memories):
            where = three._client.who_has(futures)
            # A copy may be elsewhere for a moment, where it was added to others.
            assert all(
                home in where[future.key] for future, home in zip(futures, goal.shards.homes, strict=True)
            )


@pytest.mark.parametrize("first, second", [("local", "cluster"), ("cluster", "local")])
def test_what_one_kind_of_run_remembers_another_takes_up(three, first, second, tmp_path):
    place = {"local": place_here, "cluster": three.place}
    case = "games of sentences"
    whole = walk(objective(place_here, case, tmp_path / "whole"), 4)
    before = objective(place[first], case, tmp_path)
    half = walk(before, 2)
    state = before.state()
    after = objective(place[second], case, tmp_path)
    after.restore(state)
    rest = walk(after, 2, start=half[1])
    assert_same_walk((half[0] + rest[0], rest[1]), whole)


def test_nothing_that_evaluations_needed_is_left_behind_but_the_last_few(three, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster_shards, "LINEAGE", 2)
    goal = objective(three.place, "games of sentences", tmp_path)
    walk(goal, 7)
    place = tmp_path / "shards"
    assert len(list(place.rglob("weights-*.npy"))) <= 2
    assert len(list(place.rglob("memories-*"))) == 1
    assert len(list(place.glob("*.npz"))) == SHARDS


def test_loss_without_memory_needs_only_the_weights_of_now(three, tmp_path):
    goal = objective(three.place, "no memory", tmp_path)
    walk(goal, 2)
    assert list((tmp_path / "shards").rglob("weights-*.npy")) == []
    goal.state()
    assert not (tmp_path / "memories").exists()
    assert isinstance(goal._losses, ClusterLosses)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES)
def test_prediction_is_that_of_a_local_run_even_if_a_worker_is_killed(three, loopback, case, tmp_path):
    learner, instances, group = CASES[case]
    here = place_here(instances, SHARDS, learner, tmp_path / "local")
    there = three.place(instances, SHARDS, learner, tmp_path / "cluster")
    weights = np.random.default_rng(0).normal(size=here.size)
    loopback.kill(pids(three)[there.homes[1]])
    ticked = []
    local = here.decode(learner, weights, group, ENGINE, 1e-6)
    found = there.decode(learner, weights, group, ENGINE, 1e-6, lambda n, note="": ticked.append(n))
    assert found.keys() == local.keys()
    for name in local:
        assert found[name].mode.tobytes() == local[name].mode.tobytes()
        assert found[name].marginal.tobytes() == local[name].marginal.tobytes()
    assert sum(ticked) == len(instances) * len(group)
    assert not list((tmp_path / "cluster").glob("evaluations-*"))
