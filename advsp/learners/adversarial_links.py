"""Adversarial word alignment: the alignment error rate, or additive costs over matchings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge

from advsp.engine.game import DEFAULT_COST
from advsp.engine.settings import Engine, exact_engine
from advsp.learners import learners
from advsp.learners.base import Decoded
from advsp.learners.edge_learner import EdgeLearner
from advsp.learners.edge_losses import EdgeGameLoss, Structure, best_matching
from advsp.support.progress import Progress, no_progress
from advsp.training.edge_model import EdgeModel, LengthScale, Possible, PossibleFeatures
from advsp.training.instances import EdgeInstances

#: What the predictor has, A or N, and the adversary, S, P or N.
Outcome = Literal["AN", "AP", "AS", "NN", "NP", "NS"]


@learners.register("adversarial-links")
@dataclass(frozen=True)
class AdversarialLinks(EdgeLearner):
    """One game per sentence pair.

    Attributes
    ----------
    structure: ``"independent"`` plays 1 - AER over any set of links (ADV_aer), ``"matching"`` additive
        costs over bipartite matchings (ADV_bip).
    possible: ``"label"`` lets the adversary play S, P and N, ``"ignore"`` S and N, possible links left out.
    possible_features: the features that P has weights for.
    cost: of matchings, see :class:`~advsp.engine.game.MatchingGame`; those not given keep their defaults.
    scale: whether a pair's features are divided by its length.
    warm: keep the strategies of a game from pass to pass.
    """

    structure: Structure = "independent"
    possible: Possible = "label"
    possible_features: PossibleFeatures = "all"
    cost: dict[Outcome, Annotated[float, Ge(0)]] = field(default_factory=lambda: dict(DEFAULT_COST))
    scale: LengthScale = "none"
    warm: bool = False

    def model(self, instances: EdgeInstances) -> EdgeModel:
        return EdgeModel(instances, self.possible, self.possible_features, self.scale)

    def loss(self, model: EdgeModel, classes: Sequence[str], engine: Engine) -> EdgeGameLoss:
        return EdgeGameLoss(model, engine, self.structure, self.cost, self.warm)

    def decode(
        self,
        model: EdgeModel,
        weights: np.ndarray,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """Solve every pair's game exactly, whatever oracle was trained with.

        The marginals of matchings are those on the matching of most expected links, and 0 elsewhere, so
        that links above any threshold are a matching.
        """
        loss = EdgeGameLoss(model, exact_engine(engine), self.structure, self.cost, training=False)
        mode, marginal = loss.decode(0, model.all_potentials(weights), tolerance, progress)
        if self.structure == "matching":
            for example in range(model.examples):
                rows = model.rows(example)
                marginal[rows] *= best_matching(marginal[rows], tuple(model.instances.shapes[example]))
        return {name: Decoded(mode, marginal) for name in classes}
