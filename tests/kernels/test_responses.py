"""Compiled responses are best responses: by enumeration, and as the plain algorithms in long games."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from advsp.engine.game import AerGame, ChainF1Game, Game
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle
from advsp.engine.structures.column_chain import ColumnChain
from advsp.engine.structures.independent import IndependentLabels

COMPILED, REFERENCE = open_oracle("compiled"), open_oracle("reference")


def mixture(rng: np.random.Generator, n: int, labels: int, share: float, allowed=None) -> Mixture:
    """Up to twelve random labellings, one of them empty, with a ``share`` of labels other than 0."""
    drawn = rng.integers(1, labels, size=(12, n)) * (rng.random((12, n)) < share)
    drawn[0] = 0
    drawn = np.unique(drawn.astype(np.int8), axis=0)
    if allowed is not None:
        drawn = drawn[allowed(drawn)]
    return Mixture(drawn, rng.dirichlet(np.ones(len(drawn))))


def assert_best(game: Game, rng: np.random.Generator, scale: float = 1.0) -> None:
    """Either response has the value of the reference, and is what that value belongs to."""
    n, labels = game.predictor.length, game.adversary.labels
    slack = 1e-9 + 1e-13 * scale * n
    for share in (0.1, 0.5, 0.9):
        opponent = mixture(rng, n, 2, share)
        labelling, value = COMPILED.adversary(game, opponent)
        assert game.adversary.allows(labelling[None])[0]
        assert value == pytest.approx(REFERENCE.adversary(game, opponent)[1], abs=slack)
        opponent = mixture(rng, n, labels, share, game.adversary.allows)
        if len(opponent.labellings):
            _, value = COMPILED.predictor(game, opponent)
            assert value == pytest.approx(REFERENCE.predictor(game, opponent)[1], abs=slack)


#: Potentials by kind, drawn from a generator in a shape.
POTENTIALS = {
    "zero": lambda rng, shape: np.zeros(shape),
    "constant": lambda rng, shape: np.full(shape, 0.7),
    "ties": lambda rng, shape: rng.integers(-2, 3, size=shape) / 2.0,
    "edge of the range": lambda rng, shape: rng.choice([0.0, 1.0, 1.0 - 1e-12, 1.0 + 1e-12], size=shape),
    "tiny": lambda rng, shape: 1e-7 * rng.normal(size=shape),
    "small": lambda rng, shape: 0.1 * rng.normal(size=shape),
    "normal": lambda rng, shape: rng.normal(size=shape),
    "peaked": lambda rng, shape: 3.0 * rng.normal(size=shape),
    "huge": lambda rng, shape: 1e6 + rng.normal(size=shape),
}
SCALES = {"huge": 1e6}


@pytest.mark.parametrize("kind", POTENTIALS)
@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_responses_of_short_chains_equal_enumeration(n, kind):
    rng = np.random.default_rng(n)
    every = np.array(list(product(range(2), repeat=n)), dtype=np.int8)
    sequences = np.array(list(product(range(2), repeat=n)), dtype=np.int8)
    for target in range(2):
        unary, pairwise = POTENTIALS[kind](rng, (n, 2)), POTENTIALS[kind](rng, (n - 1, 2, 2))
        game = ChainF1Game(unary, pairwise, target, beta=rng.choice([0.5, 1.0, 2.0]))
        slack = 1e-9 + 1e-13 * SCALES.get(kind, 1.0) * n
        opponent = mixture(rng, n, 2, 0.5)
        best = (opponent.probabilities @ game.payoffs(opponent.labellings, sequences)).min()
        assert COMPILED.adversary(game, opponent)[1] == pytest.approx(best, abs=slack)
        best = (game.payoffs(every, opponent.labellings) @ opponent.probabilities).max()
        assert COMPILED.predictor(game, opponent)[1] == pytest.approx(best, abs=slack)


@pytest.mark.parametrize("kind", POTENTIALS)
@pytest.mark.parametrize(
    "n, tags",
    [(1, 2), (2, 3), (15, 5), *(pytest.param(*size, marks=pytest.mark.long) for size in ((40, 9), (113, 5)))],
)
def test_responses_of_chains_equal_the_reference(n, tags, kind):
    rng = np.random.default_rng([n, tags])
    for target, steps in ((0, ()), (tags - 1, (n - 1,))):
        unary, pairwise = POTENTIALS[kind](rng, (n, tags)), POTENTIALS[kind](rng, (*steps, tags, tags))
        assert_best(ChainF1Game(unary, pairwise, target), rng, SCALES.get(kind, 1.0))


@pytest.mark.parametrize("seed", range(20))
def test_forbidden_tags_are_never_played(seed):
    rng = np.random.default_rng(seed)
    n, tags = int(rng.integers(1, 30)), int(rng.integers(2, 6))
    unary = rng.normal(size=(n, tags))
    forbidden = rng.random((n, tags)) < 0.4
    forbidden[np.arange(n), rng.integers(tags, size=n)] = False
    unary[forbidden] = -np.inf
    assert_best(ChainF1Game(unary, rng.normal(size=(tags, tags)), int(rng.integers(tags))), rng)


@pytest.mark.parametrize("kind", POTENTIALS)
@pytest.mark.parametrize("n", [1, 2, 7, 60, 400])
def test_responses_of_links_equal_the_reference(n, kind):
    rng = np.random.default_rng(n)
    for forbidden in ("none", "P", "some S"):
        sure, possible = POTENTIALS[kind](rng, (2, n))
        if forbidden == "P":
            possible = np.full(n, -np.inf)
        elif forbidden == "some S":
            sure = np.where(rng.random(n) < 0.5, -np.inf, sure)
        assert_best(AerGame(sure, possible), rng, SCALES.get(kind, 1.0))


@pytest.mark.parametrize("kind", POTENTIALS)
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (5, 4), (12, 9)])
def test_responses_of_columns_equal_the_reference(shape, kind):
    rng = np.random.default_rng(shape)
    for width in (1, 2):
        potentials = POTENTIALS[kind](rng, (shape[0] * shape[1], 3))
        if width == 1:
            potentials[:, 1] = -np.inf
        structure = ColumnChain(potentials, shape, POTENTIALS[kind](rng, (shape[1] - 1, 3)))
        game = Game(AlignmentAccuracy().on_links(), structure.opponent(), structure)
        assert_best(game, rng, SCALES.get(kind, 1.0))


@pytest.mark.parametrize("beta", [0.1, 0.5, 1.0, 2.0, 5.0])
@pytest.mark.parametrize("n", [1, 8, 120])
def test_responses_of_two_labels_equal_the_reference_for_every_beta(n, beta):
    rng = np.random.default_rng(n)
    for scale in (0.0, 0.1, 1.0, 10.0):
        structure = IndependentLabels(scale * rng.normal(size=(n, 2)))
        assert_best(Game(FBeta(beta).on_target(2, 1), IndependentLabels(np.zeros((n, 2))), structure), rng)
