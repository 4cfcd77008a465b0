"""L-BFGS on a smooth loss."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_instances

from advsp.learners.log_loss import ChainLogLoss
from advsp.training.chain_model import ChainModel
from advsp.training.objective import Loss, LossValue, Objective
from advsp.training.optimisers.adagrad import AdaGrad
from advsp.training.optimisers.lbfgs import LBFGS

ORDER = np.arange(4)


@pytest.fixture
def objective() -> Objective:
    model = ChainModel(toy_instances())
    return Objective(model, ChainLogLoss(model), l2=0.5)


def run(objective: Objective, optimiser: LBFGS, passes: int) -> tuple[dict, list]:
    state = optimiser.start(objective, np.zeros(objective.model.size))
    return state, [optimiser.run_pass(objective, state, ORDER) for _ in range(passes)]


def test_gradient_vanishes_at_the_end(objective):
    state, _ = run(objective, LBFGS(improvement=0.0), 3)
    assert np.abs(objective.full(state["weights"])[2]).max() < 1e-5


def test_reported_objective_is_that_of_the_weights(objective):
    state, reports = run(objective, LBFGS(iterations=4), 1)
    assert reports[0].objective == pytest.approx(objective.full(state["weights"])[0], rel=1e-12)


def test_corrections_of_half_the_memory_lead_to_the_same_optimum(objective):
    (double, _), (single, _) = (
        run(objective, LBFGS(improvement=0.0, precision=precision), 3) for precision in ("double", "single")
    )
    np.testing.assert_allclose(single["weights"], double["weights"], atol=1e-5)
    assert np.abs(objective.full(single["weights"])[2]).max() < 1e-5
    assert LBFGS(precision="single").vectors == LBFGS().vectors - LBFGS().memory


def test_pass_cut_short_by_the_iterations_has_not_converged(objective):
    _, reports = run(objective, LBFGS(iterations=3), 2)
    assert [report.converged for report in reports] == [False, False]
    assert reports[1].objective < reports[0].objective


def test_pass_that_ends_by_itself_has_converged(objective):
    _, reports = run(objective, LBFGS(iterations=1000), 1)
    assert reports[0].converged


def test_coarser_improvement_stops_earlier(objective):
    ticks = {}
    for improvement in (1e-1, 1e-9):
        optimiser, ticks[improvement] = LBFGS(improvement=improvement, iterations=500), []
        state = optimiser.start(objective, np.zeros(objective.model.size))
        optimiser.run_pass(objective, state, ORDER, ticks[improvement].append)
    assert len(ticks[1e-1]) < len(ticks[1e-9])


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("l1", [0.05, 0.5, 50.0])
def test_l1_leaves_out_weights_and_no_other_ones_are_better(objective, l1, precision):
    """The optimum by its conditions: a gradient of l1 against every weight, and at most l1 at those of 0."""
    state, reports = run(objective, LBFGS(l1=l1, precision=precision, improvement=0.0, iterations=500), 2)
    weights = state["weights"]
    attained, _, gradient = objective.full(weights)
    assert reports[-1].objective == pytest.approx(attained + l1 * np.abs(weights).sum())
    used = weights != 0.0
    assert not used.all() and used.any() == (l1 < 50)
    np.testing.assert_allclose(gradient[used], -l1 * np.sign(weights[used]), atol=1e-4)
    assert (np.abs(gradient[~used]) <= l1 + 1e-4).all()


class Magnified(Loss):
    """Another loss times a factor."""

    def __init__(self, loss: Loss, factor: float) -> None:
        super().__init__(loss.model)
        self.loss, self.factor = loss, factor

    def evaluate(self, example, potentials, tolerance):
        value = self.loss.evaluate(example, potentials, tolerance)
        attained, bound = self.factor * value.attained, self.factor * value.bound
        return LossValue(attained, bound, self.factor * value.moments)


def test_improvement_is_relative_to_the_objective(objective):
    iterations = {}
    for factor in (1.0, 1e4):
        magnified = Objective(objective.model, Magnified(objective.loss, factor), factor * objective.l2)
        optimiser, ticks = LBFGS(improvement=1e-3, iterations=500), []
        state = optimiser.start(magnified, np.zeros(magnified.model.size))
        optimiser.run_pass(magnified, state, ORDER, ticks.append)
        iterations[factor] = len(ticks)
    assert abs(iterations[1.0] - iterations[1e4]) <= 2


def test_warm_passes_are_those_of_adagrad(objective):
    warm, adagrad = LBFGS(warm=2, warm_step=0.3), AdaGrad(step=0.3)
    ours, theirs = (o.start(objective, np.zeros(objective.model.size)) for o in (warm, adagrad))
    for number in range(2):
        assert warm.run_pass(objective, ours, ORDER) == adagrad.run_pass(objective, theirs, ORDER)
        assert np.array_equal(warm.weights(objective, ours), adagrad.weights(objective, theirs))


def test_lbfgs_goes_on_from_the_warm_weights(objective):
    optimiser = LBFGS(warm=2, warm_step=0.3, iterations=1)
    state = optimiser.start(objective, np.zeros(objective.model.size))
    reports = [optimiser.run_pass(objective, state, ORDER) for _ in range(2)]
    warm = objective.full(optimiser.weights(objective, state))[0]
    report = optimiser.run_pass(objective, state, ORDER)
    assert not any(r.converged for r in reports)
    assert report.objective < warm
    assert report.objective == pytest.approx(objective.full(optimiser.weights(objective, state))[0])
