"""Small trainings on the sample corpus whose results are known: a change here is a change of the method.

The optimum of the CRF is unique and reached to ten digits, so its counts are exact.  So is the value
of every adversarial game, and with it the objective at given weights, whatever solver finds it.  The
equilibrium is not unique: weights trained on adversarial games depend on the solver, and with them a
few tokens; their scores are compared with a tolerance.
"""

from __future__ import annotations

import numpy as np
import places
import pytest
from threadpoolctl import threadpool_limits

from advsp.corpora.conll import read_columns
from advsp.engine.lp import solvers
from advsp.engine.settings import Engine
from advsp.features.stanford import StanfordFeatures
from advsp.learners.adversarial import Adversarial
from advsp.learners.base import Decoded, Learner
from advsp.learners.crf import CRF
from advsp.metrics.counts import f_score
from advsp.metrics.entity import entity_counts
from advsp.metrics.token import token_counts
from advsp.training.chain_model import ChainModel
from advsp.training.instances import ChainInstances
from advsp.training.loop import Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers.adagrad import AdaGrad
from advsp.training.optimisers.lbfgs import LBFGS

SAMPLE = places.SAMPLE / "conll"
CLASSES = ("PER", "LOC", "ORG", "MISC")
NAMES = (*CLASSES, "O")
SENTENCES = 100
SOLVERS = [
    pytest.param(name, marks=pytest.mark.skipif(solvers.get(name).missing() is not None, reason=f"no {name}"))
    for name in ("highs", "linprog")
]

#: tp, fp and fn of the CRF over testa.
CRF_TOKENS = {"PER": [76, 24, 83], "LOC": [69, 41, 43], "ORG": [110, 85, 56], "MISC": [6, 2, 74]}
CRF_MARGINALS = {"PER": [43, 7, 116], "LOC": [62, 14, 50], "ORG": [97, 43, 69], "MISC": [3, 2, 77]}
#: Sums of the CRF's marginals over testa.
CRF_MASS = {"PER": 106.083, "LOC": 123.267, "ORG": 170.608, "MISC": 24.415}
CRF_ENTITIES = {"PER": [43, 39, 56], "LOC": [57, 43, 34], "ORG": [51, 68, 38], "MISC": [3, 2, 43]}
#: Adversarial losses of the first sentences, summed, at a tenth of the CRF's weights.
GAMES = 30
OBJECTIVES = {"PER": -20.981108, "LOC": -21.141421, "ORG": -20.863016, "MISC": -21.857320}
#: Token F1 of the adversarial learner over testa after three passes, and how far a solver may lead from it.
ADVERSARIAL = {"PER": 70.1, "LOC": 55.8}
FREEDOM = 4.0


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """As in a worker: these matrices are too small for more, and sums keep their order."""
    with threadpool_limits(limits=1):
        yield


@pytest.fixture(scope="module")
def corpus() -> tuple[ChainInstances, ChainInstances]:
    """The first training sentences and all of testa."""
    train, testa = (read_columns(SAMPLE / f"sample.{split}").sentences for split in ("train", "testa"))
    features = StanfordFeatures()
    return features.fit(train[:SENTENCES], NAMES), features.transform(testa)


def trained(
    learner: Learner, data: ChainInstances, classes, optimiser, passes: int, l2: float, engine: Engine
):
    model = ChainModel(data, learner.start)
    return fit(
        Objective(model, learner.loss(model, classes, engine), l2),
        optimiser,
        passes=passes,
        seed=1,
        tolerance=Tolerance(),
        initial=np.zeros(model.size),
    )


def tokens(mask: np.ndarray, label: str, data: ChainInstances) -> list[int]:
    """tp, fp and fn of decisions about one class."""
    return token_counts(mask, data.tags == NAMES.index(label), data.offsets).sum(axis=0).tolist()


@pytest.fixture(scope="module")
def crf(corpus) -> np.ndarray:
    """Weights of the CRF at its optimum."""
    return trained(CRF(), corpus[0], CLASSES, LBFGS(iterations=60, improvement=1e-9), 1, 1.0, Engine())


@pytest.fixture(scope="module")
def crf_says(corpus, crf) -> dict[str, Decoded]:
    return CRF().decode(ChainModel(corpus[1], "latent"), crf, CLASSES, Engine(), 0.0)


def test_features_of_the_first_sentences(corpus):
    train, testa = corpus
    assert (len(train), train.node.shape, train.edge.shape) == (SENTENCES, (1217, 7720), (1217, 2408))
    assert (len(testa), testa.node.shape, testa.edge.shape) == (150, (2029, 7720), (2029, 2408))
    assert (train.node.nnz, train.edge.nnz, testa.node.nnz, testa.edge.nnz) == (32609, 10953, 36755, 12856)


def test_crf_finds_the_same_tokens_by_its_best_labelling(corpus, crf_says):
    assert {label: tokens(crf_says[label].mode, label, corpus[1]) for label in CLASSES} == CRF_TOKENS


def test_crf_finds_the_same_tokens_by_its_marginals(corpus, crf_says):
    assert {
        label: tokens(crf_says[label].marginal > 0.5, label, corpus[1]) for label in CLASSES
    } == CRF_MARGINALS


def test_crf_expects_as_many_tokens_of_every_class(crf_says):
    mass = {label: crf_says[label].marginal.sum() for label in CLASSES}
    assert mass == pytest.approx(CRF_MASS, abs=0.01)


def test_crf_finds_the_same_entities(corpus, crf_says):
    testa = corpus[1]
    for label in CLASSES:
        tags = np.where(crf_says[label].mode, f"I-{label}", "O").tolist()
        guess = [tags[testa.rows(sentence)] for sentence in range(len(testa))]
        assert entity_counts(guess, testa.gold, [label])[label].sum(axis=0).tolist() == CRF_ENTITIES[label]


def test_optimum_of_the_crf_has_the_same_value(corpus, crf):
    model = ChainModel(corpus[0], "latent")
    objective = Objective(model, CRF().loss(model, CLASSES, Engine()), 1.0)
    value, _, gradient = objective.full(crf)
    assert value == pytest.approx(75.637509, abs=1e-5)
    assert np.abs(gradient).max() < 1e-2


@pytest.mark.parametrize("lp", SOLVERS)
def test_adversarial_objective_has_the_same_value_at_the_same_weights(corpus, crf, lp):
    model, learner = ChainModel(corpus[0], "latent"), Adversarial(start="latent")
    potentials = model.all_potentials(0.1 * crf)
    for label in CLASSES:
        loss = learner.loss(model, (label,), Engine(lp=lp))
        values = [loss.evaluate(i, potentials[model.rows(i)], 1e-7) for i in range(GAMES)]
        assert sum(value.attained for value in values) == pytest.approx(OBJECTIVES[label], abs=1e-5)
        assert all(value.attained <= value.bound + 1e-9 <= value.attained + 1e-6 for value in values)


@pytest.mark.parametrize("lp", SOLVERS)
def test_adversarial_learner_scores_the_same_within_the_freedom_of_its_solver(corpus, lp):
    train, testa = corpus
    learner, engine = Adversarial(), Engine(lp=lp)
    for label, score in ADVERSARIAL.items():
        weights = trained(learner, train, (label,), AdaGrad(step=0.1), 3, 0.0, engine)
        said = learner.decode(ChainModel(testa, "own"), weights, (label,), engine, 1e-6)[label]
        for mask in (said.mode, said.marginal > 0.5):
            assert 100 * f_score(*tokens(mask, label, testa)) == pytest.approx(score, abs=FREEDOM)
