"""The README's ways from files to tagged text and to links, as they are printed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from advsp import kernels
from advsp.corpora.bitext_sources import LabelledText, read_labelled, read_predicted
from advsp.corpora.links import NAACL, PHARAOH
from advsp.corpora.parallel_text import TextFiles

ROOT = Path(__file__).parents[1]


def commands(number: int) -> str:
    """The commands between the marks, which are there several times."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block, _, _ = text.split("<!-- four-commands:begin -->")[number + 1].partition(
        "<!-- four-commands:end -->"
    )
    return block.strip().strip("`").strip()


@pytest.fixture
def run(tmp_path, compiled_kernels):
    """Run the commands as a user would, where the sample corpora are."""

    def call(commands: str) -> Path:
        assert len(commands.splitlines()) == 4
        (tmp_path / "data").mkdir()
        (tmp_path / "data/sample").symlink_to(ROOT / "data/sample")
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        subprocess.run(["bash", "-ec", commands], cwd=tmp_path, env={**os.environ, "PATH": path}, check=True)
        return tmp_path

    return call


@pytest.mark.long
@pytest.mark.skipif(not kernels.available(), reason="takes minutes without numba")
def test_four_commands_of_the_readme_lead_to_tagged_text(run):
    folder = run(commands(0))
    tagged = [line.split() for line in (folder / "tagged.conll").read_text().splitlines() if line]
    source = (ROOT / "data/sample/conll/sample.testb").read_text().splitlines()
    assert [cells[:-1] for cells in tagged] == [line.split() for line in source if line.strip()]
    right = sum(cells[-1] == cells[-2] != "O" for cells in tagged)
    assert right > 0.6 * sum(cells[-2] != "O" for cells in tagged)


@pytest.mark.long
@pytest.mark.skipif(not kernels.available(), reason="takes minutes without numba")
def test_four_commands_of_the_readme_lead_to_links(run):
    folder = run(commands(1))
    sample = ROOT / "data/sample/bitext"
    text = TextFiles(sample / "test.en", sample / "test.fr")
    gold = read_labelled(LabelledText(text, sample / "test.naacl"), NAACL)
    found = read_predicted(folder / "test.links", gold, PHARAOH)
    linked = sum(map(len, found))
    right = [
        sum(len(links & getattr(pair, kind)) for links, pair in zip(found, gold, strict=True))
        for kind in ("sure", "possible")
    ]
    sure = sum(len(pair.sure) for pair in gold)
    assert 1 - (2 * right[0] + right[1]) / (linked + sure) < 0.05
