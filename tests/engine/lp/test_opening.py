"""Names of LP solvers that cannot be used are errors a user can read."""

from __future__ import annotations

import numpy as np
import pytest

from advsp.engine.lp import open_session, solvers
from advsp.support.errors import InputError


def test_unknown_solver_names_the_nearest_one():
    with pytest.raises(InputError, match="unknown LP solver 'linprg' .*did you mean 'linprog'"):
        open_session("linprg")


def test_missing_package_is_named_with_the_way_to_install_it(monkeypatch):
    monkeypatch.setattr(solvers.get("highs"), "package", "no_such_package_anywhere")
    with pytest.raises(InputError, match=r"'no_such_package_anywhere' is not installed.*pip install"):
        open_session("highs")


def test_auto_works_without_optional_packages(monkeypatch):
    monkeypatch.setattr(solvers.get("highs"), "package", "no_such_package_anywhere")
    pennies = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert open_session("auto").solve(pennies).value == pytest.approx(0.0, abs=1e-9)
