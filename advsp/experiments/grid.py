"""What there is to train and to choose from: points of grids, numbers of passes, seeds, folds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

from advsp.experiments.config import ExperimentConfig, SystemConfig, check_grid
from advsp.experiments.folds import Fold
from advsp.learners.base import Learner
from advsp.metrics.choice import Choice
from advsp.support.records import Json


@dataclass(frozen=True)
class GridPoint:
    """A system at one point of its grid.

    Attributes
    ----------
    system: its name.
    number: of the point, from 0 in the order of the configuration.
    config: the system with the options of the point.
    """

    system: str
    number: int
    config: SystemConfig

    @property
    def learner(self) -> Learner:
        """The learner with its options."""
        learner: Learner = self.config.learner.build()
        return learner

    @property
    def view(self) -> str:
        """Name of the view of the corpus that the system has."""
        return self.config.features.view

    @property
    def options(self) -> dict[str, Json]:
        """Dotted keys of the grid to their values at this point."""
        return {key: _lookup(self.config, key) for key in self.config.selection.grid}

    @property
    def candidates(self) -> tuple[int, ...]:
        """Numbers of passes to choose from: those asked for within the passes trained, and the last."""
        passes = self.config.optimiser.passes
        return tuple(sorted({p for p in self.config.selection.passes if p < passes} | {passes}))


def grid(name: str, system: SystemConfig) -> list[GridPoint]:
    """A system at every point of its grid, in the order of the configuration.

    Raises
    ------
    InputError: a point that does not fit the system.
    """
    keys = list(system.selection.grid)
    values = itertools.product(*(system.selection.grid[key] for key in keys))
    return [
        GridPoint(name, number, check_grid(name, system, dict(zip(keys, point))))
        for number, point in enumerate(values)
    ]


def chosen_points(config: ExperimentConfig, choices: Mapping[str, Choice]) -> dict[str, GridPoint]:
    """Every system at the point that was chosen for it."""
    return {name: grid(name, config.systems[name])[choice.point] for name, choice in choices.items()}


def seeds(config: ExperimentConfig, name: str) -> list[int]:
    """Seeds of a system's runs: the configuration's and those that follow it."""
    return [config.seed + run for run in range(config.systems[name].runs)]


def seeds_to_choose_by(config: ExperimentConfig, name: str) -> list[int]:
    """Those of the runs that take part in what is chosen."""
    return seeds(config, name)[: config.systems[name].selection.runs]


def seeds_left(config: ExperimentConfig, name: str) -> list[int]:
    """Those with which what was chosen is still to be trained; after folds, all of them."""
    selection = config.systems[name].selection
    return seeds(config, name)[0 if selection.folds else selection.runs :]


def folds(config: ExperimentConfig, name: str) -> list[Fold | None]:
    """The folds by which a system is chosen; None stands for the validation split."""
    number = config.systems[name].selection.folds
    return [Fold(fold, number, config.seed) for fold in range(number)] if number else [None]


def _lookup(system: SystemConfig, key: str) -> Json:
    value: Json = system.model_dump()
    for part in key.split("."):
        # What is not there is None: an option may be left out then.
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
