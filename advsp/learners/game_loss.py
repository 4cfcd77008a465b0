"""The adversarial loss: minus the gold potential, minus the value of the example's game.

loss_i = -psi(gold) - v_i(potentials) (paper, Eq. 5 with the sign turned); its subgradient is the
adversary's expected moments at equilibrium less the gold ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

import numpy as np

from advsp.engine.backends.base import Backend, Decisions
from advsp.engine.backends.description import Description
from advsp.engine.backends.opening import open_backend
from advsp.engine.game import Game, GameSpec
from advsp.engine.measures.base import Measure
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.settings import Engine
from advsp.support.arrays import Bools, Floats, Labels
from advsp.support.progress import Progress, no_progress
from advsp.training.chain_model import ChainModel
from advsp.training.linear import LinearModel
from advsp.training.objective import Loss, LossValue, State

#: The tags of a class, one or several.
Target = int | tuple[int, ...]


class GameLoss(Loss):
    """The sum of the adversarial losses of an example's games.

    What is played is said by the specs alone; numpy and kernels derive it from there.  In kernels every game
    is played from the beginning to the end.  Elsewhere each game starts from the strategies that had positive
    probability when it was last solved; what does not enter the score is decoded anew.

    Parameters
    ----------
    model: the linear map.
    specs: the games of every example, in their order.
    backend: plays them.
    warm: whether strategies are kept from pass to pass, outside the kernels.
    labels: labels of the adversary whose probabilities deciding gives, too; 0 for none.
    """

    def __init__(
        self,
        model: LinearModel,
        specs: Iterable[GameSpec],
        backend: Backend,
        warm: bool = True,
        labels: int = 0,
    ) -> None:
        super().__init__(model, backend)
        self.decided = 1 + labels
        self.specs, self.warm = tuple(specs), warm
        self._strategies: dict[tuple[int, int], tuple[Labels, Labels]] = {}

    def __init_subclass__(cls) -> None:
        if "games" in vars(cls):
            raise TypeError("the games of a loss are those of its specs: give it others")

    def describe(self) -> Description:
        return Description("games", {})

    @final
    def games(self, example: int, potentials: Floats) -> list[Game]:
        """The games of one example at its table of potentials [n, w]."""
        return [spec.game(example, potentials) for spec in self.specs]

    def start(self) -> tuple[Floats, Floats]:
        moments, gains = super().start()
        for example in range(self.model.examples):
            rows, gold = self.model.rows(example), self.model.gold(example)
            table = np.zeros_like(moments[rows])
            for spec in self.specs:
                labels, gain = spec.nearest(example, gold, table)
                gains[example] += gain
                if labels is not gold and not np.array_equal(labels, gold):
                    started = spec.layout.moments(example, labels[None, :], np.ones(1))
                    moments[rows] += started - self.model.gold_moments(example)
        return moments, gains

    def evaluate(self, example: int, potentials: Floats, tolerance: float) -> LossValue:
        gold = self.model.gold_moments(example)
        gold_potential = float(np.vdot(gold, potentials))
        attained = bound = 0.0
        moments = np.zeros_like(potentials)
        for number, game in enumerate(self.games(example, potentials)):
            solved = self.backend.solve(game, tolerance, self._strategies.get((example, number)))
            if self.warm:
                self._strategies[example, number] = solved.predictor.labellings, solved.adversary.labellings
            mixture = solved.adversary
            expected = self.model.layout.moments(example, mixture.labellings, mixture.probabilities)
            moments += expected - gold
            attained -= gold_potential + solved.upper
            # Approximate responses bound nothing.
            bound -= gold_potential + (solved.lower if solved.certified else -np.inf)
        # What cancels up to rounding is zero: the optimisers skip examples without a gradient.
        moments[np.abs(moments) < 1e-12] = 0.0
        return LossValue(attained, bound, moments)

    def decode_all(
        self,
        number: int,
        potentials: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> Decisions:
        labels, marginals = np.zeros(len(potentials), np.int8), np.zeros((len(potentials), self.decided))
        for example in range(self.model.examples):
            rows = self.model.rows(example)
            solved = self.backend.solve(self.specs[number].game(example, potentials[rows]), tolerance)
            labels[rows] = solved.predictor.mode()
            marginals[rows, 0] = solved.predictor.marginal()
            for label in range(self.decided - 1):
                marginals[rows, 1 + label] = solved.adversary.marginal(label)
            progress(1)
        return labels, marginals

    def decode(
        self,
        number: int,
        potentials: Floats,
        tolerance: float,
        progress: Progress = no_progress,
    ) -> tuple[Bools, Floats, Floats]:
        """Play the game ``number`` of every example, from 0, at the stacked table of potentials [T, w].

        Returns
        -------
        bool [T], the predictor's most probable labelling; float [T], its probability of a one; and float
        [T, labels], the adversary's of its labels.
        """
        labels, marginals = self.backend.decode(self, number, potentials, tolerance, progress)
        return labels == 1, marginals[:, 0], marginals[:, 1:]

    @property
    def remembers(self) -> bool:
        """Whether strategies are kept where all examples are evaluated at once."""
        return self.warm and self.backend.remembers(self)

    def state(self) -> State:
        if not (self._strategies or self.remembers):
            return {}
        keys = sorted(self._strategies)
        sides = {"predictor": 0, "adversary": 1}
        state: State = {"keys": np.array(keys, dtype=np.int64).reshape(-1, 2)}
        for name, side in sides.items():
            sets = [self._strategies[key][side] for key in keys]
            state[f"{name}_sizes"] = np.array([len(s) for s in sets], dtype=np.int64)
            state[name] = np.concatenate([s.ravel() for s in sets]) if sets else np.empty(0, dtype=np.int8)
        return state

    def restore(self, state: State) -> None:
        self._strategies = {}
        if not state:
            return
        places = {"predictor": 0, "adversary": 0}
        for k, (example, number) in enumerate(state["keys"].tolist()):
            rows = self.model.rows(example)
            length = rows.stop - rows.start
            pair = []
            for name in places:
                size, first = int(state[f"{name}_sizes"][k]), places[name]
                pair.append(state[name][first : first + size * length].reshape(size, length))
                places[name] = first + size * length
            self._strategies[example, number] = pair[0], pair[1]


def target_specs(model: ChainModel, targets: Sequence[Target], measure: Measure) -> list[GameSpec]:
    """The games of a sentence under a measure, one for each of several targets: tags, or sets of tags."""
    return [GameSpec(measure.on_target(model.tags, target), model.layout) for target in targets]


def chain_game_loss(
    model: ChainModel,
    targets: Sequence[Target],
    engine: Engine,
    measure: Measure | None = None,
    warm: bool = True,
) -> GameLoss:
    """The loss of the games of :func:`target_specs`, of F1 unless another measure is given.

    Where tags say where entities begin, deciding gives the adversary's probabilities of them.
    """
    specs = target_specs(model, targets, measure or FBeta())
    return GameLoss(model, specs, open_backend(engine), warm, model.tags if model.instances.prefixes else 0)


def chain_game(model: ChainModel, potentials: Floats, target: Target, measure: Measure | None = None) -> Game:
    """One game of a sentence from its table of potentials [n, w]."""
    (spec,) = target_specs(model, [target], measure or FBeta())
    return spec.game(0, potentials)
