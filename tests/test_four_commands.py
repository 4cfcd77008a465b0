"""The README's way from a column file to tagged text, as it is printed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from advsp import kernels

ROOT = Path(__file__).parents[1]


def commands() -> str:
    """The commands between the marks."""
    _, _, rest = (ROOT / "README.md").read_text(encoding="utf-8").partition("<!-- four-commands:begin -->")
    block, _, _ = rest.partition("<!-- four-commands:end -->")
    return block.strip().strip("`").strip()


@pytest.mark.skipif(not kernels.available(), reason="takes minutes without numba")
@pytest.mark.usefixtures("compiled_kernels")
def test_four_commands_of_the_readme_lead_to_tagged_text(tmp_path):
    assert len(commands().splitlines()) == 4
    (tmp_path / "data").mkdir()
    (tmp_path / "data/sample").symlink_to(ROOT / "data/sample")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(["bash", "-ec", commands()], cwd=tmp_path, env={**os.environ, "PATH": path}, check=True)
    tagged = [line.split() for line in (tmp_path / "tagged.conll").read_text().splitlines() if line]
    source = (ROOT / "data/sample/conll/sample.testb").read_text().splitlines()
    assert [cells[:-1] for cells in tagged] == [line.split() for line in source if line.strip()]
    right = sum(cells[-1] == cells[-2] != "O" for cells in tagged)
    assert right > 0.6 * sum(cells[-2] != "O" for cells in tagged)
