"""The versions that constraints.txt pins are those that made the committed results."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from advsp.metrics.scores import Scores

ROOT = Path(__file__).parents[2]
PINNED = dict(re.findall(r"^([\w-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE))
#: What a score file says beside versions of packages.
ABOUT = {"advsp", "python", "platform", "arithmetic"}


@pytest.mark.parametrize("path", sorted((ROOT / "results/scores").glob("*.json")), ids=lambda path: path.stem)
def test_every_score_was_made_with_them(path):
    for found in Scores.read(path).versions.values():
        packages = {name: version for name, version in found.items() if name not in ABOUT}
        assert packages.items() <= PINNED.items()


def test_whatever_the_program_needs_is_pinned():
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*about["dependencies"], *about["optional-dependencies"]["fast"]]
    assert {re.match(r"[\w-]+", line)[0].lower() for line in needed} <= set(PINNED)


def test_the_citation_names_the_version():
    from advsp.support.versions import VERSION

    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
