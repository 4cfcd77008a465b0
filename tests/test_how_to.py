"""Pages on extending the package are done as they say, by packages that are installed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from documented import ROOT, File, run_page, steps
from environment import Environment

from advsp import kernels

PAGES = ("own-features", "own-learner", "own-measure", "own-structure")


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="programs are scripts of the shell")
@pytest.mark.skipif(not kernels.available(), reason="takes minutes without numba")
@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_says_can_be_done(name, tmp_path, compiled_kernels):
    environment = Environment(tmp_path / "environment")
    (tmp_path / "work").mkdir()
    assert run_page(name, tmp_path / "work", environment.add_programs()) >= 3


@pytest.mark.parametrize("name", PAGES)
def test_code_that_other_tests_use_is_what_they_use(name):
    """Pages show what lies in tests/outside as it is there."""
    page = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    files = {Path(step.name).name: step.text for step in steps(page) if isinstance(step, File)}
    outside = {path.name: path for path in (ROOT / "tests/outside").glob("*.py")}
    shared = files.keys() & outside.keys()
    assert shared or name == "own-features"
    for file in shared:
        assert files[file] == outside[file].read_text(encoding="utf-8")
