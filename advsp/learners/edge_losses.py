"""The losses of word alignment, each a function of the potentials of a pair's edges."""

from __future__ import annotations

import numpy as np

from advsp.engine.backends.base import Evaluation
from advsp.engine.backends.opening import open_backend
from advsp.engine.game import Game, GameSpec
from advsp.engine.measures.base import AdditiveCosts, Measure
from advsp.engine.measures.roles import N, S
from advsp.engine.settings import Engine
from advsp.engine.structures.base import LinkStructure
from advsp.learners.game_loss import GameLoss
from advsp.support.arrays import Bools, Floats, Labels
from advsp.support.progress import Progress, no_progress
from advsp.training.edge_model import EdgeModel
from advsp.training.objective import LossOf, LossValue


def links_spec(
    model: EdgeModel, structure: type[LinkStructure], measure: Measure, training: bool = False
) -> GameSpec:
    """The game of every pair.

    Parameters
    ----------
    structure: of the links, for both players.
    measure: of links.
    training: rule out links on the edges that training leaves out.
    """
    layout = model.layout_of(structure, model.ignored() if training else None)
    return GameSpec(measure.on_links(), layout)


def links_game(
    model: EdgeModel,
    example: int,
    potentials: Floats,
    structure: type[LinkStructure],
    measure: Measure,
    training: bool = False,
) -> Game:
    """The game of one pair at its table of potentials [n, w]; the rest as for :func:`links_spec`."""
    return links_spec(model, structure, measure, training).game(example, potentials)


def links_game_loss(
    model: EdgeModel,
    engine: Engine,
    structure: type[LinkStructure],
    measure: Measure,
    warm: bool = True,
    training: bool = True,
) -> GameLoss:
    """The adversarial loss of sentence pairs; parameters as for :func:`links_spec`."""
    spec = links_spec(model, structure, measure, training)
    return GameLoss(model, [spec], open_backend(engine), warm)


class EdgeLogLoss(LossOf[EdgeModel]):
    """Multinomial logistic regression of every edge's label: log sum exp of its potentials less the gold.

    Edges that training leaves out contribute nothing, and so do steps.
    """

    def __init__(self, model: EdgeModel) -> None:
        super().__init__(model)
        self._gold = np.concatenate([model.gold_moments(example) for example in range(model.examples)])
        self._kept = ~model.ignored()

    def evaluate(self, example: int, potentials: Floats, tolerance: float) -> LossValue:
        rows = self.model.rows(example)
        return self._value(potentials, self._gold[rows], self._kept[rows], self.model.label_width)

    def evaluate_all(
        self, potentials: Floats, tolerance: float, progress: Progress = no_progress
    ) -> Evaluation:
        value = self._value(potentials, self._gold, self._kept, self.model.label_width)
        progress(self.model.examples)
        return value.attained, value.bound, value.moments

    @staticmethod
    def _value(potentials: Floats, gold: Floats, kept: Bools, width: int) -> LossValue:
        of_labels, gold = potentials[:, :width], gold[:, :width]
        probabilities, normaliser = label_probabilities(of_labels)
        loss = float(((normaliser - (gold * of_labels).sum(axis=1)) * kept).sum())
        moments = np.zeros_like(potentials)
        moments[:, :width] = (probabilities - gold) * kept[:, None]
        return LossValue(loss, loss, moments)


def label_probabilities(potentials: Floats) -> tuple[Floats, Floats]:
    """Probabilities [n, w] and log-normalisers [n] of labels with potentials [n, w]; that of N is 0."""
    top = np.maximum(potentials.max(axis=1), 0.0)
    weights = np.exp(potentials - top[:, None])
    total = weights.sum(axis=1) + np.exp(-top)
    return weights / total[:, None], top + np.log(total)


class LinksHingeLoss(LossOf[EdgeModel]):
    """Max-margin over the model's structure of links; matchings: Taskar, Lacoste-Julien & Klein, 2005.

    loss = max over labellings y of cost(y, gold) + psi(y), less psi(gold); cost is the weighted Hamming
    loss.  The maximum is the structure's own additive best response, so the loss is exact.

    Parameters
    ----------
    model: with possible links ignored, or not a label.
    false_negative, false_positive: cost of a missed and of a wrong link.
    positive: bool [T], the gold links; edges that training leaves out are not offered.
    """

    def __init__(
        self,
        model: EdgeModel,
        positive: Bools,
        false_negative: float = 3.0,
        false_positive: float = 1.0,
    ) -> None:
        super().__init__(model)
        self.positive = positive
        self.false_negative, self.false_positive = false_negative, false_positive
        self._gold = np.where(positive, S, N).astype(np.int8)
        self._layout = model.layout_of(model.kind, model.ignored() & ~positive)

    def start(self) -> tuple[Floats, Floats]:
        moments, gains = super().start()
        for example in range(self.model.examples):
            rows = self.model.rows(example)
            begun = self._layout.structure(example, moments[rows]).nearest(self._gold[rows])
            moments[rows] = self._beyond_gold(example, begun)
            gains[example] = -self.false_negative * (self.positive[rows] & (begun == N)).sum()
        return moments, gains

    def evaluate(self, example: int, potentials: Floats, tolerance: float) -> LossValue:
        positive = self.positive[self.model.rows(example)]
        costs = np.zeros((len(potentials), self._layout.labels))
        costs[positive, N] = -self.false_negative
        costs[~positive, S] = -self.false_positive
        worst = self._layout.structure(example, potentials).respond_additive(AdditiveCosts(costs)).labelling
        moments = self._beyond_gold(example, worst)
        loss = float(np.vdot(moments, potentials) - costs[np.arange(len(costs)), worst].sum())
        return LossValue(loss, loss, moments)

    def _beyond_gold(self, example: int, labelling: Labels) -> Floats:
        """Statistics [n, w] of a labelling less those of the gold links."""
        gold = self._gold[self.model.rows(example)]
        return self._layout.moments(example, np.stack([labelling, gold]), np.array([1.0, -1.0]))


def gold_links(model: EdgeModel, possible_as_positive: bool) -> Bools:
    """The gold links of all pairs, bool [T]: sure ones, and possible ones where asked for."""
    labels = model.instances.labels
    return labels >= 1 if possible_as_positive else labels == S
