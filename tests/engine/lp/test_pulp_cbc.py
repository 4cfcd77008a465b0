"""PuLP and CBC: temporary files, and a program that breaks down."""

from __future__ import annotations

import tempfile

import numpy as np
import pytest

from advsp.engine.lp import open_session, solvers

if reason := solvers.get("pulp-cbc").missing():
    pytest.skip(reason, allow_module_level=True)

PENNIES = np.array([[1.0, -1.0], [-1.0, 1.0]])


def test_no_temporary_file_stays_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    open_session("pulp-cbc").solve(PENNIES)
    assert list(tmp_path.iterdir()) == []


def test_program_that_breaks_down_is_replaced_by_the_fallback(monkeypatch):
    import pulp

    def breaks_down(self, problem, **options):
        raise pulp.PulpSolverError("Pulp: Error while executing cbc")

    monkeypatch.setattr(pulp.PULP_CBC_CMD, "actualSolve", breaks_down)
    session = open_session("pulp-cbc")
    assert session.solve(PENNIES).value == pytest.approx(0.0, abs=1e-9)
    assert session.failures == 2
