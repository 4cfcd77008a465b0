"""Exact responses and equilibria at the potentials of models in training: what is skipped changes no value.

Random potentials are not like those of a trained model, where nearly everything is pruned, nor like the flat
ones that training begins with.  The mixtures responded to are those that double oracles meet on the way, and
random ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from places import ROOT

from advsp.corpora.conll import Sentence, read_columns
from advsp.corpora.prepared import load
from advsp.engine.game import Game
from advsp.engine.lp import solvers
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import open_oracle, oracles
from advsp.engine.settings import Engine
from advsp.engine.solving import solve_game
from advsp.experiments.prepare import prepare_bitext_corpus
from advsp.features.bitext.corpus import count_corpus, make_instances
from advsp.features.stanford import StanfordFeatures
from advsp.learners.adversarial import Adversarial
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.base import Learner
from advsp.learners.initial.logistic import Logistic
from advsp.support.progress import Silent
from advsp.training.instances import EdgeInstances, Instances
from advsp.training.loop import Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers.adagrad import AdaGrad

CLASSES = ("PER", "LOC", "ORG", "MISC")
STAGES = ("zero", "half-trained", "trained")
REFERENCE = open_oracle("reference")
#: Oracles that skip what cannot win.
PRUNED = [
    pytest.param(name, marks=pytest.mark.skipif(oracle.missing() is not None, reason=f"no {name}"))
    for name, oracle in ((name, oracles.get(name)) for name in oracles)
    if oracle.exact and name != "reference"
]
#: How near the values of responses are to be, and how wide the brackets of equilibria.
SAME, TOLERANCE = 1e-9, 1e-4
#: Rounds after which games before any training are given up, and how many of them are looked at.
ROUNDS, MET = 40, 4


@dataclass(frozen=True)
class Corpus:
    """A model in training, and some examples of its corpus.

    Attributes
    ----------
    objective: of these examples, in the order of their lengths.
    weights: by stage of training.
    """

    objective: Objective
    weights: dict[str, np.ndarray]

    def games(self, stage: str) -> list[Game]:
        """The games of the examples."""
        model = self.objective.model
        potentials = model.all_potentials(self.weights[stage])
        rows = [model.rows(example) for example in range(model.examples)]
        return [
            game
            for example, part in enumerate(rows)
            for game in self.objective.loss.games(example, potentials[part])
        ]


def train(
    learner: Learner, instances: Instances, classes: Sequence[str], step: float, l2: float, number: int
) -> Corpus:
    """Three passes, of which the first leaves the model half-trained; ``number`` examples and the longest."""
    kept: dict[int, np.ndarray] = {}

    def keep(done: int, weights: np.ndarray) -> dict:
        kept[done] = weights.copy()
        return {}

    objective = made(learner, instances, classes, l2)
    fit(
        objective,
        AdaGrad(step=step, batch=10 if learner.has_log_loss else 1),
        passes=3,
        seed=1,
        tolerance=Tolerance(floor=0.01),
        initial=lambda: start(learner, objective),
        after_pass=keep,
    )
    order = np.argsort(np.diff(instances.offsets), kind="stable")
    examples = order[np.linspace(0, len(order) - 1, number).astype(int)]
    weights = dict(zip(STAGES, (np.zeros(objective.model.size), kept[1], kept[3]), strict=True))
    return Corpus(made(learner, instances.take(examples), classes), weights)


def made(learner: Learner, instances: Instances, classes: Sequence[str], l2: float = 0.0) -> Objective:
    model = learner.model(instances)
    loss = learner.loss(model, classes, Engine(max_iterations=ROUNDS))
    return Objective(model, loss, l2, tolerance=TOLERANCE)


def start(learner: Learner, objective: Objective) -> np.ndarray:
    """As the configurations start: from a regression where there is one."""
    return (
        Logistic().weights(learner, objective, 1) if learner.has_log_loss else np.zeros(objective.model.size)
    )


def chains(sentences: Sequence[Sentence], classes: Sequence[str], number: int) -> Corpus:
    """The F1 games of sentences."""
    return train(Adversarial(), StanfordFeatures().fit(sentences, (*CLASSES, "O")), classes, 0.1, 0.0, number)


def links(pairs: EdgeInstances, possible: str, number: int) -> Corpus:
    """The AER games of sentence pairs."""
    return train(AdversarialLinks(possible=possible), pairs, ("all",), 0.003, 1.0, number)


def sample_sentences() -> Corpus:
    path = ROOT / "data/sample/conll/sample.train"
    sentences = read_columns(path, scheme="iob1", docstart="uncounted").sentences
    return chains(sentences[:100], ("PER", "ORG"), 9)


def sample_pairs(folder: Path, possible: str) -> Corpus:
    config = ROOT / "configs/sample-bitext-prepare.yaml"
    prepare_bitext_corpus(ROOT / "data/sample/bitext", folder, config, ("run={}",), Silent())
    instances, _ = make_instances(folder, "taskar+ibm1", "train", [], count_corpus(folder, ["train"]))
    return links(instances["train"].take(np.arange(30)), possible, 6)


def prepared(name: str) -> Path:
    folder = ROOT / "data" / name
    if not (folder / "corpus.json").exists():
        pytest.skip(f"{name} is not prepared in data/{name}")
    return folder


def conll(sentences: int, number: int) -> Corpus:
    return chains(load(prepared("conll2003"), "train", sentences=sentences), ("PER", "MISC"), number)


@cache
def hansards_pairs() -> EdgeInstances:
    folder = prepared("hansards")
    instances, _ = make_instances(folder, "taskar+m4", "train", [], count_corpus(folder, ["train"]))
    return instances["train"]


#: What makes a corpus, by name; those below need a corpus that the project may not ship.
LEARNT_FROM: dict[str, Callable[[Path], Corpus]] = {
    "sample sentences": lambda folder: sample_sentences(),
    "sample pairs, P a label": lambda folder: sample_pairs(folder, "label"),
    "sample pairs, P ignored": lambda folder: sample_pairs(folder, "ignore"),
    "conll_300": lambda folder: conll(300, 6),
    "conll_3000": lambda folder: conll(3000, 3),
    "hansards, P a label": lambda folder: links(hansards_pairs(), "label", 6),
    "hansards, P ignored": lambda folder: links(hansards_pairs(), "ignore", 6),
}


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(name, marks=() if name.startswith("sample") else pytest.mark.corpora)
        for name in LEARNT_FROM
    ],
)
def corpus(request, tmp_path_factory) -> Corpus:
    return LEARNT_FROM[request.param](tmp_path_factory.mktemp("real") / "corpus")


def opponents(game: Game, rng: np.random.Generator) -> tuple[list[Mixture], list[Mixture]]:
    """Mixtures of the predictor and of the adversary: of some rounds of a double oracle, and random ones."""
    solved = solve_game(game, tolerance=1e-6, max_iterations=ROUNDS, trace=True)
    rounds = [solved.trace[k] for k in sorted({*np.linspace(0, len(solved.trace) - 1, MET).astype(int)})]
    predictor, adversary = [found.predictor for found in rounds], [found.adversary for found in rounds]
    n, labels = game.predictor.length, game.adversary.labels
    for share in (0.05, 0.3):
        # The best labelling with some labels changed, and a prediction of some ones.
        changed = np.where(
            rng.random((6, n)) < share, rng.integers(labels, size=(6, n)), game.adversary.best()
        ).astype(np.int8)
        changed = changed[game.adversary.allows(changed)]
        if len(changed):
            adversary.append(Mixture(changed, rng.dirichlet(np.ones(len(changed)))))
        predictor.append(Mixture((rng.random((6, n)) < share).astype(np.int8), rng.dirichlet(np.ones(6))))
    return predictor, adversary


@pytest.fixture(scope="session")
def questions(corpus) -> dict[str, list[tuple]]:
    """By stage: a game, mixtures of either player, and the values of the reference's responses to them."""
    rng, found = np.random.default_rng(0), {}
    for stage in STAGES:
        found[stage] = []
        for game in corpus.games(stage):
            predictor, adversary = opponents(game, rng)
            lower = [REFERENCE.adversary(game, mixture)[1] for mixture in predictor]
            upper = [REFERENCE.predictor(game, mixture)[1] for mixture in adversary]
            found[stage].append((game, predictor, lower, adversary, upper))
    return found


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", PRUNED)
def test_responses_have_the_values_of_the_reference(questions, name, stage):
    oracle = open_oracle(name)
    for game, predictor, lower, adversary, upper in questions[stage]:
        for mixture, expected in zip(predictor, lower, strict=True):
            labelling, value = oracle.adversary(game, mixture)
            attained = mixture.probabilities @ game.payoffs(mixture.labellings, labelling[None, :])[:, 0]
            assert (value, attained) == pytest.approx((expected, expected), abs=SAME)
        for mixture, expected in zip(adversary, upper, strict=True):
            labelling, value = oracle.predictor(game, mixture)
            attained = game.payoffs(labelling[None, :], mixture.labellings)[0] @ mixture.probabilities
            assert (value, attained) == pytest.approx((expected, expected), abs=SAME)


def engines() -> list[tuple[str, str]]:
    """Every LP solver with every exact oracle, as installed; both compiled are the fused loop."""
    exact = [name for name in oracles if oracles.get(name).exact and oracles.get(name).missing() is None]
    return list(product((name for name in solvers if solvers.get(name).missing() is None), exact))


@pytest.mark.long
@pytest.mark.parametrize("stage", STAGES)
def test_equilibria_of_all_engines_bracket_the_same_value(corpus, stage):
    # Most solvers take their time: one game of middling length, not to its end before any training.
    games, brackets = corpus.games(stage), []
    game, rounds = games[len(games) // 2], ROUNDS // 4 if stage == "zero" else ROUNDS
    for lp, oracle in engines():
        solved = solve_game(game, lp, oracle, TOLERANCE, max_iterations=rounds)
        assert solved.gap <= TOLERANCE or solved.iterations == rounds
        assert REFERENCE.adversary(game, solved.predictor)[1] == pytest.approx(solved.lower, abs=SAME)
        assert REFERENCE.predictor(game, solved.adversary)[1] == pytest.approx(solved.upper, abs=SAME)
        assert solved.lower <= solved.value <= solved.upper
        brackets.append((solved.lower, solved.upper))
    lower, upper = np.array(brackets).T
    assert lower.max() <= upper.min() + SAME


@pytest.mark.long
@pytest.mark.parametrize("stage", STAGES[1:])
def test_losses_of_a_pass_bracket_those_of_the_reference(corpus, stage):
    objective, weights = corpus.objective, corpus.weights[stage]
    attained, bound, _ = objective.full(weights)
    model, games = objective.model, corpus.games(stage)
    potentials = model.all_potentials(weights)
    gold = sum(
        float(np.vdot(model.gold_moments(example), potentials[model.rows(example)]))
        for example in range(model.examples)
    )
    gold *= len(games) // model.examples
    # A game given up has a bracket all the same, only a wider one.
    solved = [solve_game(game, "auto", "reference", TOLERANCE, max_iterations=ROUNDS) for game in games]
    slack = SAME * len(games)
    assert attained <= -gold - sum(one.lower for one in solved) + slack
    assert bound >= -gold - sum(one.upper for one in solved) - slack
