"""What the learners of word alignment say of a pair, by definition."""

from __future__ import annotations

import brute_force
import numpy as np
import pytest
from training.toy import toy_pairs

from advsp.engine.backends.numpy import NumpyBackend
from advsp.engine.backends.opening import open_backend
from advsp.engine.measures.additive import Additive
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.settings import Engine
from advsp.engine.structures.independent import IndependentLabels
from advsp.engine.structures.matching import BipartiteMatching
from advsp.learners import learners
from advsp.learners.base import Decoded
from advsp.learners.edge_losses import links_game

PAIRS = toy_pairs(seed=8, shapes=((2, 2), (1, 3), (2, 1)))


def decoded(name: str, engine: Engine | None = None, tolerance: float = 1e-9, **options):
    """Potentials of S and P, and what is said."""
    learner = learners.get(name)(**options)
    model = learner.model(PAIRS)
    weights = np.random.default_rng(2).normal(size=model.size)
    engine = engine or Engine(lp="linprog")
    said: Decoded = learner.decode(model, weights, ("all",), engine, tolerance)["all"]
    return model, model.all_potentials(weights), said


def test_margin_links_the_best_matching_and_orders_its_links_by_their_potentials():
    model, potentials, said = decoded("ssvm")
    for pair in range(3):
        rows = model.rows(pair)
        psi = potentials[rows, 0]
        best = max(brute_force.matchings(tuple(PAIRS.shapes[pair]), 2), key=lambda links: psi @ links)
        assert said.mode[rows].astype(int).tolist() == list(best)
    expected = np.where(said.mode, 1.0 / (1.0 + np.exp(-potentials[:, 0])), 0.0)
    assert said.marginal == pytest.approx(expected)
    assert len(set(said.marginal[said.mode].tolist())) == said.mode.sum() > 2


@pytest.mark.parametrize("possible", ["label", "ignore"])
def test_regression_links_where_a_sure_link_is_the_most_probable_label(possible):
    _, potentials, said = decoded("logistic", possible=possible)
    scores = np.hstack([np.zeros((len(potentials), 1)), potentials])
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert said.marginal == pytest.approx(shares[:, 1])
    assert said.mode.tolist() == (shares.argmax(axis=1) == 1).tolist()
    assert 0 < said.mode.sum() < len(said.mode)


@pytest.mark.parametrize("possible", ["label", "ignore"])
@pytest.mark.parametrize("structure", ["independent", "matching"])
def test_marginals_are_those_of_a_prediction_that_guarantees_the_value_of_the_game(structure, possible):
    options = {"structure": structure, "possible": possible}
    played = (IndependentLabels, AlignmentAccuracy())
    if structure == "matching":
        played = (BipartiteMatching, Additive())
    model, potentials, said = decoded("adversarial-links", **options)
    for pair in range(3):
        rows = model.rows(pair)
        solved = open_backend(Engine(lp="linprog")).solve(
            links_game(model, pair, potentials[rows], *played), 1e-9
        )
        sure = potentials[rows, 0]
        possibly = potentials[rows, 1] if possible == "label" else np.full(len(sure), -1e3)
        game = (
            brute_force.aer_game(sure, possibly)
            if structure == "independent"
            else brute_force.matching_game(
                sure, possibly, tuple(PAIRS.shapes[pair]), learners.get("adversarial-links")().cost
            )
        )
        assert game.against_predictor(solved.predictor).min() == pytest.approx(game.value, abs=1e-6)
        marginal = solved.predictor.marginal()
        assert said.mode[rows].tolist() == (solved.predictor.mode() == 1).tolist()
        if structure == "matching":
            best = max(
                brute_force.matchings(tuple(PAIRS.shapes[pair]), 2), key=lambda links: marginal @ links
            )
            assert said.marginal[rows] == pytest.approx(marginal * np.array(best))
        else:
            assert said.marginal[rows] == pytest.approx(marginal)


@pytest.mark.parametrize("tolerance", [1e-6, 0.01])
def test_games_are_solved_to_the_tolerance_asked_for(tolerance, monkeypatch):
    heard, solve = [], NumpyBackend.solve

    def listen(backend, game, tolerance, *options):
        heard.append(tolerance)
        return solve(backend, game, tolerance, *options)

    monkeypatch.setattr(NumpyBackend, "solve", listen)
    decoded("adversarial-links", Engine(oracle="numpy", lp="linprog"), tolerance)
    assert heard == [tolerance] * 3
