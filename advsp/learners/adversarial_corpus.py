"""Adversarial prediction of the F-score of the whole corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt, Interval

from advsp.engine.backends.opening import open_backend
from advsp.engine.settings import Engine
from advsp.learners import learners
from advsp.learners.chain_learner import ChainLearner
from advsp.learners.corpus_game import CorpusGameLoss
from advsp.learners.tag_costs import class_numbers
from advsp.support.arrays import Floats
from advsp.support.errors import InputError
from advsp.training.chain_model import ChainModel, Start
from advsp.training.instances import ChainInstances

#: The F-score that ``f: updated`` begins with.
_FIRST = 0.8

#: What a class is played for beside others, of one class or of every one by its name.
Balance = Literal["uniform", "inverse"] | dict[str, Annotated[float, Ge(0)]]


@learners.register("adversarial-corpus")
@dataclass(frozen=True)
class AdversarialCorpus(ChainLearner):
    """One game over all sentences and classes, see :mod:`advsp.learners.corpus_game`.

    One model has all classes; it decides by the chain's own distribution, without the game's charges.

    Attributes
    ----------
    weight: what is played for beside the log-loss; 0 is the conditional random field.
    balance: part of it that each class has: ``"uniform"``, ``"inverse"`` to its number of training tokens
        with a mean of 1, or numbers by name.
    f: the F-score at which the score of a class is made linear, or ``"updated"``: what the marginals of the
        pass before give, from 0.8 on.
    beta: weight of recall against precision in the F-score.
    start: what stands before the first token.
    """

    weight: Annotated[float, Ge(0)] = 1.0
    balance: Balance = "uniform"
    f: Annotated[float, Interval(gt=0, lt=1)] | Literal["updated"] = _FIRST
    beta: Annotated[float, Gt(0)] = 1.0
    start: Start = "own"

    def model(self, instances: ChainInstances) -> ChainModel:
        return ChainModel(instances, self.start)

    def seen(self, instances: ChainInstances, classes: Sequence[str]) -> AdversarialCorpus:
        return replace(self, balance=self._balance(instances, classes))

    def loss(self, model: ChainModel, classes: Sequence[str], engine: Engine) -> CorpusGameLoss:
        balance = self._balance(model.instances, classes)
        stakes: Floats = self.weight * np.array([balance[label] for label in classes])
        return CorpusGameLoss(
            model,
            class_numbers(model.instances, classes),
            stakes,
            np.full(len(classes), _FIRST if self.f == "updated" else self.f),
            self.beta,
            self.f == "updated",
            open_backend(engine),
        )

    def _balance(self, instances: ChainInstances, classes: Sequence[str]) -> dict[str, float]:
        """The part of every class.

        Raises
        ------
        InputError: numbers by name leave out a class, or name another.
        """
        if isinstance(self.balance, Mapping):
            if set(self.balance) != set(classes):
                problem = f"names {', '.join(self.balance)}, and the classes are {', '.join(classes)}"
                raise InputError(problem, key="balance")
            return dict(self.balance)
        if self.balance == "uniform":
            return dict.fromkeys(classes, 1.0)
        counts = np.array([max(1, int(instances.is_of(label).sum())) for label in classes])
        parts = (1.0 / counts) / np.mean(1.0 / counts)
        return dict(zip(classes, parts.tolist(), strict=True))
