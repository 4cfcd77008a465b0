"""Small trainings on the sample bitext whose results are known: a change here is a change of the method.

The optima of the regression and of the margin are unique; their links are counted exactly.  So is the
value of every game, whatever solver finds it.  An equilibrium is not unique: links of adversarial learners
depend on the solver, and their error rates are compared with a tolerance.
"""

from __future__ import annotations

import numpy as np
import pytest
from places import ROOT
from threadpoolctl import threadpool_limits

from advsp.engine.lp import solvers
from advsp.engine.settings import Engine
from advsp.experiments.prepare import prepare_bitext_corpus
from advsp.features.bitext.corpus import count_corpus, make_instances
from advsp.learners import learners
from advsp.learners.base import Decoded, Learner
from advsp.learners.initial.logistic import Logistic
from advsp.metrics import metrics
from advsp.support.progress import Silent
from advsp.training.instances import EdgeInstances
from advsp.training.loop import Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers import optimisers

#: Pairs of at most so many edges, and how many of them are trained on.
EDGES, PAIRS = 150, 30
SOLVERS = [
    pytest.param(name, marks=pytest.mark.skipif(solvers.get(name).missing() is not None, reason=f"no {name}"))
    for name in ("highs", "linprog")
]

#: Numbers of pairs, edges and features.
SIZES = {"train": (30, 2192, 41), "valid": (17, 1310, 41)}
#: Hits of sure links, hits of sure or possible ones, predicted and sure links, over valid.
COUNTS: dict[str, list[int]] = {
    "regression": [64, 80, 87, 90],
    "regression, by marginals": [64, 79, 84, 90],
    "margin": [78, 122, 130, 90],
}
#: Sum of the regression's marginals over valid, and its objective at the optimum.
MASS, REGRESSION = 104.526, 854.66843
#: What the margin's objective is at least and at most, at its optimum.
MARGIN = (41.555, 41.873)
#: Adversarial losses of the first pairs, summed, at a part of the regression's weights.
GAMES, PART = 12, 0.2
GAME = {
    "aer, label": 26.696506,
    "aer, ignore": -7.309201,
    "matching, label": -826.648376,
    "matching, ignore": -860.687495,
}
#: Error rate over valid of adversarial learners from few pairs, in percent, and how far a solver may lead
#: from it.
FEW = 15
ADVERSARIAL = {"aer, ignore": 11.4, "matching, ignore": 13.0}
FREEDOM = 4.0

GAMES_OF = {
    "aer, label": {},
    "aer, ignore": {"possible": "ignore"},
    "matching, label": {"structure": "matching"},
    "matching, ignore": {"structure": "matching", "possible": "ignore"},
}


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """As in a worker: these matrices are too small for more, and sums keep their order."""
    with threadpool_limits(limits=1):
        yield


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> dict[str, EdgeInstances]:
    """The first short training pairs, and all short pairs of valid."""
    folder = tmp_path_factory.mktemp("sample") / "bitext"
    config = ROOT / "configs/sample-bitext-prepare.yaml"
    prepare_bitext_corpus(ROOT / "data/sample/bitext", folder, config, ("run={}",), Silent())
    statistics = count_corpus(folder, ["train", "valid"])
    instances, _ = make_instances(folder, "taskar+ibm1", "train", ["valid"], statistics)
    short = {split: np.flatnonzero(np.diff(data.offsets) <= EDGES) for split, data in instances.items()}
    short["train"] = short["train"][:PAIRS]
    return {split: data.take(short[split]) for split, data in instances.items()}


def objective(learner: Learner, data: EdgeInstances, engine: Engine, l2: float = 1.0) -> Objective:
    model = learner.model(data)
    return Objective(model, learner.loss(model, ("all",), engine), l2)


def decode(learner: Learner, data: EdgeInstances, weights: np.ndarray, tolerance: float = 1e-6) -> Decoded:
    return learner.decode(learner.model(data), weights, ("all",), Engine(), tolerance)["all"]


def counted(decided: np.ndarray, data: EdgeInstances) -> list[int]:
    return metrics.get("aer")().counts(decided, data, "all").sum(axis=0).tolist()


@pytest.fixture(scope="module")
def regression(corpus) -> np.ndarray:
    """Weights of the regression at its optimum."""
    made = objective(learners.get("logistic")(possible="label"), corpus["train"], Engine())
    optimiser = optimisers.get("lbfgs")(iterations=500, improvement=1e-10)
    return fit(made, optimiser, passes=1, seed=1, tolerance=Tolerance(), initial=np.zeros(made.model.size))


def test_short_pairs_have_the_same_sizes(corpus):
    sizes = {split: (len(data), *data.features.shape) for split, data in corpus.items()}
    assert sizes == SIZES


def test_regression_finds_the_same_links(corpus, regression):
    learner = learners.get("logistic")(possible="label")
    said = decode(learner, corpus["valid"], regression)
    assert counted(said.mode, corpus["valid"]) == COUNTS["regression"]
    assert counted(said.marginal > 0.5, corpus["valid"]) == COUNTS["regression, by marginals"]
    assert said.marginal.sum() == pytest.approx(MASS, abs=0.01)


def test_optimum_of_the_regression_has_the_same_value(corpus, regression):
    made = objective(learners.get("logistic")(possible="label"), corpus["train"], Engine())
    value, _, gradient = made.full(regression)
    assert value == pytest.approx(REGRESSION, abs=1e-3)
    assert np.abs(gradient).max() < 0.1


def test_margin_finds_the_same_links_at_an_optimum_of_the_same_value(corpus):
    learner = learners.get("ssvm")()
    made = objective(learner, corpus["train"], Engine())
    optimiser = optimisers.get("bcfw")(gap=1e-9, certify_every=50, average="weighted")
    state = optimiser.start(made, np.zeros(made.model.size))
    for number in range(150):
        order = np.random.default_rng(number).permutation(PAIRS)
        report = optimiser.run_pass(made, state, order)
    weights = optimiser.weights(made, state)
    value = made.full(weights)[1]
    assert report.gap < 2.0
    assert value - report.gap <= MARGIN[1]
    assert value >= MARGIN[0]
    assert counted(decode(learner, corpus["valid"], weights).mode, corpus["valid"]) == COUNTS["margin"]


@pytest.mark.parametrize("lp", SOLVERS)
@pytest.mark.parametrize("game", GAME)
def test_games_have_the_same_values_at_the_same_weights(corpus, regression, game, lp):
    made = objective(learners.get("adversarial-links")(**GAMES_OF[game]), corpus["train"], Engine(lp=lp))
    model = made.model
    potentials = model.all_potentials(PART * regression[: model.size])
    values = [made.loss.evaluate(i, potentials[model.rows(i)], 1e-7) for i in range(GAMES)]
    assert sum(value.attained for value in values) == pytest.approx(GAME[game], abs=1e-5)
    assert all(value.attained <= value.bound + 1e-9 <= value.attained + 1e-6 for value in values)


@pytest.mark.parametrize("lp", SOLVERS)
@pytest.mark.parametrize("game", ADVERSARIAL)
def test_adversarial_learner_errs_the_same_within_the_freedom_of_its_solver(corpus, game, lp):
    learner = learners.get("adversarial-links")(**GAMES_OF[game])
    made = objective(learner, corpus["train"].take(np.arange(FEW)), Engine(lp=lp))
    weights = fit(
        made,
        optimisers.get("adagrad")(step=0.01, batch=5),
        passes=2,
        seed=1,
        tolerance=Tolerance(),
        initial=lambda: Logistic().weights(learner, made, 1),
    )
    said = decode(learner, corpus["valid"], weights, tolerance=1e-3)
    for decided in (said.mode, said.marginal > 0.5):
        sums = np.array(counted(decided, corpus["valid"]))
        assert 100 * metrics.get("aer")().score(sums) == pytest.approx(ADVERSARIAL[game], abs=FREEDOM)
