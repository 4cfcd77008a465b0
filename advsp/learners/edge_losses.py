"""The losses of word alignment, each a function of the potentials of a pair's edges."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np

from advsp.engine import compiled as fused
from advsp.engine.game import AerGame, Game, MatchingGame
from advsp.engine.measures.aer import AlignmentAccuracy, S
from advsp.engine.measures.base import AdditiveCosts
from advsp.engine.mixture import Mixture
from advsp.engine.oracles import oracles
from advsp.engine.settings import Engine
from advsp.engine.structures.matching import BipartiteMatching
from advsp.learners.game_loss import GameLoss
from advsp.support.arrays import plain
from advsp.support.progress import Progress, no_progress
from advsp.training.edge_model import EdgeModel
from advsp.training.linear import LinearModel
from advsp.training.objective import Loss, LossValue

Structure = Literal["independent", "matching"]


def edge_game(
    model: EdgeModel,
    example: int,
    potentials: np.ndarray,
    structure: Structure,
    cost: Mapping[str, float] | None = None,
    training: bool = False,
) -> Game:
    """The game of one pair at its table of potentials [n, w].

    Parameters
    ----------
    structure: ``"independent"`` plays 1 - AER, ``"matching"`` additive costs over matchings.
    cost: see :class:`~advsp.engine.game.MatchingGame`.
    training: rule out links on the edges that training leaves out.
    """
    full = model.edge_potentials(potentials, model.ignored(example) if training else None)
    sure, possible = full[:, 0], full[:, 1]
    if structure == "independent":
        return AerGame(sure, possible)
    return MatchingGame(sure, possible, tuple(model.instances.shapes[example]), cost)


class EdgeGameLoss(GameLoss):
    """The adversarial loss of a sentence pair; parameters as for :func:`edge_game`."""

    def __init__(
        self,
        model: EdgeModel,
        engine: Engine,
        structure: Structure,
        cost: Mapping[str, float] | None = None,
        warm: bool = True,
        training: bool = True,
    ) -> None:
        super().__init__(model, engine, warm)
        self.structure, self.cost, self.training = structure, cost, training
        self._kernel = self._compile() if engine.compiled and structure == "independent" else None

    def games(self, example: int, potentials: np.ndarray) -> list[Game]:
        return [edge_game(self.model, example, potentials, self.structure, self.cost, self.training)]

    def kernel(self) -> NamedTuple | None:
        return self._kernel

    def _compile(self) -> NamedTuple | None:
        from advsp.kernels.losses import EdgeGames

        model, examples = self.model, range(self.model.examples)
        if not oracles.get(self.engine.oracle).exact:
            return None
        gold = np.concatenate([model.gold(example) for example in examples])
        ignored = np.concatenate([model.ignored(example) & self.training for example in examples])
        score = fused.ratio(AlignmentAccuracy())
        return EdgeGames(
            plain(model.offsets, int), gold, ignored, model.width, score, self.engine.max_iterations
        )

    def start(self, model: EdgeModel) -> tuple[np.ndarray, np.ndarray]:
        moments, gains = super().start(model)
        for example in range(model.examples):
            rows, labels = model.rows(example), model.gold(example)
            if self.structure == "matching":
                labels = labels * nearest_matching(labels, tuple(model.instances.shapes[example]))
                started = model.moments(labels[None, :], np.ones(1))
                moments[rows] = started - model.gold_moments(example)
            game = edge_game(model, example, np.zeros_like(moments[rows]), self.structure, self.cost)
            gains[example] = game.predictor_response(Mixture.pure(labels))[1]
        return moments, gains


class EdgeLogLoss(Loss):
    """Multinomial logistic regression of every edge's label: log sum exp of its potentials less the gold.

    Edges that training leaves out contribute nothing.
    """

    def __init__(self, model: EdgeModel) -> None:
        self.model = model
        examples = range(model.examples)
        self._gold = np.concatenate([model.gold_moments(example) for example in examples])
        self._kept = ~np.concatenate([model.ignored(example) for example in examples])

    def evaluate(self, example: int, potentials: np.ndarray, tolerance: float) -> LossValue:
        rows = self.model.rows(example)
        return self._value(potentials, self._gold[rows], self._kept[rows])

    def evaluate_all(
        self, model: LinearModel, potentials: np.ndarray, tolerance: float, progress: Progress = no_progress
    ) -> tuple[float, float, np.ndarray]:
        value = self._value(potentials, self._gold, self._kept)
        progress(model.examples)
        return value.attained, value.bound, value.moments

    @staticmethod
    def _value(potentials: np.ndarray, gold: np.ndarray, kept: np.ndarray) -> LossValue:
        probabilities, normaliser = label_probabilities(potentials)
        loss = float(((normaliser - (gold * potentials).sum(axis=1)) * kept).sum())
        return LossValue(loss, loss, (probabilities - gold) * kept[:, None])


def label_probabilities(potentials: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities [n, w] and log-normalisers [n] of labels with potentials [n, w]; that of N is 0."""
    top = np.maximum(potentials.max(axis=1), 0.0)
    weights = np.exp(potentials - top[:, None])
    total = weights.sum(axis=1) + np.exp(-top)
    return weights / total[:, None], top + np.log(total)


class MatchingHingeLoss(Loss):
    """Max-margin matching (Taskar, Lacoste-Julien & Klein, 2005).

    loss = max over matchings y of cost(y, gold) + psi(y), less psi(gold); cost is the weighted Hamming
    loss.  The maximum is an assignment problem, so the loss is exact.

    Parameters
    ----------
    model: with possible links ignored, or not a label.
    false_negative, false_positive: cost of a missed and of a wrong link.
    positive: bool [T], the gold links; edges that training leaves out are not offered.
    """

    def __init__(
        self, model: EdgeModel, positive: np.ndarray, false_negative: float = 3.0, false_positive: float = 1.0
    ) -> None:
        self.model, self.positive = model, positive
        self.false_negative, self.false_positive = false_negative, false_positive

    def start(self, model: EdgeModel) -> tuple[np.ndarray, np.ndarray]:
        moments, gains = super().start(model)
        for example in range(model.examples):
            rows = model.rows(example)
            gold = self.positive[rows]
            missed = gold & ~nearest_matching(gold, tuple(model.instances.shapes[example]))
            moments[rows, 0] = -missed.astype(float)
            gains[example] = -self.false_negative * missed.sum()
        return moments, gains

    def evaluate(self, example: int, potentials: np.ndarray, tolerance: float) -> LossValue:
        rows = self.model.rows(example)
        gold = self.positive[rows].astype(float)
        shape = tuple(self.model.instances.shapes[example])
        gain = potentials[:, 0] + np.where(gold > 0, -self.false_negative, self.false_positive)
        gain[self.model.ignored(example) & (gold == 0)] = -np.inf
        links = best_matching(gain, shape).astype(float)
        augmented = self.false_negative * gold.sum() + float(gain[links > 0].sum())
        loss = augmented - float(gold @ potentials[:, 0])
        return LossValue(loss, loss, (links - gold)[:, None])


def best_matching(gain: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """The matching of highest total gain, bool [n]; links without gain are left out."""
    structure = BipartiteMatching(np.stack([np.zeros_like(gain), gain], axis=1), shape)
    return structure.respond_additive(AdditiveCosts(np.zeros((len(gain), 2)))).labelling == 1


def nearest_matching(labels: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """The links of highest labels in all, bool [n], that are a matching inside ``labels`` int [n]."""
    return best_matching(labels.astype(float), shape)


def gold_links(model: EdgeModel, possible_as_positive: bool) -> np.ndarray:
    """The gold links of all pairs, bool [T]: sure ones, and possible ones where asked for."""
    labels = model.instances.labels
    return labels >= 1 if possible_as_positive else labels == S
