"""Block-coordinate conditional gradient on sentence pairs, whose gold links need not be a matching.

What is maximised over are matchings then, the gold labelling is none of them, and losses may be negative.
The optimum is known from a quadratic program with a constraint for every labelling.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import brute_force
import numpy as np
import pytest
from scipy.optimize import minimize
from training.toy import toy_pairs

from advsp.engine.measures.additive import DEFAULT_COST
from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.training.loop import Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers import optimisers
from advsp.training.optimisers.bcfw import BlockCoordinateFrankWolfe

#: The first pair links a word twice on either side, the second one a word to two others.
PAIRS = toy_pairs(seed=2, shapes=((2, 2), (1, 2), (1, 1)), labels=(2, 2, 0, 2, 2, 2, 1))
L2 = 0.5


@dataclass(frozen=True)
class Case:
    """A learner by its registered name, and its options."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def objective(self) -> Objective:
        learner = learners.get(self.name)(**self.options)
        model = learner.model(PAIRS)
        return Objective(model, learner.loss(model, ("all",), Engine(lp="linprog")), L2, tolerance=1e-9)


CASES = {
    "margin": Case("ssvm"),
    "margin, possible links positive": Case("ssvm", {"possible": "positive", "false_negative": 6.0}),
    "matching": Case("adversarial-links", {"structure": "matching"}),
    "matching, ignore": Case("adversarial-links", {"structure": "matching", "possible": "ignore"}),
    "matching, costs": Case("adversarial-links", {"structure": "matching", "cost": {"NS": 3.0, "AP": 0.5}}),
    "matching, by length": Case("adversarial-links", {"structure": "matching", "scale": "length"}),
    "margin over columns": Case("ssvm", {"structure": "column-chain", "false_negative": 6.0}),
    "aer over columns": Case("adversarial-links", {"structure": "column-chain"}),
    "aer": Case("adversarial-links"),
    "aer, ignore": Case("adversarial-links", {"possible": "ignore"}),
}
#: Cases that differ from others in their options alone.
ALIKE = {"margin, possible links positive", "matching, costs", "matching, by length", "aer"}
every = pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.long if case in ALIKE else ()) for case in CASES]
)


def passes_of(objective: Objective, optimiser: BlockCoordinateFrankWolfe, passes: int):
    """State and report after every pass."""
    state = optimiser.start(objective, np.zeros(objective.model.size))
    for number in range(passes):
        order = np.random.default_rng(number).permutation(objective.model.examples)
        report = optimiser.run_pass(objective, state, order)
        yield state, report


def dual(objective: Objective, state: dict) -> float:
    weights = -objective.model.adjoint_all(state["moments"]) / L2
    return -0.5 * L2 * float(weights @ weights) - float(state["gains"].sum())


# --- the optimum by a quadratic program -------------------------------------------------------------


def labellings(case: Case, example: int) -> list[tuple[int, ...]]:
    """What is maximised over: labels of every edge, 0 no link, 1 possible, 2 sure."""
    objective = CASES[case].objective
    shape, ignored = tuple(PAIRS.shapes[example]), objective.model.ignored()[objective.model.rows(example)]
    if CASES[case].options.get("possible") == "positive":
        ignored = np.zeros_like(ignored)
    edges = shape[0] * shape[1]
    if "columns" in case:
        found = brute_force.column_chains(shape, 3)
    else:
        found = brute_force.labellings(edges, 3) if "aer" in case else brute_force.matchings(shape, 3)
    labels = {0, 1, 2} if objective.model.label_width == 2 else {0, 2}
    return [y for y in found if set(y) <= labels and not any(label for label in np.array(y)[ignored])]


def predictions(case: str, example: int) -> list[tuple[int, ...]]:
    shape = tuple(PAIRS.shapes[example])
    if "aer" in case:
        return brute_force.labellings(shape[0] * shape[1], 2)
    return brute_force.matchings(shape, 2)


def score(case: str, prediction: tuple[int, ...], labels: tuple[int, ...]) -> float:
    if "aer" in case:
        return brute_force.one_minus_aer(prediction, labels)
    return brute_force.additive(prediction, labels, {**DEFAULT_COST, **CASES[case].options.get("cost", {})})


def cost(case: str, labels: tuple[int, ...], example: int) -> float:
    """The weighted Hamming distance of the margin, which is no game."""
    options = CASES[case].options
    gold = PAIRS.labels[PAIRS.rows(example)]
    gold = gold > 0 if options.get("possible") == "positive" else gold == 2
    links = np.array(labels) == 2
    return options.get("false_negative", 3.0) * (gold & ~links).sum() + (links & ~gold).sum()


@cache
def optimum(case: str) -> float:
    """The least value of the objective, from all its constraints.

    Variables: the weights; for every pair a bound of its loss and, in a game, the predictor's mixture.
    loss = min over mixtures of the maximum over labellings of psi(y) - psi(gold) - E score(y); for the margin
    it is the maximum of psi(y) - psi(gold) + cost(y).
    """
    objective = CASES[case].objective
    model, size = objective.model, objective.model.size
    game = "margin" not in case
    sides = [predictions(case, example) if game else [] for example in range(3)]
    starts = np.cumsum([size + 3, *map(len, sides)])
    rows, constants = [], []
    for example in range(3):
        gold = gold_moments(case, objective, example)
        for labels in labellings(case, example):
            moments = model.layout.moments(example, np.array([labels], dtype=np.int8), np.ones(1)) - gold
            row = np.zeros(starts[-1])
            row[:size] = -model.adjoint(example, moments)
            row[size + example] = 1.0
            for number, prediction in enumerate(sides[example]):
                row[starts[example] + number] = score(case, prediction, labels)
            rows.append(row)
            constants.append(0.0 if game else -cost(case, labels, example))
    rows, constants = np.array(rows), np.array(constants)
    curvature = np.zeros(starts[-1])
    curvature[:size] = L2
    slope = np.zeros(starts[-1])
    slope[size : size + 3] = 1.0
    start = np.zeros(starts[-1])
    start[size : size + 3] = 50.0
    constraints = [{"type": "ineq", "fun": lambda x: rows @ x + constants, "jac": lambda x: rows}]
    for example, side in enumerate(sides):
        if side:
            part = np.zeros(starts[-1])
            part[starts[example] : starts[example + 1]] = 1.0
            start[starts[example] : starts[example + 1]] = 1.0 / len(side)
            equal = {"type": "eq", "fun": lambda x, p=part: p @ x - 1.0, "jac": lambda x, p=part: p}
            constraints.append(equal)
    found = minimize(
        lambda x: 0.5 * curvature @ (x * x) + slope @ x,
        start,
        jac=lambda x: curvature * x + slope,
        bounds=[(None, None)] * (size + 3) + [(0.0, 1.0)] * (starts[-1] - size - 3),
        constraints=constraints,
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-12},
    )
    assert found.success, found.message
    return float(found.fun)


def gold_moments(case: str, objective: Objective, example: int) -> np.ndarray:
    if CASES[case].options.get("possible") == "positive":
        labels = PAIRS.labels[PAIRS.rows(example)]
        return (labels > 0).astype(float)[:, None]
    return objective.model.gold_moments(example)


# --- what the optimiser does --------------------------------------------------------------------------


def test_gold_links_are_no_matching():
    for example in (0, 1):
        gold = tuple(PAIRS.labels[PAIRS.rows(example)])
        assert gold not in brute_force.matchings(tuple(PAIRS.shapes[example]), 3)


@every
@pytest.mark.parametrize("average", ["none", "weighted"])
def test_certified_gap_is_never_negative_and_falls(case, average):
    objective = CASES[case].objective
    optimiser = BlockCoordinateFrankWolfe(gap=1e-12, certify_every=3, average=average)
    gaps = [report.gap for _, report in passes_of(objective, optimiser, 30) if report.gap is not None]
    assert len(gaps) == 10 and min(gaps) >= -1e-9
    assert gaps[-1] < 0.5 * gaps[0]


@every
def test_dual_rises_and_never_passes_the_objective(case):
    objective = CASES[case].objective
    state = BlockCoordinateFrankWolfe().start(objective, np.zeros(objective.model.size))
    duals = [dual(objective, state)]
    for state, _ in passes_of(objective, BlockCoordinateFrankWolfe(certify_every=1000), 15):
        duals.append(dual(objective, state))
        assert duals[-1] <= objective.full(state["weights"])[1] + 1e-9
    assert np.all(np.diff(duals) >= -1e-9)
    assert duals[-1] > duals[0]


@every
def test_certificate_holds_the_optimum_of_a_quadratic_program(case):
    objective = CASES[case].objective
    optimiser = BlockCoordinateFrankWolfe(gap=1e-9, certify_every=10, average="weighted")
    for state, report in passes_of(objective, optimiser, 60):
        if report.gap is not None:
            value = objective.full(optimiser.weights(objective, state))[1]
            assert value - report.gap <= optimum(case) + 1e-5
            assert optimum(case) - 1e-5 <= value
    distance = objective.full(np.zeros(objective.model.size))[1] - optimum(case)
    assert report.gap <= 0.03 * distance


@every
def test_weights_begin_where_the_dual_does(case):
    objective = CASES[case].objective
    state = BlockCoordinateFrankWolfe().start(objective, np.ones(objective.model.size))
    assert state["weights"] == pytest.approx(-objective.model.adjoint_all(state["moments"]) / L2)
    gold_is_a_labelling = "aer" in case or "columns" in case
    assert state["weights"].any() != gold_is_a_labelling


@pytest.mark.parametrize("case", ["margin", "margin, possible links positive", "matching", "aer, ignore"])
def test_other_optimisers_reach_the_same_optimum(case):
    objective = CASES[case].objective
    weights = fit(
        objective,
        optimisers.get("adagrad")(step=1.0 if "margin" in case else 0.5, batch=3),
        passes=100,
        seed=1,
        tolerance=Tolerance(1e-6, 1.0, 1e-6),
        initial=np.zeros(objective.model.size),
    )
    value, start = objective.full(weights)[1], objective.full(np.zeros(objective.model.size))[1]
    assert optimum(case) - 1e-5 <= value <= optimum(case) + 0.05 * (start - optimum(case))


# --- the weighted mean of the iterates ------------------------------------------------------------------


@every
def test_weighted_mean_weighs_the_k_th_iterate_by_k(case):
    objective = CASES[case].objective
    optimiser = BlockCoordinateFrankWolfe(certify_every=1000, average="weighted")
    state, seen = optimiser.start(objective, np.zeros(objective.model.size)), []
    assert np.array_equal(optimiser.weights(objective, state), state["weights"])
    for example in itertools.islice(itertools.cycle((2, 0, 1)), 12):
        optimiser.run_pass(objective, state, np.array([example]))
        seen.append(state["weights"].copy())
    shares = np.arange(1, 13) / np.arange(1, 13).sum()
    assert optimiser.weights(objective, state) == pytest.approx(shares @ np.array(seen), abs=1e-10)
    last = BlockCoordinateFrankWolfe(average="none")
    assert np.array_equal(last.weights(objective, state), seen[-1])


@every
def test_iterates_do_not_depend_on_what_is_predicted_with(case):
    states = []
    for average in ("none", "weighted"):
        optimiser = BlockCoordinateFrankWolfe(certify_every=2, average=average)
        for state, _ in passes_of(CASES[case].objective, optimiser, 5):
            pass
        states.append(state)
    for name in ("weights", "moments", "gains", "updates"):
        assert np.array_equal(states[0][name], states[1][name])


def test_gap_is_that_of_the_weights_predicted_with():
    objective = CASES["margin"].objective
    for average in ("none", "weighted"):
        optimiser = BlockCoordinateFrankWolfe(gap=1e-12, certify_every=1, average=average)
        for state, report in passes_of(objective, optimiser, 6):
            weights = optimiser.weights(objective, state)
            assert report.gap == pytest.approx(objective.full(weights)[1] - dual(objective, state), abs=1e-9)
