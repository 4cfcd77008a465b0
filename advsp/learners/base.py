"""The contract of a learner: its model, which classes it learns together, its loss, and how it decodes.

All learners share one training loop; a learner adds a linear model of the instances, a loss and a decoder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from advsp.engine.settings import Engine
from advsp.learners.game_loss import GameLoss
from advsp.support.arrays import Bools, Floats
from advsp.support.equality import equal_by_value
from advsp.support.progress import Progress, no_progress
from advsp.training.instances import Instances
from advsp.training.linear import LinearModel
from advsp.training.objective import Loss

InstancesT = TypeVar("InstancesT", bound=Instances)
ModelT = TypeVar("ModelT", bound=LinearModel)


@equal_by_value
@dataclass(frozen=True)
class Decoded:
    """What a learner says about one class, position by position.

    Attributes
    ----------
    mode: bool [T], the learner's own decision.
    marginal: float [T], probability of the class.
    begins: bool [T], whether an entity begins at a position, if the class is there; None where the tags of
        the class do not say so.
    """

    mode: Bools
    marginal: Floats
    begins: Bools | None = None


class LearnerOf(ABC, Generic[InstancesT, ModelT]):
    """A way to learn from one kind of instances by one kind of model, and to decode.

    Subclasses are dataclasses of their options.

    Attributes
    ----------
    task: the task it is made for, ``"tagging"`` or ``"alignment"``.
    probabilistic: whether its marginals are probabilities, so that thresholds on them make sense.
    has_log_loss: whether :meth:`log_loss` can be asked for.
    whole: whether it must have all that it is trained on in one place.
    """

    task: ClassVar[str]
    probabilistic: ClassVar[bool] = True
    has_log_loss: ClassVar[bool] = False
    whole: ClassVar[bool] = False

    @abstractmethod
    def model(self, instances: InstancesT) -> ModelT:
        """The linear map from weights to the potentials of instances, to train on or to decode."""

    def groups(self, classes: Sequence[str]) -> list[tuple[str, ...]]:
        """The classes that are learnt together, one model a group: all, unless a learner says otherwise."""
        return [tuple(classes)]

    def seen(self, instances: InstancesT, classes: Sequence[str]) -> LearnerOf[InstancesT, ModelT]:
        """The same with what it takes from all that it is trained on, where losses see but some of it."""
        return self

    def complete(self, weights: Floats) -> Floats:
        """What is kept of learnt weights [size]: all that decoding needs besides has its place there."""
        return weights

    @abstractmethod
    def loss(self, model: ModelT, classes: Sequence[str], engine: Engine) -> Loss:
        """The training loss of one group of classes."""

    def games(self, model: ModelT, classes: Sequence[str], engine: Engine) -> GameLoss | None:
        """The games that are decoded, one a class; None from a learner that plays none."""
        return None

    def log_loss(self, model: ModelT) -> Loss:
        """The log-loss of every position's label by itself, for initial weights."""
        raise NotImplementedError

    @abstractmethod
    def decode(
        self,
        model: ModelT,
        weights: Floats,
        classes: Sequence[str],
        engine: Engine,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> dict[str, Decoded]:
        """Decide all positions of ``model``'s instances for every class of a group."""


#: A learner of whatever kind.
Learner: TypeAlias = LearnerOf[Any, Any]
