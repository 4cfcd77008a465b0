"""Reading configurations: a file with overrides, and the points of a grid."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from advsp.experiments.config.schema import ExperimentConfig, SystemConfig, names_another
from advsp.support.errors import InputError
from advsp.support.problems import first_problem
from advsp.support.section_files import load_section
from advsp.support.shipped import configuration
from advsp.support.yaml_source import Place, Source


def load_config(file: str | Path, overrides: Iterable[str] = ()) -> ExperimentConfig:
    """Read, override and check a configuration.

    Parameters
    ----------
    file: the YAML file, or the name of a configuration that came along, such as ``conll300``.
    overrides: ``key=value`` with a dotted key, e.g. ``optimiser.passes=5``; the value is YAML.

    Raises
    ------
    InputError: naming file, line and key of what is wrong.
    """
    return load_section(ExperimentConfig, configuration(file), overrides, _written)


def with_overrides(section: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of nested mappings with dotted keys replaced, e.g. ``{"optimiser.step": 0.1}``."""
    result = copy.deepcopy(dict(section))
    for key, value in overrides.items():
        *parents, last = key.split(".")
        inner = result
        for parent in parents:
            inner = inner.setdefault(parent, {})
            if not isinstance(inner, dict):
                raise InputError(f"{parent} in {key} is not a section")
        inner[last] = value
    return result


def check_grid(name: str, system: SystemConfig, point: Mapping[str, Any]) -> SystemConfig:
    """The system at one point of its selection grid.

    Raises
    ------
    InputError: a grid key that the system does not have, or a value that does not fit it.
    """
    try:
        return SystemConfig.model_validate(with_overrides(system.model_dump(), point))
    except ValidationError as error:
        first = first_problem(error)
        # What is wrong may stand at another key than those of the point: a part that is not named.
        problem = first.text if first.key in point else f"{first.key}: {first.text}"
        hint = first.hint
    except InputError as error:
        problem, hint = error.problem, error.hint
    keys = ", ".join(f"{key}={value}" for key, value in point.items())
    place = f"systems.{name}.selection.grid"
    raise InputError(f"the grid point {keys} does not fit: {problem}", key=place, hint=hint)


def _written(place: Place, source: Source) -> Place:
    """Where a value was written: what systems share is copied into each, but stands at the top."""
    if place[:1] != ("systems",) or len(place) < 3:
        return place
    own, shared = _depth(place, source), _depth(place[2:], source)
    return place[2:] if shared > own - 2 and shared > 0 and not _replaces(place, source) else place


def _replaces(place: Place, source: Source) -> bool:
    """Whether a system's section names another part than the shared one, none of which it has then."""
    _, system, key = place[:3]
    own, shared = source.value["systems"][system].get(key), source.value.get(key)
    return isinstance(own, Mapping) and isinstance(shared, Mapping) and names_another(key, own, shared)


def _depth(place: Place, source: Source) -> int:
    """How many parts of a place the file has or the command line has set."""
    value, depth = source.value, 0
    for part in place:
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            return depth
        depth += 1
    return depth
