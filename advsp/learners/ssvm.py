"""Max-margin links, the paper's baseline for word alignment (Taskar, Lacoste-Julien & Klein, 2005)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge, Gt
from scipy.special import expit

from advsp.engine.measures.roles import S
from advsp.engine.settings import Engine
from advsp.engine.structures import structures
from advsp.engine.structures.link_kinds import links_named
from advsp.learners import learners
from advsp.learners.base import Decoded
from advsp.learners.edge_learner import EdgeLearner
from advsp.learners.edge_losses import LinksHingeLoss, gold_links
from advsp.support.arrays import Floats
from advsp.support.markers import NameIn
from advsp.support.progress import Progress, no_progress
from advsp.training.edge_model import EdgeModel, LengthScale
from advsp.training.instances import EdgeInstances


@learners.register("ssvm")
@dataclass(frozen=True)
class StructuredSVM(EdgeLearner):
    """Margin rescaling with a weighted Hamming loss, over bipartite matchings unless said otherwise.

    Attributes
    ----------
    false_negative, false_positive: cost of a missed and of a wrong link.
    structure: a registered structure of links.
    possible: ``"ignore"`` leaves links that are possible only out of training, ``"positive"`` takes them
        for gold links.
    scale: whether a pair's features are divided by its length.
    bias: value of the bias feature, 1 if not given; at 10 L2 hardly shrinks the bias, at 100 not at all.
    """

    false_negative: Annotated[float, Ge(0)] = 3.0
    false_positive: Annotated[float, Ge(0)] = 1.0
    structure: Annotated[str, NameIn(structures)] = "matching"
    possible: Literal["ignore", "positive"] = "ignore"
    scale: LengthScale = "none"
    bias: Annotated[float, Gt(0)] | None = None

    probabilistic = False

    def __post_init__(self) -> None:
        links_named(self.structure)

    def model(self, instances: EdgeInstances) -> EdgeModel:
        kind = links_named(self.structure)
        return EdgeModel(instances, "ignore", scale=self.scale, bias=self.bias, kind=kind)

    def loss(self, model: EdgeModel, classes: Sequence[str], engine: Engine) -> LinksHingeLoss:
        positive = gold_links(model, self.possible == "positive")
        return LinksHingeLoss(model, positive, self.false_negative, self.false_positive)

    def decode(
        self,
        model: EdgeModel,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """The best labelling; the marginal of its links is the logistic function of their potentials.

        A margin has no probabilities: the marginal orders links and stays below 1/2 outside the labelling.
        """
        potentials = model.all_potentials(weights)
        mode = np.zeros(len(potentials), dtype=bool)
        for example in range(model.examples):
            rows = model.rows(example)
            mode[rows] = model.layout.structure(example, potentials[rows]).best() == S
            progress(1)
        marginal = np.where(mode, expit(potentials[:, 0]), 0.0)
        return {name: Decoded(mode, marginal) for name in classes}
