"""Models that are trained on the spot, and the games of their sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advsp.engine.game import Game
from advsp.engine.settings import Engine
from advsp.learners.adversarial import Adversarial
from advsp.learners.game_loss import chain_game
from advsp.support.progress import Progress, no_progress
from advsp.training.chain_model import ChainModel
from advsp.training.instances import ChainInstances
from advsp.training.loop import Tolerance, fit
from advsp.training.objective import Objective
from advsp.training.optimisers.adagrad import AdaGrad

#: How far training has come.
STATES = ("zero", "half-trained", "trained")


def objective(instances: ChainInstances, classes: Sequence[str], engine: Engine) -> Objective:
    """The training objective of the F-score games of some classes, one model for all of them, no L2 term."""
    learner = Adversarial()
    model = learner.model(instances)
    return Objective(model, learner.loss(model, classes, engine))


def train(
    instances: ChainInstances,
    name: str,
    engine: Engine,
    passes: int,
    seed: int,
    progress: Progress = no_progress,
) -> np.ndarray:
    """Weights of one class after some passes of online AdaGrad."""
    goal = objective(instances, [name], engine)
    return fit(
        goal,
        AdaGrad(),
        passes=passes,
        seed=seed,
        tolerance=Tolerance(),
        initial=np.zeros(goal.model.size),
        progress=progress,
    )


def train_states(
    instances: ChainInstances,
    name: str,
    engine: Engine,
    passes: int,
    seed: int,
    progress: Progress = no_progress,
) -> dict[str, np.ndarray]:
    """Weights of one class: zeros, after the first pass, and after the last one."""
    goal = objective(instances, [name], engine)
    kept: dict[int, np.ndarray] = {}

    def keep(number: int, weights: np.ndarray) -> dict[str, object]:
        if number == 1:
            kept[number] = weights.copy()
        return {}

    zeros = np.zeros(goal.model.size)
    last = fit(
        goal,
        AdaGrad(),
        passes=passes,
        seed=seed,
        tolerance=Tolerance(),
        initial=zeros,
        after_pass=keep,
        progress=progress,
    )
    return dict(zip(STATES, (zeros, kept[1], last), strict=True))


def sentence_games(instances: ChainInstances, weights: np.ndarray, name: str) -> list[Game]:
    """The game of every sentence for one class at ``weights``."""
    model = ChainModel(instances)
    potentials = model.all_potentials(weights)
    target = instances.tag_names.index(name)
    return [chain_game(model, potentials[model.rows(i)], target) for i in range(model.examples)]
