"""The logistic beginning: the regression itself, and how far the training objective goes its way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.toy import toy_pairs

from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.initial.logistic import Logistic, best_scaled
from advsp.training.objective import Objective

ROOT = math.sqrt(2.0)
SMALLEST = 2e-3
#: Slopes at c of convex functions that are least at b.
SHAPES = {
    "parabola": lambda c, b: c - b,
    "steep below": lambda c, b: (c - b) * (50.0 if c < b else 1.0),
    "steep above": lambda c, b: (c - b) * (50.0 if c > b else 1.0),
    "kink": lambda c, b: math.copysign(1.0, c - b) if c != b else 0.0,
    "exponential": lambda c, b: math.exp(8.0 * (c - b)) - 1.0,
    "fourth power": lambda c, b: (c - b) ** 3,
}


class Separate:
    """An objective whose blocks have nothing to do with each other; notes at which scales it was looked at.

    Parameters
    ----------
    shape: of the function along every block's part of the direction.
    bests: the scales at which the blocks are best.
    """

    def __init__(self, shape: str, bests: tuple[float, ...]) -> None:
        self.slope, self.bests = SHAPES[shape], bests
        self.direction = np.random.default_rng(0).normal(size=2 * len(bests))
        self.blocks = [slice(2 * block, 2 * block + 2) for block in range(len(bests))]
        self.seen: list[list[float]] = []

    def scales(self, weights: np.ndarray) -> list[float]:
        parts = [(weights[block], self.direction[block]) for block in self.blocks]
        for part, direction in parts:
            assert part == pytest.approx(part[0] / direction[0] * direction), (
                "direction is scaled, not turned"
            )
        return [float(part @ direction / (direction @ direction)) for part, direction in parts]

    def full(self, weights: np.ndarray) -> tuple[float, float, np.ndarray]:
        scales = self.scales(weights)
        self.seen.append(scales)
        gradient = np.zeros_like(weights)
        for block, scale, best in zip(self.blocks, scales, self.bests, strict=True):
            direction = self.direction[block]
            gradient[block] = self.slope(scale, best) * direction / (direction @ direction)
        return math.nan, math.nan, gradient

    def search(self) -> list[float]:
        """The scales found."""
        return self.scales(best_scaled(self, self.direction))


bests = st.lists(st.floats(2 * SMALLEST, 3.0), min_size=1, max_size=3).map(tuple)
shapes = pytest.mark.parametrize("shape", SHAPES)


@shapes
@given(bests=bests)
def test_scale_of_every_block_is_its_best_one_up_to_a_root_of_two(shape, bests):
    for found, best in zip(Separate(shape, bests).search(), bests, strict=True):
        assert best / ROOT - 1e-9 <= found <= best * ROOT + 1e-9 or (best >= 1.0 and found == 1.0)


@given(bests=bests)
def test_scales_are_exact_where_slopes_are_straight_lines(bests):
    found = Separate("parabola", bests).search()
    assert found == pytest.approx([min(best, 1.0) for best in bests], rel=1e-9)


@shapes
@given(bests=bests)
def test_nothing_is_looked_at_far_below_the_best_scale_nor_above_one(shape, bests):
    objective = Separate(shape, bests)
    objective.search()
    for block, best in enumerate(bests):
        seen = [scales[block] for scales in objective.seen]
        assert seen[0] == max(seen) == pytest.approx(1.0)
        assert min(seen) >= min(best, 1.0) / ROOT - 1e-9


@given(bests=bests)
def test_number_of_looks_is_that_of_the_block_that_falls_farthest(bests):
    together = Separate("parabola", bests)
    together.search()
    alone = [Separate("parabola", (best,)) for best in bests]
    for objective in alone:
        objective.search()
    assert len(together.seen) == max(len(objective.seen) for objective in alone)


def test_block_that_is_best_at_nothing_begins_at_zero_and_the_others_do_not():
    objective = Separate("parabola", (-1.0, 0.3, SMALLEST / 2))
    assert objective.search() == pytest.approx([0.0, 0.3, 0.0], abs=1e-12)
    assert min(scale for scales in objective.seen for scale in scales if scale) >= SMALLEST / ROOT
    assert len(objective.seen) < 25


def test_direction_that_leads_nowhere_ends_the_search_at_once():
    objective = Separate("parabola", (0.3,))
    objective.full = lambda weights: (math.nan, math.nan, np.zeros_like(weights))
    assert np.array_equal(best_scaled(objective, objective.direction), objective.direction)


# --- on sentence pairs ------------------------------------------------------------------------------

LEARNERS = {
    "aer": ("adversarial-links", {"possible": "label"}),
    "aer, ignore": ("adversarial-links", {"possible": "ignore"}),
    "matching": ("adversarial-links", {"structure": "matching", "scale": "length"}),
    "margin": ("ssvm", {}),
    "regression": ("logistic", {}),
}
every = pytest.mark.parametrize("case", LEARNERS)


def setting(case: str, l2: float = 0.1):
    name, options = LEARNERS[case]
    learner = learners.get(name)(**options)
    model = learner.model(toy_pairs(shapes=((2, 2), (1, 2), (2, 1), (1, 1))))
    return learner, Objective(model, learner.loss(model, ("all",), Engine(lp="linprog")), l2, tolerance=1e-7)


@every
def test_scale_of_one_is_the_optimum_of_the_regression(case):
    learner, objective = setting(case)
    for l2 in (0.3, 2.0):
        weights = Logistic(l2=l2, scale=1.0).weights(learner, objective, seed=1)
        regression = Objective(objective.model, learner.log_loss(objective.model), l2)
        assert np.abs(regression.full(weights)[2]).max() < 1e-4


@every
def test_scale_that_is_given_is_taken_without_a_look_at_the_objective(case):
    learner, objective = setting(case)
    whole = Logistic(scale=1.0).weights(learner, objective, seed=1)
    objective.loss.evaluate = None  # whoever asks for the training loss now is found out
    objective.loss.evaluate_all = None
    part = Logistic(scale=0.25).weights(learner, objective, seed=1)
    assert part == pytest.approx(0.25 * whole, rel=1e-12)


@every
def test_what_is_looked_for_is_better_than_the_regression_and_its_neighbours(case):
    learner, objective = setting(case)
    blocks = objective.model.blocks
    direction = Logistic(scale=1.0).weights(learner, objective, seed=1)
    found = Logistic().weights(learner, objective, seed=1)
    scales = [float(found[b] @ direction[b] / (direction[b] @ direction[b])) for b in blocks]
    parts = [scale * direction[block] for scale, block in zip(scales, blocks, strict=True)]
    assert found == pytest.approx(np.concatenate(parts), abs=1e-12)
    assert all(0.0 <= scale <= 1.0 for scale in scales)
    value = objective.full(found)[1]
    assert value <= objective.full(direction)[1] + 1e-9
    if len(blocks) == 1:
        for factor in (0.5, 2.0):
            assert value <= objective.full(min(1.0 / scales[0], factor) * found)[1] + 1e-9


def test_labels_of_an_alignment_have_scales_of_their_own():
    learner, objective = setting("aer")
    direction = Logistic(scale=1.0).weights(learner, objective, seed=1)
    found = Logistic().weights(learner, objective, seed=1)
    sure, possible = (found[block] / direction[block] for block in objective.model.blocks)
    assert sure == pytest.approx(np.full(len(sure), sure[0]))
    assert possible == pytest.approx(np.full(len(possible), possible[0]))
    assert abs(sure[0] - possible[0]) > 1e-3


def test_iterations_bound_the_regression():
    learner, objective = setting("aer")
    few, many = (
        Logistic(iterations=iterations, scale=1.0).weights(learner, objective, seed=1)
        for iterations in (1, 500)
    )
    regression = Objective(objective.model, learner.log_loss(objective.model), 1.0)
    assert regression.full(few)[0] > regression.full(many)[0]
