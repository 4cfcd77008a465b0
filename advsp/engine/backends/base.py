"""What a backend does: it solves games, computes losses, decides examples, and takes optimisers' passes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Protocol, TypeVar

from advsp.engine.backends.description import Described, Description
from advsp.engine.double_oracle import Equilibrium
from advsp.engine.game import Game, GameSpec
from advsp.engine.oracles.base import Oracle
from advsp.engine.settings import Engine
from advsp.support.arrays import Array, Floats, Ints, Labels
from advsp.support.progress import Progress, no_progress

#: Labels int8 [T] and the probability of each, or of a one, float [T, k].
Decisions = tuple[Labels, Floats]
#: Sums of attained values and of certified bounds, and stacked moments float [T, w].
Evaluation = tuple[float, float, Floats]


class Loss(Described, Protocol):
    """A loss of the examples of a linear model, as :class:`advsp.training.objective.Loss` has it.

    Attributes
    ----------
    specs: the games that make it up, none for losses of another kind.
    decided: numbers a position that deciding gives: one, or one a label.
    unfinished: what no certified answer may be found for, and what is said of so many of it.
    uncertified: how many of it there were so far.
    """

    specs: tuple[GameSpec, ...]
    decided: int
    uncertified: int
    unfinished: tuple[str, str]

    def evaluate_all(self, potentials: Floats, tolerance: float, progress: Progress) -> Evaluation:
        """See :meth:`Backend.evaluate`: the reference."""

    def decode_all(self, number: int, potentials: Floats, tolerance: float, progress: Progress) -> Decisions:
        """See :meth:`Backend.decode`: the reference."""

    @property
    def offsets(self) -> Ints:
        """Rows of the examples, int [N + 1]."""

    def gold_labels(self) -> Labels:
        """Gold labels of all examples, int8 [T]; of losses that are made of games."""


class Objective(Protocol):
    """A loss over a linear model, as :class:`advsp.training.objective.Objective` has it."""

    tolerance: float

    @property
    def loss(self) -> Loss:
        """The loss."""

    @property
    def model(self) -> Described:
        """The linear map."""


ObjectiveT = TypeVar("ObjectiveT", bound=Objective)
ObjectiveT_contra = TypeVar("ObjectiveT_contra", bound=Objective, contravariant=True)


class OnlineOptimiser(Protocol[ObjectiveT_contra]):
    """An optimiser that goes from example to example of a kind of objective."""

    def one_by_one(
        self, objective: ObjectiveT_contra, state: dict[str, Array], order: Ints, progress: Progress
    ) -> float:
        """See :meth:`Backend.online_pass`: the reference."""

    def rule(self, objective: ObjectiveT_contra, state: dict[str, Array]) -> Description:
        """What a pass does, for kernels; its arrays are those of the state."""


class Backend(ABC):
    """Plays games and computes losses in one way.

    Parameters
    ----------
    engine: how games are solved.
    oracle: the oracle that it names.

    Attributes
    ----------
    name: the backend is that of the oracle that names it.
    """

    name: ClassVar[str]

    def __init__(self, engine: Engine, oracle: type[Oracle]) -> None:
        self.engine, self.oracle = engine, oracle

    @abstractmethod
    def solve(
        self,
        game: Game,
        tolerance: float,
        warm: tuple[Labels, Labels] | None = None,
        trace: bool = False,
    ) -> Equilibrium:
        """Solve one game; see :func:`advsp.engine.solving.solve_game`."""

    @abstractmethod
    def left_to_numpy(self, loss: Loss) -> str | None:
        """Why a loss is computed in numpy though there are kernels, as one clause; None if it is not."""

    @abstractmethod
    def remembers(self, loss: Loss) -> bool:
        """Whether the strategies of games are kept from one evaluation of a loss to the next."""

    @abstractmethod
    def evaluate(
        self,
        loss: Loss,
        potentials: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> Evaluation:
        """The losses of all examples at the stacked table of ``potentials`` float [T, w].

        Returns
        -------
        Sums of attained values and of certified bounds, and the stacked moments.
        """

    @abstractmethod
    def decode(
        self,
        loss: Loss,
        number: int,
        potentials: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> Decisions:
        """Decide all examples at ``potentials`` float [T, w], in the game ``number`` where there are several.

        Returns
        -------
        The predictor's most probable labelling, or the best labels; and the probability of a one, or of every
        label.
        """

    @abstractmethod
    def online_pass(
        self,
        optimiser: OnlineOptimiser[ObjectiveT],
        objective: ObjectiveT,
        state: dict[str, Array],
        order: Ints,
        progress: Progress = no_progress,
    ) -> float:
        """One pass over the examples in ``order`` int64 [N], changing ``state`` in place.

        Returns
        -------
        The sum of the attained values, penalties that the pass looks at among them.
        """
