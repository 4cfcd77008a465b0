"""From stored numbers to the report and the README; the committed ones agree."""

from __future__ import annotations

import json

import pytest
from benchmarks.markdown import marks, with_block
from benchmarks.report import NAME, markdown, page_block
from benchmarks.run import with_sections_of
from places import ROOT

from advsp.support.errors import InputError

BEGIN, END = marks(NAME)
STORED = ROOT / "results/bench/bench.json"


def game(engine: str, size: int, seconds: float) -> dict:
    return {
        "game": "AER, random",
        "size": size,
        "engine": engine,
        "seconds": seconds,
        "ratio": seconds / 0.5,
        "unfinished": 0,
    }


def skipped(engine: str, size: int, reason: str, predicted: float | None) -> dict:
    return {"game": "AER, random", "size": size, "engine": engine, "reason": reason, "predicted": predicted}


GROWTH = {
    "game": "AER, random",
    "engine": "compiled × compiled",
    "of": "game",
    "exponent": 1.17,
    "low": None,
    "high": None,
    "first": 900,
    "last": 6400,
    "points": 2,
}
BENCH = {
    "command": "python scripts/bench.py",
    "quick": False,
    "seed": 1,
    "machine": {
        "date": "2020-01-01",
        "processor": "Made Up 3000",
        "cores": 2,
        "system": "Linux",
        "versions": {"python": "3.11.1", "numpy": "2.0"},
    },
    "data": {"sample/train.conll": "0" * 64},
    "remarks": ["something is left out"],
    "sections": {
        "games": {
            "tolerance": 1e-4,
            "baseline": "linprog × numpy",
            "rows": [
                game("compiled × compiled", 900, 0.01),
                game("highs × numpy", 900, 0.2),
                game("linprog × numpy", 900, 0.5),
                game("compiled × compiled", 6400, 0.1),
            ],
            "skipped": [
                skipped("highs × numpy", 6400, "too slow", 75.0),
                skipped("highs × approximate", 900, "for chains only", None),
            ],
            "growth": [GROWTH],
        },
    },
}


def test_report_has_numbers_what_was_skipped_and_where_they_come_from():
    said = markdown(BENCH)
    assert "| compiled × compiled | 10.0 ms (0.020 ×) | 100 ms (0.20 ×) | 1.17 (900 to 6,400) | – |" in said
    assert "* skipped as too slow: highs × numpy at 6,400 edges (about 75.0 s a game)" in said
    assert "* not there: highs × approximate: for chains only" in said
    for text in ("Made Up 3000", "numpy 2.0", "seed 1", "something is left out", "0" * 64):
        assert text in said


def test_readme_compares_the_largest_game_that_both_solved():
    block = page_block(BENCH)
    assert block.startswith(BEGIN) and block.endswith(END)
    assert "| one game, AER, random, 900 edges | 10.0 ms | 200 ms | 20.0 × |" in block
    assert "--quick" not in block
    assert "--quick" in page_block(BENCH | {"quick": True})


def test_block_is_replaced_and_nothing_else():
    readme = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    assert with_block(readme, NAME, f"{BEGIN}\nnew\n{END}") == f"before\n{BEGIN}\nnew\n{END}\nafter\n"


def test_report_says_which_sections_are_of_an_earlier_run(tmp_path):
    earlier = tmp_path / "bench.json"
    startup = {"rows": [{"program": "a", "median": 1.0, "ratio": 1.0}]}
    earlier.write_text(json.dumps(BENCH | {"sections": {"games": {"rows": []}, "startup": startup}}))
    merged = with_sections_of(BENCH, earlier)
    assert list(merged["sections"]) == ["startup", "games"] and merged["kept"] == ["startup"]
    assert merged["sections"]["games"] == BENCH["sections"]["games"]
    for text in (markdown(merged), page_block(merged)):
        assert "in more than one run, each section in one (of earlier ones: Start-up)" in text
    for text in (markdown(BENCH), page_block(BENCH)):
        assert "in one run" in text and "earlier" not in text


@pytest.mark.parametrize("key", ["quick", "seed", "machine", "data"])
def test_sections_of_a_run_made_otherwise_are_not_kept(tmp_path, key):
    earlier = tmp_path / "bench.json"
    assert with_sections_of(BENCH, earlier) == BENCH
    earlier.write_text(json.dumps(BENCH | {"sections": {"startup": {}}, key: "other"}))
    assert with_sections_of(BENCH, earlier) == BENCH


@pytest.mark.parametrize("readme", ["", BEGIN, f"{END} {BEGIN}"])
def test_readme_without_a_place_is_refused_in_one_line(readme):
    with pytest.raises(InputError, match="no place for the bench"):
        with_block(readme, NAME, "")


def test_committed_report_and_page_are_made_of_the_committed_numbers():
    bench = json.loads(STORED.read_text(encoding="utf-8"))
    assert STORED.with_suffix(".md").read_text(encoding="utf-8") == markdown(bench)
    assert page_block(bench) in (ROOT / "docs/performance.md").read_text(encoding="utf-8")
