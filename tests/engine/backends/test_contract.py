"""Backends do the same: losses, bounds, moments, decisions and passes, whatever is played.

Over everything registered, and over a measure and structures that are registered here, from outside the
package: numpy and kernels derive a game from its one statement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from outside import registered
from training.toy import toy_instances, toy_pairs

from advsp.engine.backends.opening import open_backend
from advsp.engine.backends.twins import NoTwin, played
from advsp.engine.game import Game
from advsp.engine.measures import measures
from advsp.engine.measures.additive import Additive
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.base import Measure
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.measures.recall import Recall
from advsp.engine.settings import Engine
from advsp.engine.structures import structures
from advsp.engine.structures.base import LinkStructure, answers
from advsp.engine.structures.chain import LinearChain
from advsp.engine.structures.column_chain import ColumnChain
from advsp.engine.structures.independent import IndependentLabels
from advsp.learners.edge_losses import links_game_loss
from advsp.learners.game_loss import GameLoss, chain_game_loss
from advsp.training.chain_model import ChainModel
from advsp.training.edge_model import EdgeModel
from advsp.training.objective import Loss, Objective
from advsp.training.optimisers.adagrad import AdaGrad
from advsp.training.optimisers.bcfw import BlockCoordinateFrankWolfe

#: Everything below is about what is registered, with these two from outside.
with (
    registered("fowlkes_mallows", measures, "fowlkes-mallows") as FowlkesMallows,
    registered("at_most_one", structures, "at-most-one") as AtMostOne,
):
    MEASURES = [measure for name in measures for measure in measures.get(name).examples()]
    LINKS = [kind for name in structures if issubclass(kind := structures.get(name), LinkStructure)]

NUMPY = Engine(lp="linprog", oracle="numpy")
LENGTHS = (3, 1, 4, 2)
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Played:
    """A measure of targets, tags or sets of tags, or of links over a structure."""

    measure: Measure
    targets: tuple
    structure: type[LinkStructure] | None = None

    def loss(self, engine: Engine) -> GameLoss:
        if self.structure is None:
            model = ChainModel(toy_instances(5, LENGTHS))
            return chain_game_loss(model, self.targets, engine, self.measure, warm=False)
        model = EdgeModel(toy_pairs(5), kind=self.structure)
        return links_game_loss(model, engine, self.structure, self.measure, warm=False)

    def __str__(self) -> str:
        over = "tags" if self.structure is None else self.structure.__name__
        return f"{self.measure} {self.targets} {over}"


PLAYED = [
    *(
        Played(measure, targets)
        for measure in MEASURES
        if not measure.links_only
        for targets in [(0, 1), ((0, 1),)]
    ),
    *(
        Played(measure, (), kind)
        for measure in MEASURES
        for kind in LINKS
        if answers(kind, measure.on_links().by_count)
    ),
]


def test_what_was_registered_here_is_among_them():
    assert any(case.measure == FowlkesMallows() for case in PLAYED)
    assert any(case.structure is AtMostOne for case in PLAYED)


#: Measures in closed form, by tables, of links alone and without counts; what else there is takes minutes.
OFTEN = (FBeta(), FowlkesMallows(), AlignmentAccuracy(), Additive())


def seldom(*cases: Played) -> list:
    """Cases, of which some are left to those who have time."""
    return [case if case.measure in OFTEN else pytest.param(case, marks=pytest.mark.long) for case in cases]


#: Tags and free links by every measure, other structures by a few.
FREE = (None, IndependentLabels)
every = pytest.mark.parametrize(
    "case",
    [one for case in PLAYED for one in ([case] if case.structure in FREE else seldom(case))],
    ids=str,
)


def at_random(loss: Loss, scale: float, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Weights, and the potentials there."""
    weights = scale * np.random.default_rng(seed).normal(size=loss.model.size)
    return weights, loss.model.all_potentials(weights)


@pytest.mark.parametrize("scale", [0.1, 1.0])
@every
def test_losses_and_bounds_are_equal_and_moments_are_subgradients(case, scale):
    pytest.importorskip("numba")
    compiled, plain = case.loss(Engine()), case.loss(NUMPY)
    _, potentials = at_random(plain, scale)
    attained, bound, moments = compiled.backend.evaluate(compiled, potentials, TOLERANCE)
    expected, its_bound, _ = plain.backend.evaluate(plain, potentials, TOLERANCE)
    assert attained == pytest.approx(expected, abs=1e-7)
    assert bound == pytest.approx(its_bound, abs=1e-7)
    # Equilibria are not unique, but each gives a subgradient: the loss lies above its tangent.
    rng = np.random.default_rng(3)
    for size in (1e-3, 0.1, 2.0):
        there = plain.model.all_potentials(size * rng.normal(size=plain.model.size))
        above = plain.backend.evaluate(plain, there, TOLERANCE)[1]
        assert above >= attained + np.vdot(moments, there - potentials) - 1e-7


@every
def test_decisions_guarantee_the_value_of_the_game(case):
    pytest.importorskip("numba")
    compiled, plain = case.loss(Engine()), case.loss(NUMPY)
    _, potentials = at_random(plain, 0.3)
    for number in range(len(plain.specs)):
        labels, marginals = compiled.backend.decode(compiled, number, potentials, TOLERANCE)
        assert labels.shape == (len(potentials),) and marginals.shape == (len(potentials), 1)
        for example in range(plain.model.examples):
            rows = plain.model.rows(example)
            game = plain.specs[number].game(example, potentials[rows])
            solved = compiled.backend.solve(game, TOLERANCE)
            assert solved.predictor.marginal() == pytest.approx(marginals[rows, 0], abs=1e-9)
            assert solved.predictor.mode().tolist() == labels[rows].tolist()
            other = plain.backend.solve(game, TOLERANCE)
            assert solved.value == pytest.approx(other.value, abs=1e-7)


@pytest.mark.parametrize("case", seldom(*PLAYED), ids=str)
def test_passes_lead_to_one_optimum(case):
    pytest.importorskip("numba")
    intervals = []
    for engine in (Engine(), NUMPY):
        loss, optimiser = case.loss(engine), BlockCoordinateFrankWolfe(certify_every=1)
        objective = Objective(loss.model, loss, l2=0.5, tolerance=1e-8)
        state = optimiser.start(objective, np.zeros(objective.size))
        for seed in range(8):
            order = np.random.default_rng(seed).permutation(objective.examples)
            report = optimiser.run_pass(objective, state, order)
        reached = objective.full(optimiser.weights(objective, state))[1]
        intervals.append((reached - report.gap, reached))
    # Of several equilibria rounding may choose one or another: paths differ, the optimum does not, and it
    # is certified to lie in both intervals.
    (one_low, one_high), (other_low, other_high) = intervals
    assert max(one_low, other_low) <= min(one_high, other_high) + 1e-7


# --- what is compiled, and what is not -----------------------------------------------------------------


def test_measures_are_played_in_kernels_one_from_outside_too():
    pytest.importorskip("numba")
    for case in PLAYED:
        if case.structure in (None, IndependentLabels, ColumnChain) and case.measure.on_links().by_count:
            loss = case.loss(Engine())
            assert loss.backend.left_to_numpy(loss) is None, case


def test_what_there_are_no_kernels_for_is_left_to_numpy_and_said():
    pytest.importorskip("numba")
    matchings = links_game_loss(
        EdgeModel(toy_pairs(5)),
        Engine(),
        structures.get("matching"),
        measures.get("additive")(),
    )
    assert matchings.backend.left_to_numpy(matchings) == "there are no kernels for the score AdditiveScore"
    assert case_of(AtMostOne).backend.left_to_numpy(case_of(AtMostOne)) == (
        "there are no kernels for layout LinkRows"
    )


def case_of(structure: type[LinkStructure]) -> GameLoss:
    return Played(FBeta(), (), structure).loss(Engine())


def test_an_engine_without_kernels_is_not_told_that_there_are_none():
    loss = Played(FBeta(), (0,)).loss(NUMPY)
    assert loss.backend.left_to_numpy(loss) is None
    other = Played(FBeta(), (0,)).loss(Engine(lp="linprog"))
    assert other.backend.left_to_numpy(other) is None


# --- one statement of a game: a wrong measure cannot be trained ----------------------------------------


def test_games_of_a_loss_cannot_be_replaced_behind_its_specs():
    with pytest.raises(TypeError, match="the games of a loss are those of its specs"):

        class OtherGames(GameLoss):
            def games(self, example, potentials):
                return []


class Halved(FBeta):
    """F1 that calls itself a ratio, and says something else of its coefficients."""

    def coefficients(self, predicted, actual, length):
        weights, offsets = super().coefficients(predicted, actual, length)
        return 0.5 * weights, offsets


class NeverEmpty(FBeta):
    """F1 that is 0 where both are empty."""

    def undefined(self, predicted, actual, length):
        return 0.0


class AtLeastOne(FBeta):
    """F1 of a predictor that may not be silent."""

    def permitted(self, length):
        return 1, length


@pytest.mark.parametrize("measure", [Halved(), NeverEmpty(), AtLeastOne()], ids=lambda m: type(m).__name__)
def test_a_subclass_of_a_measure_is_played_as_it_says_and_not_as_its_parent(measure):
    pytest.importorskip("numba")
    losses = [Played(measure, (0, 1)).loss(engine) for engine in (Engine(), NUMPY)]
    _, potentials = at_random(losses[0], 0.3)
    values = [loss.backend.evaluate(loss, potentials, TOLERANCE)[0] for loss in losses]
    assert values[0] == pytest.approx(values[1], abs=1e-7)
    parent = Played(FBeta(), (0, 1)).loss(Engine())
    assert abs(parent.backend.evaluate(parent, potentials, TOLERANCE)[0] - values[0]) > 1e-3
    assert losses[0].backend.left_to_numpy(losses[0]) is None


def test_recall_is_not_played_as_f1():
    losses = [Played(Recall(most=2), (0, 1)).loss(engine) for engine in (Engine(), NUMPY)]
    _, potentials = at_random(losses[0], 0.3)
    values = [loss.backend.evaluate(loss, potentials, TOLERANCE)[0] for loss in losses]
    assert values[0] == pytest.approx(values[1], abs=1e-7)


class Doubled(GameLoss):
    """A loss that its class describes no more."""

    def evaluate(self, example, potentials, tolerance):
        value = super().evaluate(example, potentials, tolerance)
        return type(value)(2 * value.attained, 2 * value.bound, 2 * value.moments)


def test_a_subclass_of_a_loss_is_computed_by_its_own_code():
    parent = Played(FBeta(), (0, 1)).loss(Engine())
    doubled = Doubled(parent.model, parent.specs, open_backend(Engine()), warm=False)
    _, potentials = at_random(parent, 0.3)
    once = parent.backend.evaluate(parent, potentials, TOLERANCE)[0]
    assert doubled.backend.evaluate(doubled, potentials, TOLERANCE)[0] == pytest.approx(2 * once, abs=1e-7)
    if open_backend(Engine()).name == "compiled":
        assert doubled.backend.left_to_numpy(doubled) == "there are no kernels for the loss Doubled"


class Cautious(IndependentLabels):
    """Independent labels that never respond with anything but no label."""

    def respond_by_count(self, costs, prune):
        response = super().respond_by_count(costs, prune)
        return type(response)(np.zeros_like(response.labelling), response.cost)


class Tilted(LinearChain):
    """A chain with potentials of its own."""

    def potential(self, labellings):
        return 2.0 * super().potential(labellings)


def test_a_subclass_of_a_structure_is_not_played_as_its_parent():
    pytest.importorskip("numba")
    score = FBeta().on_target(2, 1)
    independent = IndependentLabels(np.zeros((2, 2)))
    cautious, tilted = Cautious(np.zeros((2, 2))), Tilted(np.zeros((2, 2)), np.zeros((2, 2)))
    for structure in (cautious, tilted):
        with pytest.raises(NoTwin, match=f"there are no kernels for structure {type(structure).__name__}"):
            played(Game(score, independent, structure), exact=True)
    with pytest.raises(NoTwin, match="there are no kernels for a predictor over Cautious"):
        played(Game(score, cautious, independent), exact=True)
    spec = Played(FBeta(), (), Cautious).loss(Engine())
    assert spec.backend.left_to_numpy(spec) == "there are no kernels for layout LinkRows"


class Lazy(AdaGrad):
    """An optimiser that does nothing."""

    def one_by_one(self, objective, state, order, progress):
        return 0.0


def test_a_subclass_of_an_optimiser_takes_its_own_pass():
    loss = Played(FBeta(), (0,)).loss(Engine())
    objective = Objective(loss.model, loss)
    lazy = Lazy()
    state = lazy.start(objective, np.zeros(objective.size))
    lazy.run_pass(objective, state, np.arange(objective.examples))
    assert not state["weights"].any()


# --- a structure with kernels, in two files ------------------------------------------------------------


@pytest.mark.long
def test_a_structure_from_outside_is_compiled_once_its_second_file_is_there():
    pytest.importorskip("numba")
    import outside.at_most_one_kernels  # noqa: F401  # registers what it defines

    compiled, plain = case_of(AtMostOne), Played(FBeta(), (), AtMostOne).loss(NUMPY)
    assert compiled.backend.left_to_numpy(compiled) is None
    for scale in (0.1, 1.0):
        _, potentials = at_random(plain, scale)
        attained, bound, _ = compiled.backend.evaluate(compiled, potentials, TOLERANCE)
        expected, its_bound, _ = plain.backend.evaluate(plain, potentials, TOLERANCE)
        assert (attained, bound) == pytest.approx((expected, its_bound), abs=1e-7)
