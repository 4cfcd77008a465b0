"""Block-coordinate conditional gradient: the certificate, the dual and what it needs."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.engine.settings import Engine
from advsp.learners.game_loss import chain_game_loss
from advsp.learners.log_loss import ChainLogLoss
from advsp.training.chain_model import ChainModel
from advsp.training.objective import Objective
from advsp.training.optimisers.bcfw import BlockCoordinateFrankWolfe

losses = pytest.mark.parametrize("loss", ["log", "game"])


def make_objective(loss: str, l2: float = 1.0) -> Objective:
    model = ChainModel(toy_instances(lengths=(3, 1, 2)))
    made = ChainLogLoss(model) if loss == "log" else chain_game_loss(model, [0, 1], Engine())
    return Objective(model, made, l2, tolerance=1e-7)


def run(objective: Objective, optimiser: BlockCoordinateFrankWolfe, passes: int):
    """State and report after every pass."""
    state = optimiser.start(objective, np.zeros(objective.model.size))
    for number in range(passes):
        order = np.random.default_rng(number).permutation(objective.model.examples)
        report = optimiser.run_pass(objective, state, order)
        yield state, report


def dual(objective: Objective, state: dict) -> float:
    squared = float(state["weights"] @ state["weights"])
    return -0.5 * objective.l2 * squared - float(state["gains"].sum())


@losses
def test_certified_gap_covers_the_distance_from_the_optimum(loss):
    objective = make_objective(loss)
    certified = []
    for state, report in run(objective, BlockCoordinateFrankWolfe(gap=1e-9, certify_every=1), 40):
        certified.append((objective.full(state["weights"])[1], report.gap))
    optimum = min(value for value, _ in certified)
    assert all(value - gap <= optimum + 1e-6 for value, gap in certified)
    assert certified[-1][1] < 0.2 * certified[0][1]


@losses
def test_dual_never_falls_and_never_passes_the_objective(loss):
    objective = make_objective(loss)
    duals = []
    for state, _ in run(objective, BlockCoordinateFrankWolfe(certify_every=1000), 25):
        duals.append(dual(objective, state))
        assert duals[-1] <= objective.full(state["weights"])[1] + 1e-9
    assert np.all(np.diff(duals) >= -1e-9)
    assert duals[-1] > duals[0]


@losses
def test_beginning_is_the_gold_labelling_with_its_own_gain(loss):
    objective = make_objective(loss)
    state = BlockCoordinateFrankWolfe().start(objective, np.ones(objective.model.size))
    assert not state["weights"].any() and not state["moments"].any()
    assert state["gains"].tolist() == [2.0 if loss == "game" else 0.0] * 3


@losses
def test_weights_are_those_of_the_dual_point(loss):
    objective = make_objective(loss, l2=2.0)
    for state, _ in run(objective, BlockCoordinateFrankWolfe(certify_every=1000), 10):
        expected = -objective.model.adjoint_all(state["moments"]) / 2.0
        assert state["weights"] == pytest.approx(expected, abs=1e-12)


def test_gap_is_certified_as_often_as_asked_for():
    optimiser = BlockCoordinateFrankWolfe(certify_every=3)
    reports = [report for _, report in run(make_objective("log"), optimiser, 7)]
    assert [report.gap is not None for report in reports] == [False, False, True, False, False, True, False]


def test_run_converges_once_the_gap_is_small_for_the_number_of_examples():
    optimiser = BlockCoordinateFrankWolfe(gap=0.05, certify_every=1)
    for _, report in run(make_objective("log"), optimiser, 40):
        assert report.converged == (report.gap <= 0.05 * 3)
    assert report.converged


def test_penalty_is_needed():
    with pytest.raises(ValueError, match="needs l2 > 0"):
        BlockCoordinateFrankWolfe().start(make_objective("log", l2=0.0), np.zeros(1))


def test_approximate_responses_yield_no_gap_and_no_convergence():
    model = ChainModel(toy_instances(lengths=(3, 1, 2)))
    loss = chain_game_loss(model, [0], Engine(oracle="approximate"))
    optimiser = BlockCoordinateFrankWolfe(gap=1e9, certify_every=1)
    for _, report in run(Objective(model, loss, 1.0, tolerance=1e-7), optimiser, 2):
        assert report.gap is None and not report.converged
