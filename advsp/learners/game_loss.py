"""The adversarial loss: minus the gold potential, minus the value of the example's game.

loss_i = -psi(gold) - v_i(potentials) (paper, Eq. 5 with the sign turned); its subgradient is the
adversary's expected moments at equilibrium less the gold ones.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from advsp.engine import compiled as fused
from advsp.engine.game import ChainF1Game, Game
from advsp.engine.measures.fbeta import FBeta
from advsp.engine.oracles import oracles
from advsp.engine.settings import Engine
from advsp.support.arrays import plain
from advsp.support.progress import Progress, no_progress
from advsp.training import compiled
from advsp.training.chain_model import ChainModel
from advsp.training.objective import Loss, LossValue


def chain_game(model: ChainModel, potentials: np.ndarray, target: int, beta: float = 1.0) -> ChainF1Game:
    """The F-beta game of one sentence from its table of potentials [n, w]."""
    chain = model.chain(potentials)
    return ChainF1Game(chain.unary, chain.pairwise, target, beta=beta)


class GameModel(Protocol):
    """A linear model whose labellings have moments."""

    def moments(self, labellings: np.ndarray, probabilities: np.ndarray) -> np.ndarray:
        """Expected statistics [n, w] of a mixture of labellings [s, n]."""

    def gold_moments(self, example: int) -> np.ndarray:
        """Moments [n, w] of the gold labelling."""

    def rows(self, example: int) -> slice:
        """Rows of one example in stacked tables."""


class GameLoss(Loss):
    """The sum of the adversarial losses of an example's games.

    Where the kernels can play the games they do, all of them from the beginning to the end.  Elsewhere each
    game starts from the strategies that had positive probability when it was last solved; what does not enter
    the score is decoded anew.

    Parameters
    ----------
    model: the linear map.
    engine: how games are solved.
    warm: whether strategies are kept from pass to pass, outside the kernels.
    """

    def __init__(self, model: GameModel, engine: Engine, warm: bool = True) -> None:
        self.model, self.engine, self.warm = model, engine, warm
        self._strategies: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}

    @abstractmethod
    def games(self, example: int, potentials: np.ndarray) -> Sequence[Game]:
        """The games of one example at its table of potentials [n, w]."""

    def evaluate(self, example: int, potentials: np.ndarray, tolerance: float) -> LossValue:
        gold = self.model.gold_moments(example)
        gold_potential = float(np.vdot(gold, potentials))
        attained = bound = 0.0
        moments = np.zeros_like(potentials)
        for number, game in enumerate(self.games(example, potentials)):
            solved = self.engine.solve(game, tolerance, self._strategies.get((example, number)))
            if self.warm:
                self._strategies[example, number] = solved.predictor.labellings, solved.adversary.labellings
            mixture = solved.adversary
            moments += self.model.moments(mixture.labellings, mixture.probabilities) - gold
            attained -= gold_potential + solved.upper
            # Approximate responses bound nothing.
            bound -= gold_potential + (solved.lower if solved.certified else -np.inf)
        # What cancels up to rounding is zero: the optimisers skip examples without a gradient.
        moments[np.abs(moments) < 1e-12] = 0.0
        return LossValue(attained, bound, moments)

    def state(self) -> dict[str, np.ndarray]:
        keys = sorted(self._strategies)
        sides = {"predictor": 0, "adversary": 1}
        state = {"keys": np.array(keys, dtype=np.int64).reshape(-1, 2)}
        for name, side in sides.items():
            sets = [self._strategies[key][side] for key in keys]
            state[f"{name}_sizes"] = np.array([len(s) for s in sets], dtype=np.int64)
            state[name] = np.concatenate([s.ravel() for s in sets]) if sets else np.empty(0, dtype=np.int8)
        return state

    def restore(self, state: dict[str, np.ndarray]) -> None:
        self._strategies = {}
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

    def decode(
        self, number: int, potentials: np.ndarray, tolerance: float, progress: Progress = no_progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Play the game ``number`` of every example, from 0, at the stacked table of potentials [T, w].

        Returns
        -------
        bool [T], the predictor's most probable labelling, and float [T], its probability of a one.
        """
        kernel = self.kernel()
        if kernel is not None:
            return compiled.decode_all(kernel, number, self.model.offsets, potentials, tolerance, progress)
        mode, marginal = np.zeros(len(potentials), dtype=bool), np.zeros(len(potentials))
        for example in range(self.model.examples):
            rows = self.model.rows(example)
            solved = self.engine.solve(self.games(example, potentials[rows])[number], tolerance)
            mode[rows] = solved.predictor.mode() == 1
            marginal[rows] = solved.predictor.marginal()
            progress(1)
        return mode, marginal


class ChainGameLoss(GameLoss):
    """The games of a sentence under F-beta, one for each of several tags.

    Parameters
    ----------
    model: the linear map.
    targets: indices of the tags whose F-score is the goal.
    engine, warm: see :class:`GameLoss`.
    beta: weight of recall against precision.
    """

    def __init__(
        self, model: ChainModel, targets: Sequence[int], engine: Engine, beta: float = 1.0, warm: bool = True
    ) -> None:
        super().__init__(model, engine, warm)
        self.targets, self.beta = tuple(targets), beta
        # Predicting the gold labelling scores 1 against it, in every game.
        self.gold_gain = float(len(self.targets))

        self._kernel = self._compile() if engine.compiled else None

    def games(self, example: int, potentials: np.ndarray) -> list[Game]:
        return [chain_game(self.model, potentials, target, self.beta) for target in self.targets]

    def kernel(self) -> NamedTuple | None:
        return self._kernel

    def _compile(self) -> NamedTuple:
        from advsp.kernels.losses import ApproximateChainGames, ChainGames
        from advsp.kernels.rows import ChainRows

        model, exact = self.model, oracles.get(self.engine.oracle).exact
        rows = ChainRows(model.tags, model.start == "own", model.background)
        targets = np.array(self.targets, dtype=np.int64)
        measures = [FBeta(model.tags, target, self.beta) for target in self.targets]
        shared = (plain(model.offsets, int), plain(model.instances.tags, np.int8), rows, targets)
        if exact:
            return ChainGames(*shared, fused.pattern_ratio(measures[0]), self.engine.max_iterations)
        hits, counted = (np.array([getattr(m, name) for m in measures]) for name in ("hits", "counted"))
        return ApproximateChainGames(
            *shared, hits, counted, fused.ratio(measures[0]), self.engine.max_iterations
        )
