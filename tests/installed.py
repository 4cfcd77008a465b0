"""The registered members that can be used here; tests of the others are skipped, and say what is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from advsp.support.registry import Registry


def each(registry: Registry[Any], where: Callable[[Any], bool] = bool) -> list[Any]:
    """The names of members to run a test with, one by one; ``where`` says of which."""
    return [
        pytest.param(name, marks=pytest.mark.skipif(reason is not None, reason=f"{name}: {reason}"))
        for name in registry
        if where(registry.get(name))
        for reason in [registry.get(name).missing()]
    ]


def installed(registry: Registry[Any], where: Callable[[Any], bool] = bool) -> list[str]:
    """The names of members to run one test with, those alone that lack nothing here."""
    return [name for name in registry if where(registry.get(name)) and registry.get(name).missing() is None]
