"""The games of one example, solved: both players' strategies, and what these amount to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from advsp.engine.double_oracle import Equilibrium
from advsp.engine.mixture import Mixture
from advsp.experiments.system_in_use import SystemInUse
from advsp.support.arrays import Labels
from advsp.support.errors import InputError
from advsp.training.instances import ChainInstances, EdgeInstances, Instances


@dataclass(frozen=True, eq=False)
class SolvedGame:
    """The equilibrium of one game of an example.

    Attributes
    ----------
    label: the class that the game is of.
    labels: names of the adversary's labels.
    targets: those of them that the predictor's ones stand for.
    equilibrium: its strategies of positive probability, most probable first.
    expected: the score that the predictor expects at equilibrium.
    gold: int8 [n], the adversary's labels that are right.
    """

    label: str
    labels: tuple[str, ...]
    targets: tuple[int, ...]
    equilibrium: Equilibrium
    expected: float
    gold: Labels


def solve_example(system: SystemInUse, instances: Instances, number: int) -> list[SolvedGame]:
    """The games of the example ``number``, from 1, one a class; none of a system that plays none.

    Raises
    ------
    InputError: there is no such example.
    """
    if not 1 <= number <= len(instances):
        raise InputError(
            f"there is no {instances.example} {number}", hint=f"the split has 1 to {len(instances)}"
        )
    tolerance = system.run.config.evaluation.tolerance
    found = []
    for model in system.models:
        # All examples at once, as in decoding: alone, potentials may be rounded in another way, and a game
        # end at another one of its equilibria.
        linear = model.learner.model(instances)
        loss = model.learner.games(linear, model.classes, model.engine.exact())
        if loss is None:
            continue
        table = linear.all_potentials(model.weights)[linear.rows(number - 1)]
        gold = linear.gold(number - 1)
        for label, game in zip(model.classes, loss.games(number - 1, table), strict=True):
            solved = loss.backend.solve(game, tolerance)
            predictor, adversary = _sorted(solved.predictor), _sorted(solved.adversary)
            scores = game.score.scores(predictor.labellings, adversary.labellings)
            expected = float(predictor.probabilities @ scores @ adversary.probabilities)
            names, targets = _labels(instances, label)
            sorted_mixtures = replace(solved, predictor=predictor, adversary=adversary)
            found.append(SolvedGame(label, names, targets, sorted_mixtures, expected, gold))
    return found


def _sorted(mixture: Mixture) -> Mixture:
    kept = mixture.support()
    order = np.argsort(-kept.probabilities, kind="stable")
    return Mixture(kept.labellings[order], kept.probabilities[order])


def _labels(instances: Instances, label: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    if isinstance(instances, ChainInstances):
        return instances.tag_names, instances.tags_of(label)
    assert isinstance(instances, EdgeInstances)
    return ("N", "P", "S"), (1, 2)
