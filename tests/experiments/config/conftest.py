"""Configurations from texts, and what is said about those that cannot be used."""

from __future__ import annotations

import pytest
from trial_configs import TRIAL

from advsp.experiments.config import ExperimentConfig, load_config
from advsp.support.errors import InputError


@pytest.fixture
def load(tmp_path, monkeypatch):
    """Load a configuration from a text, in the file ``trial.yaml``."""
    monkeypatch.chdir(tmp_path)

    def from_text(text: str = TRIAL, *overrides: str) -> ExperimentConfig:
        (tmp_path / "trial.yaml").write_text(text)
        return load_config("trial.yaml", overrides)

    return from_text


@pytest.fixture
def complaint(load):
    """What is said about a configuration that cannot be used."""

    def about(text: str = TRIAL, *overrides: str) -> str:
        with pytest.raises(InputError) as raised:
            load(text, *overrides)
        assert "\n" not in str(raised.value)
        return str(raised.value)

    return about
