"""Taggers by scikit-learn's contract: sentences in, tags out."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

import numpy as np

from advsp.corpora import runs, schemes
from advsp.corpora.tag_models import PREFIXES, TAG_MODELS, TagModel, as_modelled, tag_names
from advsp.engine.measures import measures
from advsp.engine.measures.base import Measure
from advsp.engine.settings import Engine
from advsp.estimators.description import begin_estimator, describe_estimator
from advsp.estimators.parameters import Parameters
from advsp.estimators.sentences import OUTSIDE, Features, Given, labelled, own_rows
from advsp.experiments.config import OptimiserConfig
from advsp.experiments.decisions import decide
from advsp.experiments.recipe import train
from advsp.learners.adversarial import Adversarial
from advsp.learners.base import Decoded, Learner
from advsp.learners.beginnings import beginnings
from advsp.learners.crf import CRF
from advsp.learners.trained_model import load_model
from advsp.metrics.counts import f_score
from advsp.metrics.joint import one_class_each
from advsp.metrics.token import token_counts
from advsp.support.arrays import Floats, Ints
from advsp.support.errors import InputError
from advsp.support.files import write_json
from advsp.support.records import Fields
from advsp.support.sections import build, describe
from advsp.support.words import counted
from advsp.training.instances import ChainInstances

#: Accuracy of the games that are decoded.
_TOLERANCE = 1e-6

T = TypeVar("T")


class Tagger(Parameters):
    """What all taggers have in common.

    Attributes
    ----------
    classes_: the labels that were learnt, an array of text; the classes of a scheme, or the tags themselves.
    """

    classes_: np.ndarray

    #: Parameters of every tagger.
    features: str
    scheme: str | None
    tags: str
    engine: str
    random_state: int

    # --- what kinds of taggers differ in ------------------------------------------------------------------

    @abstractmethod
    def _learner(self) -> Learner:
        """The learner with its options."""

    @abstractmethod
    def _optimiser(self) -> OptimiserConfig:
        """How it is trained."""

    @abstractmethod
    def score(self, X: Sequence[Given], y: Sequence[Sequence[str]]) -> float:
        """How well the tags of ``X`` are predicted, higher is better."""

    def _rule(self) -> Literal["mode", "marginal"]:
        """How classes are decided."""
        return "mode"

    def _plain_params(self) -> dict[str, Any]:
        """The parameters, for JSON."""
        return self.get_params()

    # --- the contract -------------------------------------------------------------------------------------

    def fit(self, X: Sequence[Given], y: Sequence[Sequence[str]]) -> Self:
        """Learn from sentences and their tags.

        Parameters
        ----------
        X: sentences; each a list of words, or of mappings of feature names to values, or of lists of names.
        y: their tags, as many as there are tokens.

        Raises
        ------
        InputError: sentences and tags that do not belong together, or tags that are not of the scheme.
        """
        _check(X, y)
        learner, optimiser = self._learner(), self._optimiser()
        labels = [label for tags in y for label in self._labels(tags)]
        found = sorted({*labels} - {OUTSIDE})
        if not found:
            raise InputError("there is nothing to learn: no token has a tag other than O")
        names = (*found, OUTSIDE) if OUTSIDE in labels else tuple(found)
        self._made = Features(self.features)
        bare = self._made.fit(X)
        tags, prefixes = self._modelled(names)
        if prefixes:
            labels = as_modelled([schemes.to_iob2(own, str(self.scheme)) for own in y], found, self._model())
        instances = labelled(bare, own_rows(bare, X), labels, tags, OUTSIDE, prefixes)
        self._known, self._models = names, []
        for group in learner.groups(found):
            engine = Engine(oracle=self.engine)
            self._models.append(
                train(learner, instances, group, optimiser=optimiser, engine=engine, seed=self.random_state)
            )
        self.classes_ = np.array(names)
        return self

    def predict(self, X: Sequence[Given]) -> list[list[str]]:
        """Tags of every sentence."""
        said, instances = self._said(X)
        flat = self._tags(said, instances.offsets)
        own = [flat[row] for row in own_rows(instances, X).tolist()]
        return _by_sentence(own, X)

    def predict_marginals(self, X: Sequence[Given]) -> list[list[dict[str, float]]]:
        """For every token of every sentence label to probability."""
        said, instances = self._said(X)
        rows = own_rows(instances, X)
        table = {label: what.marginal[rows].tolist() for label, what in said.items()}
        tokens = [dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)]
        return _by_sentence(tokens, X)

    # --- files --------------------------------------------------------------------------------------------

    def save(self, folder: str | Path) -> None:
        """Write what was learnt into a folder: JSON and npz; :func:`advsp.load` reads it again."""
        self._check_fitted()
        folder = Path(folder)
        begin_estimator(folder)
        write_json(folder / "features.json", self._made.state())
        for number, model in enumerate(self._models):
            model.save(folder / "models" / str(number))
        about = {"labels": list(self._known), "models": len(self._models)}
        describe_estimator(folder, type(self).__name__, self._plain_params(), about)

    def restore(self, folder: Path, about: Fields) -> Self:
        """Take up what :meth:`save` wrote, and was described so."""
        labels, models = about.texts("labels"), about.whole("models")
        state = Fields.of_file(folder / "features.json", "fit and save it anew").values()
        self._made = Features.from_state(self.features, dict(state))
        self._known, self.classes_ = labels, np.array(labels)
        self._models = [load_model(folder / "models" / str(number)) for number in range(models)]
        return self

    # --- labels and tags ----------------------------------------------------------------------------------

    def _labels(self, tags: Sequence[str]) -> list[str]:
        """The label of every tag of one sentence: its class by the scheme, or the tag itself."""
        if self.scheme is None:
            return list(tags)
        return [tag[2:] or OUTSIDE for tag in schemes.to_iob2(tags, self.scheme)]

    def _modelled(self, labels: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
        """The tags that the chain models for labels, and their prefixes."""
        model = self._model()
        return tag_names(labels, model), PREFIXES[model]

    def _model(self) -> TagModel:
        for model in TAG_MODELS:
            if self.tags == model:
                if model != "io" and self.scheme is None:
                    hint = "name the scheme of the tags, for example scheme='iob2'"
                    raise InputError(f"tags={model!r} are those of a scheme", hint=hint)
                return model
        raise InputError(f"tags={self.tags!r}, expected one of {', '.join(TAG_MODELS)}")

    def _said(self, X: Sequence[Given]) -> tuple[dict[str, Decoded], ChainInstances]:
        """What the models say of all labels, and the instances of the sentences."""
        self._check_fitted()
        # Nobody looks at their labels; the models ask which there are.
        tags, prefixes = self._modelled(self._known)
        instances = replace(self._made.transform(X), tag_names=tags, prefixes=prefixes)
        said: dict[str, Decoded] = {}
        for model in self._models:
            said |= model.decode(instances, _TOLERANCE)
        return said, instances

    def _tags(self, said: dict[str, Decoded], offsets: Ints) -> list[str]:
        """One tag a row, that of the strongest class that claims it; where there is no O, one always does."""
        names = list(said)
        claimed = {label: decide(what, self._rule()) for label, what in said.items()}
        if OUTSIDE not in self._known:
            none = ~np.any(list(claimed.values()), axis=0)
            claimed = {label: mask | none for label, mask in claimed.items()}
        marginals = {label: what.marginal for label, what in said.items()}
        masks = one_class_each(claimed, marginals, {}, None).masks
        found = runs.of_masks(masks, offsets, beginnings(said))
        if self.scheme is not None:
            return runs.to_tags(found, names, offsets, self.scheme)
        return [names[number] if number >= 0 else OUTSIDE for number in found.classes.tolist()]

    def _check_fitted(self) -> None:
        if not hasattr(self, "classes_"):
            raise InputError(f"this {type(self).__name__} is not fitted yet", hint="call fit first")


class CrfTagger(Tagger):
    """A linear-chain conditional random field.

    Parameters
    ----------
    algorithm: ``lbfgs``, the one there is.
    c1: weight of the L1 penalty, sum of c1 abs(w).
    c2: weight of the L2 penalty, sum of c2 w².
    max_iterations: most iterations of L-BFGS.
    all_possible_states, all_possible_transitions: True, as the model has a weight for every feature and label
        and for every pair of labels.
    features: preset that words are given features by; tokens that are features themselves do without.
    scheme: ``iob1``, ``iob2`` (``bio``), ``bioes`` or ``io`` to learn classes of entities; None to learn the
        tags as they are.
    tags: what the chain models of a scheme: ``io``, or ``bio`` and ``bioes``, which part neighbours.
    engine: ``auto``, ``compiled`` or ``numpy``.
    random_state: seed.

    Examples
    --------
    >>> sentences, tags = [["Oslo", "shines"], ["he", "shines"]], [["LOC", "O"], ["O", "O"]]
    >>> tagger = CrfTagger(max_iterations=20).fit(sentences, tags)
    >>> tagger.predict([["Oslo", "shines"]])
    [['LOC', 'O']]
    """

    def __init__(
        self,
        algorithm: str = "lbfgs",
        c1: float = 0.0,
        c2: float = 0.5,
        max_iterations: int = 500,
        all_possible_states: bool = True,
        all_possible_transitions: bool = True,
        features: str = "stanford",
        scheme: str | None = None,
        tags: str = "io",
        engine: str = "auto",
        random_state: int = 1,
    ) -> None:
        self.algorithm = algorithm
        self.c1 = c1
        self.c2 = c2
        self.max_iterations = max_iterations
        self.all_possible_states = all_possible_states
        self.all_possible_transitions = all_possible_transitions
        self.features = features
        self.scheme = scheme
        self.tags = tags
        self.engine = engine
        self.random_state = random_state

    def _learner(self) -> Learner:
        return CRF(start="own")

    def _optimiser(self) -> OptimiserConfig:
        if self.algorithm != "lbfgs":
            raise InputError(f"algorithm={self.algorithm!r}, expected 'lbfgs'")
        for name in ("all_possible_states", "all_possible_transitions"):
            if not getattr(self, name):
                raise InputError(f"the model has weights for all of them, seen or not: {name}=True")
        options = {"name": "lbfgs", "passes": 1, "iterations": self.max_iterations, "l2": 2.0 * self.c2}
        if self.c1:
            options["l1"] = float(self.c1)
        return OptimiserConfig.model_validate(options)

    @property
    def state_features_(self) -> dict[tuple[str, str], float]:
        """Name of a feature and tag to their weight, where it is not 0."""
        node, _ = self._tables()
        rows, columns = np.nonzero(node)
        names, tags = self._made.names(), self._modelled(self._known)[0]
        return {
            (names[row], tags[column]): float(node[row, column])
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        }

    @property
    def transition_features_(self) -> dict[tuple[str, str], float]:
        """Pair of tags to its weight; where pairs have features, as words give them, to their sum."""
        _, edge = self._tables()
        tags = self._modelled(self._known)[0]
        sums = edge.sum(axis=0)[len(tags) :].reshape(len(tags), len(tags))
        return {
            (before, tag): float(sums[row, column])
            for row, before in enumerate(tags)
            for column, tag in enumerate(tags)
        }

    def _tables(self) -> tuple[Floats, Floats]:
        """Weights of the node features [F, m], and of the edge features [F', m + m * m], START first."""
        self._check_fitted()
        (model,) = self._models
        tags = len(self._modelled(self._known)[0])
        split = len(self._made.names()) * tags
        return model.weights[:split].reshape(-1, tags), model.weights[split:].reshape(-1, tags + tags * tags)

    def score(self, X: Sequence[Given], y: Sequence[Sequence[str]]) -> float:
        """Share of the tokens that are given the right tag."""
        pairs = [
            (a, b)
            for said, true in zip(self.predict(X), y, strict=True)
            for a, b in zip(said, true, strict=True)
        ]
        return float(np.mean([a == b for a, b in pairs]))


class AdversarialTagger(Tagger):
    """A tagger trained for the measure it is judged by, F1 of every class unless another one is named.

    Parameters
    ----------
    measure: name of a registered measure, or that and its options as in YAML,
        ``{"name": "fbeta", "beta": 2}``, or a measure itself.
    passes, step: passes of online AdaGrad, and its first step.
    l2: weight of the L2 penalty, l2 / 2 times the sum of w².
    rule: ``mode``, the most probable strategy, or ``marginal``, what is more probable than not.
    share: one model for all classes instead of one a class.
    features: preset that words are given features by; tokens that are features themselves do without.
    scheme: ``iob1``, ``iob2`` (``bio``), ``bioes`` or ``io`` to learn classes of entities; None to learn the
        tags as they are, each but O a class.
    tags: what the chain models of a scheme: ``io``, or ``bio`` and ``bioes``, which part neighbours.
    engine: ``auto``, ``compiled`` or ``numpy``.
    random_state: seed of the order of the sentences.

    Examples
    --------
    >>> sentences, tags = [["Oslo", "shines"], ["he", "shines"]], [["LOC", "O"], ["O", "O"]]
    >>> tagger = AdversarialTagger(passes=5).fit(sentences, tags)
    >>> tagger.predict([["Oslo", "shines"]])
    [['LOC', 'O']]
    """

    def __init__(
        self,
        measure: str | Mapping[str, Any] | Measure = "fbeta",
        passes: int = 15,
        step: float = 0.1,
        l2: float = 0.0,
        rule: Literal["mode", "marginal"] = "mode",
        share: bool = False,
        features: str = "stanford",
        scheme: str | None = None,
        tags: str = "io",
        engine: str = "auto",
        random_state: int = 1,
    ) -> None:
        self.measure = measure
        self.passes = passes
        self.step = step
        self.l2 = l2
        self.rule = rule
        self.share = share
        self.features = features
        self.scheme = scheme
        self.tags = tags
        self.engine = engine
        self.random_state = random_state

    def _learner(self) -> Learner:
        measure = self.measure
        if isinstance(measure, str | Mapping):
            measure = build(measures, {"name": measure} if isinstance(measure, str) else measure)
        return Adversarial(measure=measure, share=self.share)

    def _plain_params(self) -> dict[str, Any]:
        measure = self.measure
        named = measure if isinstance(measure, str | Mapping) else describe(measures, measure)
        return {**self.get_params(), "measure": named}

    def _optimiser(self) -> OptimiserConfig:
        options = {"name": "adagrad", "passes": self.passes, "step": self.step, "l2": self.l2}
        return OptimiserConfig.model_validate({**options, "average": "iterates"})

    def _rule(self) -> Literal["mode", "marginal"]:
        return self.rule

    def score(self, X: Sequence[Given], y: Sequence[Sequence[str]]) -> float:
        """Mean over the classes of the F1 of their tokens."""
        sides = self.predict(X), y
        said, true = (np.array([label for tags in side for label in self._labels(tags)]) for side in sides)
        everything = np.array([0, len(true)])
        counts = [
            token_counts(said == label, true == label, everything)[0]
            for label in self._known
            if label != OUTSIDE
        ]
        return float(np.mean([f_score(*found) for found in counts]))


def _by_sentence(tokens: Sequence[T], X: Sequence[Given]) -> list[list[T]]:
    """What stands for all tokens, one list a sentence."""
    left = iter(tokens)
    return [list(islice(left, len(sentence))) for sentence in X]


def _check(X: Sequence[Given], y: Sequence[Sequence[str]]) -> None:
    """Sentences and tags must belong together."""
    if len(X) != len(y):
        problem = f"{counted(len(X), 'sentence')} and {counted(len(y), 'list')} of tags"
        raise InputError(problem, hint="give one list of tags a sentence")
    if not len(X):
        raise InputError("there are no sentences to learn from")
    for number, (sentence, tags) in enumerate(zip(X, y, strict=True), 1):
        if isinstance(sentence, str):
            hint = "a sentence is a list of words"
            raise InputError(f"sentence {number} is a text", hint=hint)
        if len(sentence) != len(tags):
            raise InputError(
                f"sentence {number} has {counted(len(sentence), 'token')} and {counted(len(tags), 'tag')}"
            )
