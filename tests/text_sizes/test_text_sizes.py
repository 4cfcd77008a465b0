"""The figure of aligners by the size of their text: its rates, and all numbers in its caption."""

from __future__ import annotations

import pytest
from text_sizes.measuring import error_rates
from text_sizes.picture import caption, draw, series

from advsp.corpora.bitext import SentencePair

PAIRS = {
    "chosen on": [SentencePair(("a", "b"), ("x", "y"), frozenset({(0, 0)}), frozenset({(1, 1)}))],
    "tested": [
        SentencePair(("a", "b"), ("x", "y"), frozenset({(0, 0), (1, 1)})),
        SentencePair(("a",), ("x",), frozenset({(0, 0)})),
    ],
}


def test_rates_are_those_of_every_part():
    found = dict(error_rates(PAIRS, [{(0, 0), (1, 1)}, {(0, 1)}, {(0, 0)}]))
    # One sure and one possible link found; then one of three sure ones, and a wrong one.
    assert found == {"chosen on": 0.0, "tested": pytest.approx(100 * (1 - (1 + 1) / (2 + 3)))}


def run(program: str, pairs: int, rate: float, soft: float | None = None, seconds: float = 2.0) -> dict:
    parts = {"chosen on": rate + 1, "tested": rate}
    return {
        "program": program, "pairs": pairs, "run": 1, "seconds": seconds, "both": parts,
        "soft": {} if soft is None else {"chosen on": soft, "tested": soft},
    }  # fmt: skip


FIGURE = {
    "command": "python scripts/figure_aligners.py",
    "runs": [
        run("ours", 1000, 7.5, 7.0),
        run("theirs", 1000, 9.0),
        run("theirs", 1000, 10.0, seconds=4.0),
        run("ours", 3000, 6.25, 6.0),
    ],
}


def test_runs_of_one_program_and_size_belong_together():
    assert series(FIGURE, "both", "tested") == {
        "ours": {1000: [7.5], 3000: [6.25]},
        "theirs": {1000: [9.0, 10.0]},
    }


def test_caption_has_a_line_for_every_program_and_size():
    lines = caption(FIGURE).splitlines()
    assert "| ours | 3,000 | 6.25 | 6.00 | 7.25 | 2 |" in lines
    assert "| theirs | 1,000 | 9.50 (9.00 to 10.00) |  | 10.50 (10.00 to 11.00) | 3 |" in lines


def test_picture_is_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="pip install 'advsp[plot]'")
    first, second = draw(FIGURE, tmp_path / "one"), draw(FIGURE, tmp_path / "two")
    assert [path.suffix for path in first] == [".svg", ".png"]
    assert first[0].read_bytes() == second[0].read_bytes()
    assert "theirs" in first[0].read_text()
