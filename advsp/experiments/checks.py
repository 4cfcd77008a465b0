"""What is refused before anything long begins, or anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from advsp.engine.lp import solvers
from advsp.experiments.config import ExperimentConfig, SystemConfig
from advsp.experiments.grid import GridPoint
from advsp.metrics.choice import is_by_threshold
from advsp.support.errors import InputError
from advsp.support.files import sha256
from advsp.tasks.base import View


def check_systems(config: ExperimentConfig, grids: Mapping[str, Sequence[GridPoint]]) -> None:
    """Every system can be trained here, and what is to be chosen can be chosen.

    Parameters
    ----------
    grids: system to all points of its grid.

    Raises
    ------
    InputError: an LP solver that is not installed; initial weights that a learner cannot have; a grid in
        which something differs that cannot; something to choose and nothing to choose it by.
    """
    for points in grids.values():
        for point in points:
            _check_engine(point.config)
            _check_shards(point)
            point.config.optimiser.initial.build().check(point.learner)
        _check_choice(config, points)


def check_folds(config: ExperimentConfig, view: View) -> None:
    """Every fold leaves something to train on and holds something out.

    Raises
    ------
    InputError: there are more folds than examples.
    """
    splits = filter(None, (config.corpus.train, config.corpus.validation))
    examples = sum(len(view.instances[split]) for split in splits)
    for name, system in config.systems.items():
        if (number := system.selection.folds) > examples:
            raise InputError(
                f"{number} folds of {examples} examples",
                key=f"systems.{name}.selection.folds",
                hint="give at most as many folds as there are examples",
            )


def checksums(files: Mapping[str, Path]) -> dict[str, str]:
    """SHA-256 of every file, by the same names.

    Raises
    ------
    InputError: one is not there.
    """
    return {name: _checksum(path) for name, path in files.items()}


def _checksum(path: Path) -> str:
    try:
        return sha256(path)
    except FileNotFoundError:
        raise InputError("no such file", file=path) from None


def _check_engine(system: SystemConfig) -> None:
    """Fail now, not after an hour, if the LP solver asked for is not installed."""
    name = solvers.resolve(system.engine.lp)
    reason = solvers.get(name).missing()
    if reason is not None:
        raise InputError(
            f"LP solver {name!r} cannot be used: {reason}",
            key="engine.lp",
            hint=f"{solvers.get(name).install}, or choose auto",
        )


def _check_shards(point: GridPoint) -> None:
    """What must be in one place is not cut into shards."""
    if point.learner.whole and point.config.optimiser.shards > 1:
        raise InputError(
            "this learner must have all pairs in one place",
            key=f"systems.{point.system}.optimiser.shards",
            hint="leave shards away",
        )


def _check_choice(config: ExperimentConfig, points: Sequence[GridPoint]) -> None:
    """What is to be chosen can be chosen, and only what is chosen by scores differs in the grid."""
    first = points[0]
    selection = first.config.selection
    for section in ("features", "selection", "runs"):
        if any(getattr(point.config, section) != getattr(first.config, section) for point in points):
            raise InputError(
                f"{section} cannot differ from point to point of a grid",
                key=f"systems.{first.system}.selection.grid",
                hint="make them systems of their own",
            )
    if config.corpus.validation is not None or selection.folds:
        return
    rules = selection.rules
    if len(points) > 1 or len(first.candidates) > 1 or len(rules) > 1 or is_by_threshold(rules[0]):
        raise InputError(
            "there is something to choose but no validation split to choose it on",
            key=f"systems.{first.system}.selection",
            hint="give corpus.validation or folds, or one grid point, no passes and one of the rules",
        )
