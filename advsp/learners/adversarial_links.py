"""Adversarial word alignment: the alignment error rate, or additive costs over matchings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from annotated_types import Ge, Gt

from advsp.engine.measures import measures
from advsp.engine.measures.additive import DEFAULT_COST, Additive, Outcome
from advsp.engine.measures.aer import AlignmentAccuracy
from advsp.engine.measures.base import Measure
from advsp.engine.settings import Engine
from advsp.engine.structures import structures
from advsp.engine.structures.base import LinkStructure, answers
from advsp.engine.structures.link_kinds import links_named
from advsp.learners import learners
from advsp.learners.base import Decoded
from advsp.learners.edge_learner import EdgeLearner
from advsp.learners.edge_losses import links_game_loss
from advsp.learners.game_loss import GameLoss
from advsp.support.arrays import Floats
from advsp.support.errors import InputError
from advsp.support.markers import FromRegistry, NameIn
from advsp.support.progress import Progress, no_progress
from advsp.training.edge_model import EdgeModel, LengthScale, Possible, PossibleFeatures
from advsp.training.instances import EdgeInstances


@learners.register("adversarial-links")
@dataclass(frozen=True)
class AdversarialLinks(EdgeLearner):
    """One game per sentence pair.

    Attributes
    ----------
    structure: a registered structure of links; ``"independent"`` is any set of them (ADV_aer), ``"matching"``
        bipartite matchings (ADV_bip), ``"column-chain"`` no link of a target word, one, or two to words
        side by side, where steps from one target word to the next have potentials.
    possible: ``"label"`` lets the adversary play S, P and N, ``"ignore"`` S and N, possible links left out.
    possible_features: the features that P has weights for.
    cost: of matchings, see :class:`~advsp.engine.measures.additive.Additive`; those not given keep their
        defaults.
    scale: whether a pair's features are divided by its length.
    warm: keep the strategies of a game from pass to pass.
    measure: what is played, any registered measure that the structure answers; where none is given, 1 - AER
        over any set of links, and additive costs over matchings.
    bias: value of the bias feature, 1 if not given; at 10 L2 hardly shrinks the bias, at 100 not at all.
    """

    structure: Annotated[str, NameIn(structures)] = "independent"
    possible: Possible = "label"
    possible_features: PossibleFeatures = "all"
    cost: Mapping[Outcome, Annotated[float, Ge(0)]] = field(default_factory=lambda: dict(DEFAULT_COST))
    scale: LengthScale = "none"
    warm: bool = False
    measure: Annotated[Measure, FromRegistry(measures)] | None = None
    bias: Annotated[float, Gt(0)] | None = None

    def __post_init__(self) -> None:
        if not answers(self._structure, self._measure.on_links().by_count):
            raise InputError(
                f"a {self.structure} structure has no best response to that measure",
                key="measure.name",
                hint="choose additive for matchings, any other for independent links and column chains",
            )

    def model(self, instances: EdgeInstances) -> EdgeModel:
        return EdgeModel(
            instances, self.possible, self.possible_features, self.scale, self.bias, self._structure
        )

    def loss(self, model: EdgeModel, classes: Sequence[str], engine: Engine) -> GameLoss:
        return links_game_loss(model, engine, self._structure, self._measure, self.warm)

    def games(self, model: EdgeModel, classes: Sequence[str], engine: Engine) -> GameLoss:
        return links_game_loss(model, engine, self._structure, self._measure, training=False)

    @property
    def _structure(self) -> type[LinkStructure]:
        return links_named(self.structure)

    @property
    def _measure(self) -> Measure:
        if self.measure is not None:
            return self.measure
        return AlignmentAccuracy() if answers(self._structure, by_count=True) else Additive(self.cost)

    def decode(
        self,
        model: EdgeModel,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """Solve every pair's game exactly, whatever oracle was trained with.

        The marginals of matchings are those on the matching of most expected links, and 0 elsewhere, so
        that links above any threshold are a matching.
        """
        loss = self.games(model, classes, engine.exact())
        mode, marginal, _ = loss.decode(0, model.all_potentials(weights), tolerance, progress)
        for example in range(model.examples):
            rows = model.rows(example)
            marginal[rows] = self._structure.within(marginal[rows], model.instances.shape(example))
        return {name: Decoded(mode, marginal) for name in classes}
