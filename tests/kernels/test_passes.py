"""Passes in kernels do what the optimisers do example by example, to the last digits."""

from __future__ import annotations

import numpy as np
import pytest
from training.toy import toy_instances, toy_pairs

from advsp.engine.backends.opening import open_backend

pytest.importorskip("numba")

from advsp.engine.backends.compiled import CompiledBackend
from advsp.engine.backends.numpy import NumpyBackend
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.base import Measure
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.measures.kappa import Kappa
from advsp.engine.measures.precision_at_k import PrecisionAtK
from advsp.engine.oracles import oracles
from advsp.engine.settings import Engine
from advsp.engine.structures.independent import IndependentLabels
from advsp.learners.adversarial_corpus import AdversarialCorpus
from advsp.learners.base import Learner
from advsp.learners.crf import CRF
from advsp.learners.edge_losses import links_game_loss
from advsp.learners.game_loss import GameLoss, chain_game_loss, target_specs
from advsp.learners.log_loss import ChainLogLoss
from advsp.learners.ssvm_tags import TagSVM
from advsp.support.threads import use_threads
from advsp.training.chain_model import ChainModel
from advsp.training.edge_model import EdgeModel
from advsp.training.objective import Loss, Objective
from advsp.training.optimisers.adagrad import AdaGrad
from advsp.training.optimisers.base import Optimiser
from advsp.training.optimisers.bcfw import BlockCoordinateFrankWolfe

LENGTHS = (3, 1, 4, 2, 5, 3)


def chain_model(start: str) -> ChainModel:
    """Features without symmetries: of several equilibria rounding may choose one or another."""
    instances, rng = toy_instances(5, LENGTHS), np.random.default_rng(5)
    for matrix in (instances.node, instances.edge):
        matrix.data *= rng.uniform(0.8, 1.2, size=len(matrix.data))
    return ChainModel(instances, start)


def chain_loss(
    engine: Engine, start: str = "own", targets: tuple = (0, 1), measure: Measure | None = None
) -> Loss:
    return chain_game_loss(chain_model(start), targets, engine, measure, warm=False)


def edge_loss(engine: Engine, possible: str) -> Loss:
    model = EdgeModel(toy_pairs(5), possible)
    return links_game_loss(model, engine, IndependentLabels, AlignmentAccuracy(), warm=False)


def log_loss(engine: Engine, start: str) -> Loss:
    return ChainLogLoss(chain_model(start), open_backend(engine))


def learnt(engine: Engine, learner: Learner) -> Loss:
    return learner.loss(chain_model("own"), ("PER", "LOC"), engine)


LOSSES = {
    "games": lambda engine: chain_loss(engine),
    "games, latent start": lambda engine: chain_loss(engine, "latent"),
    "kappa": lambda engine: chain_loss(engine, measure=Kappa()),
    "precision of a set of tags": lambda engine: chain_loss(
        engine, targets=((0, 2),), measure=PrecisionAtK(2)
    ),
    "links": lambda engine: edge_loss(engine, "label"),
    "links, P ignored": lambda engine: edge_loss(engine, "ignore"),
    "log": lambda engine: log_loss(engine, "own"),
    "log, costs": lambda engine: learnt(engine, CRF("own", margin=1.0, false_positive=0.3)),
    "hinge": lambda engine: learnt(engine, TagSVM()),
    "corpus game": lambda engine: learnt(engine, AdversarialCorpus(weight=2.0, balance="inverse")),
    "log, latent start": lambda engine: log_loss(engine, "latent"),
}

losses = pytest.mark.parametrize("name", LOSSES)
optimisers = pytest.mark.parametrize(
    ("optimiser", "l2"),
    [
        (AdaGrad(step=0.3), 0.0),
        (AdaGrad(step=0.3, average="none"), 0.7),
        (AdaGrad(step=0.1, batch=2), 0.7),
        (AdaGrad(step=0.1, batch=4), 0.0),
        (AdaGrad(step=0.1, dropout=0.3), 0.7),
        (BlockCoordinateFrankWolfe(certify_every=2), 0.9),
        (BlockCoordinateFrankWolfe(certify_every=2, average="weighted"), 0.9),
    ],
    ids=str,
)


class OneByOne(CompiledBackend):
    """Looks at losses example by example; a game is still played in one compiled call."""

    evaluate = NumpyBackend.evaluate
    decode = NumpyBackend.decode
    online_pass = NumpyBackend.online_pass


def one_by_one(loss: Loss) -> Loss:
    """The same loss, looked at example by example."""
    loss.backend = OneByOne(Engine(), oracles.get("compiled"))
    return loss


def trained(loss: Loss, optimiser: Optimiser, l2: float) -> tuple[list, dict[str, np.ndarray]]:
    objective = Objective(loss.model, loss, l2, tolerance=1e-7)
    weights = np.random.default_rng(0).normal(size=loss.model.size) * (loss.model.frequencies() > 0)
    state, reports = optimiser.start(objective, weights), []
    for seed in range(4):
        order = np.random.default_rng(seed).permutation(loss.model.examples)
        report = optimiser.run_pass(objective, state, order)
        reports.append((report.objective, report.gap, report.converged))
    return reports, {**state, "predicted with": optimiser.weights(objective, state)}


@losses
@optimisers
def test_passes_are_those_of_the_examples_one_by_one(name, optimiser, l2):
    if getattr(optimiser, "dropout", None) and name.startswith("links"):
        pytest.skip("links do not do without features")
    reports, state = trained(LOSSES[name](Engine()), optimiser, l2)
    loss = LOSSES[name](Engine())
    expected, other = trained(one_by_one(loss), optimiser, l2)
    assert state.keys() == other.keys()
    for key, array in other.items():
        assert state[key] == pytest.approx(array, abs=1e-9), key
    for (mine, gap, converged), (its, its_gap, its_converged) in zip(reports, expected, strict=True):
        assert mine == pytest.approx(its, abs=1e-9)
        assert (gap is None) == (its_gap is None) and converged == its_converged
        assert gap is None or gap == pytest.approx(its_gap, abs=1e-8)


@losses
def test_full_batches_are_those_of_numpy_to_the_tolerance(name):
    weights, results = None, []
    for engine in (Engine(), Engine(oracle="numpy", lp="linprog")):
        loss = LOSSES[name](engine)
        weights = np.random.default_rng(1).normal(size=loss.model.size)
        results.append(Objective(loss.model, loss, 0.1, tolerance=1e-9).full(weights))
    (attained, bound, gradient), (its_attained, its_bound, _) = results
    assert attained == pytest.approx(its_attained, abs=1e-7)
    assert bound == pytest.approx(its_bound, abs=1e-7)
    # Equilibria are not unique, but each gives a subgradient: the objective lies above its tangent.
    rng = np.random.default_rng(2)
    for scale in (1e-3, 0.1, 3.0):
        elsewhere = weights + rng.normal(scale=scale, size=len(weights))
        _, above, _ = Objective(loss.model, loss, 0.1, tolerance=1e-9).full(elsewhere)
        assert above >= attained + gradient @ (elsewhere - weights) - 1e-7


def test_approximate_games_are_those_of_numpy():
    for seed in range(5):
        values = []
        for oracle in ("approximate-compiled", "approximate-numpy"):
            loss = chain_loss(Engine(oracle=oracle))
            weights = np.random.default_rng(seed).normal(size=loss.model.size)
            values.append(Objective(loss.model, loss, 0.0, tolerance=1e-9).full(weights))
        assert values[0][0] == pytest.approx(values[1][0], abs=1e-7)
        assert values[0][1] == values[1][1] == np.inf


@pytest.mark.parametrize("kind", ["games", "links"])
def test_predictions_are_those_of_games_played_one_by_one(kind):
    loss = LOSSES[kind](Engine())
    potentials = loss.model.all_potentials(np.random.default_rng(3).normal(size=loss.model.size))
    together = loss.decode(0, potentials, 1e-7)
    alone = one_by_one(loss).decode(0, potentials, 1e-7)
    assert np.array_equal(together[0], alone[0])
    assert together[1] == pytest.approx(alone[1], abs=1e-12)


@pytest.mark.parametrize("targets", [(0,), (1,), ((0, 1),)])
def test_the_adversarys_probabilities_are_those_of_games_played_one_by_one(targets):
    model = chain_model("own")
    specs, backend = target_specs(model, targets, FBeta()), open_backend(Engine())
    loss = GameLoss(model, specs, backend, labels=model.tags)
    potentials = model.all_potentials(np.random.default_rng(3).normal(size=model.size))
    _, marginal, tags = loss.decode(0, potentials, 1e-7)
    assert tags.sum(axis=1) == pytest.approx(np.ones(len(tags)))
    alone = one_by_one(loss).decode(0, potentials, 1e-7)
    assert marginal == pytest.approx(alone[1], abs=1e-12)
    assert tags == pytest.approx(alone[2], abs=1e-12)


@losses
def test_any_number_of_threads_gives_the_same_bits(name, monkeypatch):
    monkeypatch.setattr("advsp.support.threads.CHUNK", 2)
    loss = LOSSES[name](Engine())
    objective = Objective(loss.model, loss, 0.3, tolerance=1e-6)
    weights = np.random.default_rng(1).normal(size=loss.model.size)
    results = []
    for number in (1, 2, 3):
        ticks = []
        with use_threads(number):
            attained, bound, gradient = objective.full(weights, ticks.append)
        assert sum(ticks) == loss.model.examples and len(ticks) > 1
        results.append((attained, bound, gradient.tobytes()))
    assert results[0] == results[1] == results[2]


def test_numpy_is_numpy_throughout(monkeypatch):
    def refuse(name: str) -> None:
        raise AssertionError(f"kernels.{name} was asked for")

    monkeypatch.setattr("advsp.engine.backends.door.module", refuse)
    for name in LOSSES:
        loss = LOSSES[name](Engine(oracle="numpy", lp="linprog"))
        Objective(loss.model, loss, tolerance=0.1).full(np.zeros(loss.model.size))
        with pytest.raises(AssertionError, match="was asked for"):
            compiled = LOSSES[name](Engine())
            Objective(compiled.model, compiled, tolerance=0.1).full(np.zeros(loss.model.size))
