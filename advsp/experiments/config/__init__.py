"""The configuration of an experiment: what can be said (schema), and how it is read (reading)."""

from __future__ import annotations

from advsp.experiments.config.reading import check_grid, load_config
from advsp.experiments.config.schema import (
    NO_RESULT_DEPENDS_ON,
    PREPARATION,
    ExperimentConfig,
    OptimiserConfig,
    SystemConfig,
    folder_name,
)

__all__ = [
    "NO_RESULT_DEPENDS_ON",
    "PREPARATION",
    "ExperimentConfig",
    "OptimiserConfig",
    "SystemConfig",
    "check_grid",
    "folder_name",
    "load_config",
]
