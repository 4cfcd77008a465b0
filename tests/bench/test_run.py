"""The bench from end to end, on the sample corpora and with tiny sizes."""

from __future__ import annotations

import json
import math

import pytest
from benchmarks.corpora import ROOT
from benchmarks.report import markdown, page_block
from benchmarks.run import run
from benchmarks.sections import SECTIONS
from benchmarks.settings import Settings

from advsp.support.progress import Silent

pytestmark = pytest.mark.long

TINY = Settings(
    quick=True,
    rounds=1,
    budget=0.1,
    training_budget=1.0,
    games=1,
    lengths=(3, 6),
    edges=((2, 2), (3, 4)),
    iterations=50,
    sentences=(4, 8),
    passes=1,
    certified_passes=1,
    pairs=2,
    aligner_passes=1,
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> dict:
    """Everything but what starts other processes, measured in a checkout without the real corpora."""
    root = tmp_path_factory.mktemp("checkout")
    (root / "data").mkdir()
    (root / "data/sample").symlink_to(ROOT / "data/sample")
    (root / "configs").symlink_to(ROOT / "configs")
    here = [name for name in SECTIONS if name not in ("startup", "memory", "compilation", "experiment")]
    return run(TINY, here, "python scripts/bench.py", Silent(), root)


def test_everything_is_measured_and_can_be_stored(bench):
    assert json.loads(json.dumps(bench, allow_nan=False)) == bench
    assert "data/conll2003 is not prepared; the sample corpus stands in for it" in bench["remarks"]
    for name, result in bench["sections"].items():
        assert result["rows"] or name == "crf"


def test_engines_agree_on_the_values_of_games(bench):
    rows = bench["sections"]["games"]["rows"]
    for place in {(row["game"], row["size"]) for row in rows}:
        exact = [
            row["value"]
            for row in rows
            if (row["game"], row["size"]) == place and "approximate" not in row["engine"]
        ]
        assert max(exact) - min(exact) <= 1e-4


def test_best_responses_agree(bench):
    rows = bench["sections"]["responses"]["rows"]
    for game in {row["game"] for row in rows}:
        values = {row["oracle"]: row["value"] for row in rows if row["game"] == game}
        for name, value in values.items():
            if "approximate" in name:
                assert value >= values["numpy"] - 1e-9
            else:
                assert math.isclose(value, values["numpy"], abs_tol=1e-9)


def test_both_crfs_end_at_the_same_objective(bench):
    pytest.importorskip("pycrfsuite")
    rows = bench["sections"]["crf"]["rows"]
    for size in {row["sentences"] for row in rows}:
        *ours, theirs = (row["objective"] for row in rows if row["sentences"] == size)
        assert ours == pytest.approx([theirs] * len(ours), rel=1e-3)


def test_report_is_made_of_what_was_measured(bench):
    said = markdown(bench)
    for name in bench["sections"]:
        assert f"## {SECTIONS[name].TITLE}" in said
    assert page_block(bench)
