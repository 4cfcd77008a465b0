"""Word aligners by scikit-learn's contract: sentence pairs in, links out."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from advsp.aligners.agreement import Agreement
from advsp.aligners.base import AlignerModel
from advsp.aligners.runs import readable, write_text
from advsp.corpora.bitext import Link, SentencePair
from advsp.corpora.bitext_sources import run_directions
from advsp.corpora.links import PHARAOH, read_links
from advsp.corpora.posteriors import Grids
from advsp.corpora.tokens import Normaliser, Words
from advsp.engine.measures import measures
from advsp.engine.measures.base import Measure
from advsp.engine.settings import Engine
from advsp.estimators.description import begin_estimator, describe_estimator
from advsp.estimators.parameters import Parameters
from advsp.experiments.config import OptimiserConfig
from advsp.experiments.decisions import decide
from advsp.experiments.recipe import train
from advsp.features.bitext.aligners import list_aligners
from advsp.features.bitext.featuriser import BitextFeatures
from advsp.features.bitext.link_counts import count_links
from advsp.features.bitext.sets import parse_feature_set
from advsp.features.bitext.text_counts import SideCounts, TextCounts
from advsp.learners.adversarial_links import AdversarialLinks
from advsp.learners.trained_model import load_model
from advsp.metrics.alignment import alignment_counts, alignment_error_rate
from advsp.support.arrays import Bools, Floats
from advsp.support.errors import InputError
from advsp.support.records import Fields
from advsp.support.sections import build, describe
from advsp.support.state import State
from advsp.support.words import counted
from advsp.tasks.base import ALL
from advsp.training.instances import EdgeInstances

#: A sentence and its translation, lists of words.
Pair: TypeAlias = "tuple[Sequence[str], Sequence[str]]"
#: A pair, or a pair and the links of other aligners for it, by their names.
Given: TypeAlias = "Pair | tuple[Sequence[str], Sequence[str], Mapping[str, Collection[Link]]]"
#: Gold links of a pair: the sure ones, or a tuple of two sets, the sure ones and the possible ones.
Gold: TypeAlias = "Collection[Link] | tuple[AbstractSet[Link], AbstractSet[Link]]"

#: Accuracy of the games that are decoded.
_TOLERANCE = 1e-6
#: What the aligner is called that comes with the project.
_AGREEMENT = "agreement"
_HINT = "fit and save it anew"


class AdversarialAligner(Parameters):
    """A word aligner trained for the alignment error rate.

    Parameters
    ----------
    text: more sentence pairs, without links, from which words are counted and the aligner ``agreement``
        learns; the pairs that are fitted to alone by default.
    features: name of a set of features, ``taskar`` or ``everything``.
    agreement: whether links and posteriors of the aligner that comes with the project are features, too.
    possible: what possible links are in training: ``ignore`` or ``label``.
    measure: None for one minus the alignment error rate, or a registered measure, or its name.
    passes, step, batch, l2: of online AdaGrad, which begins at a scaled logistic regression.
    lower: whether case makes no difference to words.
    engine: ``auto``, ``compiled`` or ``numpy``.
    random_state: seed of the order of the pairs.

    Attributes
    ----------
    classes_: the one class there is, an array of text.

    Examples
    --------
    >>> pairs = [(["the", "gull"], ["la", "mouette"]), (["the", "sea"], ["la", "mer"])] * 2
    >>> aligner = AdversarialAligner(agreement=False).fit(pairs, [{(0, 0), (1, 1)}] * 4)
    >>> sorted(aligner.predict([(["the", "gull"], ["la", "mouette"])])[0])
    [(0, 0), (1, 1)]
    """

    classes_: np.ndarray

    def __init__(
        self,
        text: Sequence[Pair] | None = None,
        features: Literal["taskar", "everything"] = "taskar",
        agreement: bool = True,
        possible: Literal["ignore", "label"] = "ignore",
        measure: str | Mapping[str, Any] | Measure | None = None,
        passes: int = 10,
        step: float = 0.003,
        batch: int = 10,
        l2: float = 1.0,
        lower: bool = True,
        engine: str = "auto",
        random_state: int = 1,
    ) -> None:
        self.text = text
        self.features = features
        self.agreement = agreement
        self.possible = possible
        self.measure = measure
        self.passes = passes
        self.step = step
        self.batch = batch
        self.l2 = l2
        self.lower = lower
        self.engine = engine
        self.random_state = random_state

    # --- the contract -------------------------------------------------------------------------------------

    def fit(self, X: Sequence[Given], y: Sequence[Gold]) -> Self:
        """Learn from sentence pairs and their links.

        Parameters
        ----------
        X: pairs of lists of words, and where other aligners are looked at a mapping of their names to links.
        y: for every pair its sure links, or a tuple of its sure and its possible links; words from 0.

        Raises
        ------
        InputError: pairs and links that do not belong together.
        """
        pairs = _labelled(X, y)
        spell = self._normaliser
        text = [(tuple(source), tuple(target)) for source, target in self.text or _words(X)]
        written = [(spell.spell(source), spell.spell(target)) for source, target in text]
        self._counts = TextCounts.of(written, spell, spell)
        given = _given(X)
        self._model: AlignerModel | None = None
        self._state: State | None = None
        if self.agreement:
            self._state, links, posteriors = _learn(pairs, written if self.text is not None else [], spell)
            self._model = Agreement().learnt(self._state)
            given |= links
        else:
            posteriors = {}
        everywhere = {name: ["train"] for name in given}
        name = "+".join([self.features, *(aligner.name for aligner in list_aligners(given))])
        chosen = parse_feature_set(name, everywhere, ["train"])
        statistics = self._counts.statistics(_words(X))
        counts = count_links(statistics, chosen.aligners, [(pairs, given)])
        self._features = BitextFeatures(chosen, statistics, counts)
        instances = self._features.fit(pairs, given, posteriors)
        self._counted = frozenset(SentencePair(pair.source, pair.target) for pair in pairs)
        self._trained = train(
            self._learner(),
            instances,
            (ALL,),
            optimiser=self._optimiser(),
            engine=Engine(oracle=self.engine),
            seed=self.random_state,
        )
        self.classes_ = np.array([ALL])
        return self

    def predict(self, X: Sequence[Given]) -> list[set[Link]]:
        """Links (source, target) of every pair of sentences, words from 0."""
        instances = self._instances(_pairs(X), X)
        decided = self._decided(instances)[0]
        found = []
        for pair in range(len(instances)):
            grid = decided[instances.rows(pair)].reshape(instances.shape(pair))
            found.append({(i, j) for i, j in np.argwhere(grid).tolist()})
        return found

    def predict_marginals(self, X: Sequence[Given]) -> list[Floats]:
        """For every pair the probabilities of all its links, float [n, m]."""
        instances = self._instances(_pairs(X), X)
        marginal = self._decided(instances)[1]
        return [
            marginal[instances.rows(pair)].reshape(instances.shape(pair)) for pair in range(len(instances))
        ]

    def score(self, X: Sequence[Given], y: Sequence[Gold]) -> float:
        """One minus the alignment error rate."""
        instances = self._instances(_labelled(X, y), X)
        decided = self._decided(instances)[0]
        counts = alignment_counts(decided, instances.labels, instances.offsets).sum(axis=0)
        return 1.0 - float(alignment_error_rate(*counts))

    # --- files --------------------------------------------------------------------------------------------

    def save(self, folder: str | Path) -> None:
        """Write what was learnt into a folder: JSON and npz; :func:`advsp.load` reads it again.

        The text is not written, but what was counted in it and learnt from it is.
        """
        self._check_fitted()
        folder = Path(folder)
        begin_estimator(folder)
        self._features.save(folder / "features")
        sides = {"source": self._counts.source.state(), "target": self._counts.target.state()}
        State().holding(**sides).save(folder / "counts")
        if self._state is not None:
            self._state.save(folder / "agreement")
        self._trained.save(folder / "models" / "0")
        counted = [
            {"source": list(pair.source), "target": list(pair.target)}
            for pair in sorted(self._counted, key=lambda pair: (pair.source, pair.target))
        ]
        measure = self.measure
        if isinstance(measure, Measure):
            measure = describe(measures, measure)
        parameters = {**self.get_params(), "measure": measure, "text": None}
        describe_estimator(folder, type(self).__name__, parameters, {"counted": counted})

    def restore(self, folder: Path, about: Fields) -> Self:
        """Take up what :meth:`save` wrote, and was described so."""
        self._features = BitextFeatures.load(folder / "features")
        state = State.load(folder / "counts", "word counts", _HINT)
        self._counts = TextCounts(*(SideCounts.from_state(state.part(side)) for side in ("source", "target")))
        self._state, self._model = None, None
        if self.agreement:
            self._state = State.load(folder / "agreement", "the model of an aligner", _HINT)
            self._model = Agreement().learnt(self._state)
        self._trained = load_model(folder / "models" / "0")
        counted = about.each("counted")
        self._counted = frozenset(
            SentencePair(pair.texts("source"), pair.texts("target")) for pair in counted
        )
        self.classes_ = np.array([ALL])
        return self

    # --- parts --------------------------------------------------------------------------------------------

    @property
    def _normaliser(self) -> Normaliser:
        return Normaliser(["lower"] if self.lower else [])

    def _learner(self) -> AdversarialLinks:
        measure = self.measure
        if isinstance(measure, str | Mapping):
            measure = build(measures, {"name": measure} if isinstance(measure, str) else measure)
        return AdversarialLinks(possible=self.possible, measure=measure)

    def _optimiser(self) -> OptimiserConfig:
        return OptimiserConfig.model_validate(
            {
                "name": "adagrad",
                "passes": self.passes,
                "step": self.step,
                "batch": self.batch,
                "l2": self.l2,
                "initial": {"name": "logistic"},
                "tolerance": {"start": 0.1, "decay": 0.7, "floor": 0.01},
            }
        )

    def _decided(self, instances: EdgeInstances) -> tuple[Bools, Floats]:
        """Whether words are linked, bool [T], and how probable that is, float [T], for all edges."""
        said = self._trained.decode(instances, _TOLERANCE)[ALL]
        return decide(said, "mode"), said.marginal

    def _instances(self, pairs: Sequence[SentencePair], X: Sequence[Given]) -> EdgeInstances:
        """The pairs as instances, with what other aligners say of them in ``X`` and what ours says."""
        self._check_fitted()
        words, links = [(pair.source, pair.target) for pair in pairs], _given(X)
        posteriors: dict[str, Grids] = {}
        if self._model is not None:
            spell = self._normaliser.spell
            found = self._model.align(
                [(readable(spell(left)), readable(spell(right))) for left, right in words]
            )
            for direction, name in run_directions(_AGREEMENT).items():
                links[name] = found.links[direction]
            posteriors[_AGREEMENT] = found.posteriors
        features = self._features.knowing(self._counts.statistics(words))
        return features.transform(pairs, links, posteriors, self._counted)

    def _check_fitted(self) -> None:
        if not hasattr(self, "classes_"):
            raise InputError(f"this {type(self).__name__} is not fitted yet", hint="call fit first")


def _learn(
    pairs: Sequence[SentencePair], text: Sequence[tuple[Words, Words]], spell: Normaliser
) -> tuple[State, dict[str, list[frozenset[Link]]], dict[str, Grids]]:
    """The model of the aligner, its links for the pairs by direction, and its posteriors."""
    everything = [*pairs, *(SentencePair(source, target) for source, target in text if source and target)]
    with tempfile.TemporaryDirectory() as folder:
        written = write_text(Path(folder), everything, None, {"source": spell, "target": spell})
        files = {direction: Path(folder) / direction for direction in ("forward", "reverse")}
        outcome = Agreement().align(written, **files, tell=lambda words: None)
        shapes = [pair.shape for pair in everything]
        links = {
            name: [found.sure for found in read_links(files[direction], shapes, PHARAOH)][: len(pairs)]
            for direction, name in run_directions(_AGREEMENT).items()
        }
    assert outcome.model is not None and outcome.posteriors is not None
    return outcome.model, links, {_AGREEMENT: outcome.posteriors.grids(shapes)[: len(pairs)]}


def _check(X: Sequence[Given]) -> None:
    for number, given in enumerate(X, 1):
        if len(given) not in (2, 3) or any(isinstance(side, str) for side in given[:2]):
            hint = "a pair is two lists of words, and perhaps links of aligners"
            raise InputError(f"pair {number} is no pair of sentences", hint=hint)
        if not (given[0] and given[1]):
            raise InputError(f"pair {number} has a side without words")


def _words(X: Iterable[Given]) -> list[tuple[Words, Words]]:
    return [(tuple(map(str, given[0])), tuple(map(str, given[1]))) for given in X]


def _pairs(X: Sequence[Given]) -> list[SentencePair]:
    """Pairs without links."""
    _check(X)
    return [SentencePair(*words) for words in _words(X)]


def _given(X: Sequence[Given]) -> dict[str, list[frozenset[Link]]]:
    """For every aligner that is looked at its links for every pair."""
    found: dict[str, list[frozenset[Link]]] = {}
    extra: list[Mapping[str, Collection[Link]]] = [given[2] if len(given) == 3 else {} for given in X]
    for name in dict.fromkeys(name for links in extra for name in links):
        missing = [number for number, links in enumerate(extra, 1) if name not in links]
        if missing:
            raise InputError(f"pair {missing[0]} has no links of aligner {name!r}, which others have")
        found[name] = [frozenset(links[name]) for links in extra]
    return found


def _labelled(X: Sequence[Given], y: Sequence[Gold]) -> list[SentencePair]:
    """Pairs with their gold links."""
    _check(X)
    if len(X) != len(y):
        raise InputError(
            f"{counted(len(X), 'pair')} and {len(y)} sets of links", hint="give one set of links a pair"
        )
    if not len(X):
        raise InputError("there are no sentence pairs to learn from")
    pairs = []
    for number, ((source, target), gold) in enumerate(zip(_words(X), y, strict=True), 1):
        sure, possible = _both(gold)
        pair = SentencePair(source, target, sure, possible - sure)
        for i, j in pair.sure | pair.possible:
            if not (0 <= i < len(source) and 0 <= j < len(target)):
                shape = f"{len(source)} and {counted(len(target), 'word')}"
                problem = f"pair {number}: link {(i, j)} lies outside its {shape}"
                raise InputError(problem, hint="words are counted from 0, the source word stands first")
        pairs.append(pair)
    return pairs


def _both(gold: Gold) -> tuple[frozenset[Link], frozenset[Link]]:
    """Sure and possible links."""
    if isinstance(gold, tuple) and len(gold) == 2:
        sure, possible = gold
        if isinstance(sure, AbstractSet) and isinstance(possible, AbstractSet):
            return frozenset(sure), frozenset(possible)
    links: list[Any] = list(gold)
    return frozenset((int(i), int(j)) for i, j in links), frozenset()
