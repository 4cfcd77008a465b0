"""The losses of word alignment against enumeration and finite differences."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from advsp.engine.measures.additive import Additive
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.settings import Engine
from advsp.engine.structures.column_chain import ColumnChain
from advsp.engine.structures.independent import IndependentLabels
from advsp.engine.structures.matching import BipartiteMatching, best_matching
from advsp.learners.column_log_loss import ColumnLogLoss
from advsp.learners.edge_losses import (
    EdgeLogLoss,
    LinksHingeLoss,
    gold_links,
    label_probabilities,
    links_game,
    links_game_loss,
)
from advsp.training.edge_model import EdgeModel
from advsp.training.instances import EdgeInstances
from advsp.training.objective import Objective

SHAPES = [(1, 2), (2, 2), (1, 1)]


@pytest.fixture
def instances() -> EdgeInstances:
    rng = np.random.default_rng(11)
    edges = [e * f for e, f in SHAPES]
    labels = np.array([2, 1, 2, 0, 1, 0, 0], dtype=np.int8)
    words = [tuple("w" for _ in range(n)) for n in range(3)]
    return EdgeInstances(
        np.column_stack([np.ones(7), rng.normal(size=(7, 2))]), labels,
        np.concatenate([[0], np.cumsum(edges)]), np.array(SHAPES), ("bias", "dice", "distance"),
        tuple(words[e] for e, _ in SHAPES), tuple(words[f] for _, f in SHAPES),
    )  # fmt: skip


#: Losses with P as a label, and those that leave possible links out.
PLAYED = ("aer", "matching", "columns", "logistic")
LEFT_OUT = ("hinge", "hinge of columns", "log-loss of columns")


def losses(instances: EdgeInstances, possible: str) -> dict:
    """Every loss over one model, by name."""
    free, matchings, columns = (
        EdgeModel(instances, possible, kind=kind)
        for kind in (IndependentLabels, BipartiteMatching, ColumnChain)
    )
    engine = Engine(lp="linprog")
    made = {
        "aer": links_game_loss(free, engine, IndependentLabels, AlignmentAccuracy()),
        "matching": links_game_loss(matchings, engine, BipartiteMatching, Additive({"AN": 0.5})),
        "columns": links_game_loss(columns, engine, ColumnChain, AlignmentAccuracy()),
        "logistic": EdgeLogLoss(free),
    }
    if possible == "ignore":
        made["hinge"] = LinksHingeLoss(matchings, gold_links(matchings, False))
        made["hinge of columns"] = LinksHingeLoss(columns, gold_links(columns, False))
        made["log-loss of columns"] = ColumnLogLoss(columns)
    return made


CASES = pytest.mark.parametrize(
    ("name", "possible"),
    [(n, "label") for n in PLAYED] + [(n, "ignore") for n in (*PLAYED, *LEFT_OUT)],
)


@CASES
def test_gradient_equals_finite_differences(instances, name, possible):
    loss = losses(instances, possible)[name]
    objective = Objective(loss.model, loss, l2=0.3, tolerance=1e-9)
    weights = np.random.default_rng(5).normal(size=loss.model.size)
    value, bound, gradient = objective.full(weights)
    assert bound == pytest.approx(value, abs=1e-8)
    for j in range(len(weights)):
        step = np.zeros_like(weights)
        step[j] = 1e-5
        slope = (objective.full(weights + step)[0] - objective.full(weights - step)[0]) / 2e-5
        assert gradient[j] == pytest.approx(slope, abs=1e-5)


@CASES
def test_examples_add_up_to_the_whole(instances, name, possible):
    loss = losses(instances, possible)[name]
    model = loss.model
    table = model.all_potentials(np.random.default_rng(6).normal(size=model.size))
    attained, _, moments = loss.evaluate_all(table, 1e-9)
    values = [loss.evaluate(i, table[model.rows(i)], 1e-9) for i in range(3)]
    assert attained == pytest.approx(sum(value.attained for value in values))
    assert moments == pytest.approx(np.concatenate([value.moments for value in values]), abs=1e-7)


@CASES
def test_loss_is_convex_along_a_line(instances, name, possible):
    loss = losses(instances, possible)[name]
    objective = Objective(loss.model, loss, tolerance=1e-9)
    a, b = np.random.default_rng(7).normal(size=(2, loss.model.size)) * 3
    middle, ends = objective.full((a + b) / 2)[0], (objective.full(a)[0] + objective.full(b)[0]) / 2
    assert middle <= ends + 1e-7


def test_gain_at_the_start_is_what_the_best_prediction_scores_against_it(instances):
    for possible in ("label", "ignore"):
        made = losses(instances, possible)
        model = made["aer"].model
        moments, gains = made["aer"].start()
        assert not moments.any()
        assert gains == pytest.approx([1.0, 1.0, 1.0])
        moments, gains = made["matching"].start()
        for example in range(3):
            gold = model.gold(example)
            begun = heaviest_matching(gold, SHAPES[example])
            game = links_game(
                model, example, np.zeros((len(gold), model.width)), BipartiteMatching, Additive({"AN": 0.5})
            )
            best = max(
                game.payoff(np.array(links), begun)
                for links in itertools.product([0, 1], repeat=len(gold))
                if is_matching(np.array(links), SHAPES[example])
            )
            assert gains[example] == pytest.approx(best)
            lost = model.layout.moments(example, begun[None], np.ones(1)) - model.gold_moments(example)
            assert moments[model.rows(example)] == pytest.approx(lost)


@pytest.mark.parametrize("positive", [False, True])
def test_margin_starts_at_the_matching_that_misses_least(instances, positive):
    model = EdgeModel(instances, "ignore", kind=BipartiteMatching)
    loss = LinksHingeLoss(model, gold_links(model, positive), false_negative=3.0, false_positive=1.0)
    moments, gains = loss.start()
    for example in range(3):
        rows = model.rows(example)
        gold = loss.positive[rows].astype(np.int8)
        begun = (gold + moments[rows, 0]).round().astype(np.int8)
        assert is_matching(begun > 0, SHAPES[example]) and (begun <= gold).all()
        assert begun.sum() == heaviest_matching(gold, SHAPES[example]).sum()
        assert gains[example] == -3.0 * (gold.sum() - begun.sum())
    assert (gains < 0).any() == positive, "only with possible links is a word linked twice"


def heaviest_matching(labels: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """Of a labelling the part that is a matching and keeps most of its labels, sure ones counting twice."""
    parts = (labels * np.array(kept) for kept in itertools.product([0, 1], repeat=len(labels)))
    return max((part for part in parts if is_matching(part > 0, shape)), key=np.sum).astype(np.int8)


def is_matching(links: np.ndarray, shape: tuple[int, int]) -> bool:
    grid = links.reshape(shape)
    return bool((grid.sum(axis=0) <= 1).all() and (grid.sum(axis=1) <= 1).all())


def test_hinge_loss_is_the_worst_augmented_matching(instances):
    model = EdgeModel(instances, "ignore", kind=BipartiteMatching)
    gold = gold_links(model, possible_as_positive=True)
    loss = LinksHingeLoss(model, gold, false_negative=3.0, false_positive=1.0)
    table = np.random.default_rng(8).normal(size=(7, 1)) * 2
    for example in range(3):
        rows = model.rows(example)
        psi, truth = table[rows, 0], gold[rows].astype(float)
        worst = max(
            3.0 * ((truth == 1) & (y == 0)).sum() + ((truth == 0) & (y == 1)).sum() + y @ psi
            for y in map(np.array, itertools.product([0, 1], repeat=len(psi)))
            if is_matching(y, SHAPES[example])
        )
        assert loss.evaluate(example, table[rows], 0.0).attained == pytest.approx(worst - truth @ psi)


def test_training_never_looks_at_edges_it_leaves_out(instances):
    for name, loss in losses(instances, "ignore").items():
        table = np.random.default_rng(9).normal(size=(7, loss.model.width))
        for example in range(3):
            rows, out = loss.model.rows(example), loss.model.ignored()[loss.model.rows(example)]
            moved = table[rows].copy()
            moved[out, 0] += 100.0
            before, after = (loss.evaluate(example, part, 1e-9) for part in (table[rows], moved))
            assert after.attained == pytest.approx(before.attained), name
            assert not after.moments[out, 0].any(), name


def test_best_matching_takes_links_with_a_gain_only():
    assert best_matching(np.array([1.0, 3.0, 2.0, 1.5]), (2, 2)).tolist() == [False, True, True, False]
    assert not best_matching(np.array([-1.0, 0.0, -np.inf, -2.0]), (2, 2)).any()


def test_label_probabilities_are_those_of_a_softmax():
    probabilities, normaliser = label_probabilities(np.array([[0.0, 0.0], [1000.0, 0.0], [-1000.0, -1000.0]]))
    assert probabilities == pytest.approx(np.array([[1 / 3, 1 / 3], [1.0, 0.0], [0.0, 0.0]]))
    assert normaliser == pytest.approx([np.log(3), 1000.0, 0.0])
