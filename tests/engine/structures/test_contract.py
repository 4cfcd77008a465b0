"""What every registered structure must do: know its labellings, and find the cheapest of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import brute_force
import numpy as np
import pytest

from advsp.engine.measures.base import AdditiveCosts, CountCosts
from advsp.engine.measures.roles import Roles
from advsp.engine.structures import structures
from advsp.engine.structures.base import Structure, answers
from advsp.engine.structures.chain import LinearChain
from advsp.engine.structures.column_chain import ColumnChain
from advsp.engine.structures.independent import IndependentLabels
from advsp.engine.structures.matching import BipartiteMatching

PRUNED, REFERENCE = True, False


@dataclass(frozen=True)
class Instance:
    """A structure, all its labellings, and the potential of each by definition."""

    structure: Structure
    labellings: list[tuple]
    potentials: list[float]


def chain(rng: np.random.Generator, scale: float) -> Instance:
    length, tags = int(rng.integers(1, 6)), int(rng.integers(2, 4))
    unary = rng.normal(scale=scale, size=(length, tags))
    pairwise = rng.normal(scale=scale, size=(length - 1, tags, tags)) if rng.random() < 0.5 else (
        rng.normal(scale=scale, size=(tags, tags))
    )  # fmt: skip
    start = rng.normal(scale=scale, size=tags) if rng.random() < 0.5 else None
    every = brute_force.labellings(length, tags)
    return Instance(
        LinearChain(unary, pairwise, start),
        every,
        [brute_force.chain_potential(y, unary, pairwise, start) for y in every],
    )


def edgewise(labelling: tuple, potentials: np.ndarray) -> float:
    return sum(potentials[t, label] for t, label in enumerate(labelling))


def independent(rng: np.random.Generator, scale: float) -> Instance:
    length, labels = int(rng.integers(1, 6)), int(rng.integers(2, 4))
    potentials = rng.normal(scale=scale, size=(length, labels))
    every = brute_force.labellings(length, labels)
    return Instance(IndependentLabels(potentials), every, [edgewise(y, potentials) for y in every])


def matching(rng: np.random.Generator, scale: float) -> Instance:
    shape, labels = [(1, 1), (1, 3), (2, 1), (2, 2), (2, 3), (3, 2)][rng.integers(6)], int(rng.integers(2, 4))
    potentials = rng.normal(scale=scale, size=(shape[0] * shape[1], labels))
    every = brute_force.matchings(shape, labels)
    return Instance(BipartiteMatching(potentials, shape), every, [edgewise(y, potentials) for y in every])


def column_chain(rng: np.random.Generator, scale: float) -> Instance:
    shape, labels = [(1, 1), (1, 3), (3, 1), (2, 2), (2, 3), (3, 2)][rng.integers(6)], int(rng.integers(2, 4))
    potentials = rng.normal(scale=scale, size=(shape[0] * shape[1], labels))
    steps = rng.normal(scale=scale, size=(shape[1] - 1, 3))
    every = brute_force.column_chains(shape, labels)
    return Instance(
        ColumnChain(potentials, shape, steps),
        every,
        [edgewise(y, potentials) + brute_force.steps_potential(y, steps, shape) for y in every],
    )


#: Registered name -> maker of a random small instance.
MAKERS: dict[str, Callable[[np.random.Generator, float], Instance]] = {
    "chain": chain,
    "column-chain": column_chain,
    "independent": independent,
    "matching": matching,
}
#: Structures that have a best response by count, and those that have one to additive costs.
BY_COUNT, ADDITIVE = (
    [name for name in structures if answers(structures.get(name), by_count)] for by_count in (True, False)
)

every_structure = pytest.mark.parametrize("name", sorted(MAKERS))
every_by_count = pytest.mark.parametrize("name", BY_COUNT)
every_additive = pytest.mark.parametrize("name", ADDITIVE)
both_paths = pytest.mark.parametrize("prune", [PRUNED, REFERENCE], ids=["pruned", "reference"])
scales = pytest.mark.parametrize("scale", [0.0, 0.1, 1.0, 10.0])


def test_every_registered_structure_has_a_maker_here():
    assert sorted(MAKERS) == structures.names()
    for name, make in MAKERS.items():
        assert type(make(np.random.default_rng(0), 1.0).structure) is structures.get(name)


def instances(name: str, scale: float, number: int = 12) -> list[tuple[Instance, np.random.Generator]]:
    rng = np.random.default_rng([number, *name.encode()])
    return [(MAKERS[name](rng, scale), rng) for _ in range(number)]


def random_count_costs(rng: np.random.Generator, structure: Structure, mixed: bool = False) -> CountCosts:
    """Arbitrary costs by count that lie in [0, 1], the range of a score.

    Labels that count hit alike and others do not hit, as in an F-measure; where ``mixed``, every label
    has a number of hits of its own, as sure and possible links have.
    """
    length, labels = structure.length, structure.labels
    counted = np.zeros(labels, dtype=bool)
    counted[rng.permutation(labels)[: rng.integers(1, labels)]] = True
    hits = rng.integers(0, 3, size=labels).astype(float) if mixed else float(rng.integers(1, 3)) * counted
    positions = np.flatnonzero(rng.random(length) < 0.7)
    constant = rng.uniform(0.0, 0.5, size=length + 1)
    weights = rng.uniform(0.0, 1.0, size=(len(positions), length + 1))
    weights *= (1.0 - constant) / max(1.0, hits.max() * len(positions))
    return CountCosts(positions, weights, constant, Roles(hits, counted), span=1.0)


def count_cost(costs: CountCosts, labelling: tuple) -> float:
    own = sum(bool(costs.counted[label]) for label in labelling)
    hits = [costs.hits[labelling[t]] * costs.weights[p, own] for p, t in enumerate(costs.positions)]
    return costs.constant[own] + sum(hits)


def assert_cheapest(response, instance: Instance, cost: Callable[[tuple], float]) -> None:
    """The cost is the least there is, and the labelling exists and attains it."""
    totals = {y: cost(y) - psi for y, psi in zip(instance.labellings, instance.potentials, strict=True)}
    assert response.cost == pytest.approx(min(totals.values()), abs=1e-12)
    assert response.labelling.dtype == np.int8
    assert totals[tuple(response.labelling.tolist())] == pytest.approx(response.cost, abs=1e-12)


@every_structure
def test_potential_equals_its_definition(name):
    for instance, _ in instances(name, 1.0):
        found = instance.structure.potential(np.array(instance.labellings, np.int8))
        assert found == pytest.approx(np.array(instance.potentials), abs=1e-12)


@every_structure
def test_sizes_are_those_of_its_labellings(name):
    for instance, _ in instances(name, 1.0):
        assert instance.structure.length == len(instance.labellings[0])
        assert instance.structure.labels > max(max(y) for y in instance.labellings)


@scales
@every_structure
def test_best_has_the_highest_potential(name, scale):
    for instance, _ in instances(name, scale):
        best = tuple(instance.structure.best().tolist())
        potentials = dict(zip(instance.labellings, instance.potentials, strict=True))
        assert potentials[best] == pytest.approx(max(potentials.values()), abs=1e-12)


@both_paths
@scales
@every_by_count
def test_response_by_count_is_the_cheapest_labelling(name, scale, prune):
    for instance, rng in instances(name, scale, number=25):
        costs = random_count_costs(rng, instance.structure)
        assert_cheapest(instance.structure.respond(costs, prune), instance, lambda y: count_cost(costs, y))


@both_paths
@every_by_count
def test_response_by_count_takes_any_hits(name, prune):
    for instance, rng in instances(name, 0.1, number=60):
        costs = random_count_costs(rng, instance.structure, mixed=True)
        assert_cheapest(instance.structure.respond(costs, prune), instance, lambda y: count_cost(costs, y))


@every_by_count
def test_reference_needs_no_range_of_costs(name):
    for instance, rng in instances(name, 1.0):
        tame = random_count_costs(rng, instance.structure)
        wild = replace(tame, weights=50 * (tame.weights - 0.2), constant=-30 * tame.constant)
        assert_cheapest(instance.structure.respond(wild, REFERENCE), instance, lambda y: count_cost(wild, y))


@both_paths
@scales
@every_additive
def test_additive_response_is_the_cheapest_labelling(name, scale, prune):
    for instance, rng in instances(name, scale):
        structure = instance.structure
        costs = AdditiveCosts(rng.normal(size=(structure.length, structure.labels)))
        assert_cheapest(structure.respond(costs, prune), instance, lambda y: edgewise(y, costs.costs))


@every_structure
def test_a_structure_allows_its_labellings_and_no_others(name):
    for instance, _ in instances(name, 1.0):
        structure = instance.structure
        every = np.array(brute_force.labellings(structure.length, structure.labels), np.int8)
        allowed = structure.allows(every)
        assert (allowed.dtype, allowed.shape) == (bool, (len(every),))
        assert [tuple(y) for y in every[allowed].tolist()] == list(instance.labellings)
        assert structure.allows(every[:0]).shape == (0,)


@every_structure
def test_what_a_potential_forbids_is_not_allowed(name):
    potentials = np.zeros((2, 3))
    potentials[0, 1] = -np.inf
    structure = {
        "chain": lambda: LinearChain(potentials, np.zeros((3, 3))),
        "column-chain": lambda: ColumnChain(potentials, (1, 2)),
        "independent": lambda: IndependentLabels(potentials),
        "matching": lambda: BipartiteMatching(potentials, (1, 2)),
    }[name]()
    assert structure.allows(np.array([[0, 1], [1, 0], [2, 0]], np.int8)).tolist() == [True, False, True]


def test_matchings_do_not_answer_by_count_and_all_answer_costs_that_add_up():
    assert structures.names() == ADDITIVE and [name for name in ADDITIVE if name != "matching"] == BY_COUNT


@every_structure
def test_response_that_it_cannot_give_is_refused(name):
    structure = instances(name, 1.0, number=1)[0][0].structure
    costs = random_count_costs(np.random.default_rng(0), structure)
    if name not in BY_COUNT:
        with pytest.raises(NotImplementedError, match="has no best response by count"):
            structure.respond(costs)
    if name not in ADDITIVE:
        with pytest.raises(NotImplementedError, match="has no additive best response"):
            structure.respond(AdditiveCosts(np.zeros((structure.length, structure.labels))))


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@every_structure
def test_potentials_that_are_not_numbers_are_refused(name, bad):
    potentials = np.zeros((4, 2))
    potentials[2, 1] = bad
    build = {
        "chain": lambda: LinearChain(potentials, np.zeros((2, 2))),
        "column-chain": lambda: ColumnChain(potentials, (2, 2)),
        "independent": lambda: IndependentLabels(potentials),
        "matching": lambda: BipartiteMatching(potentials, (2, 2)),
    }
    with pytest.raises(ValueError, match="potentials must be numbers below infinity"):
        build[name]()


@every_structure
def test_refreshed_labellings_exist_keep_their_roles_and_are_no_worse(name):
    for instance, rng in instances(name, 1.0):
        counted = rng.random(instance.structure.labels) < 0.5
        roles = Roles(counted.astype(float), counted)
        stale = np.array(instance.labellings, np.int8)[rng.integers(len(instance.labellings), size=5)]
        fresh = instance.structure.refresh(stale, roles)
        assert np.array_equal(counted[fresh], counted[stale])
        assert {tuple(y) for y in fresh.tolist()} <= set(instance.labellings)
        assert np.all(instance.structure.potential(fresh) >= instance.structure.potential(stale) - 1e-12)
