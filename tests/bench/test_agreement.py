"""Records of games, what is made of them, and the figure."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.agreement import RULES, Rule, backends, binned, play, summarise
from benchmarks.caption import caption
from benchmarks.drawing import draw

from advsp.engine.game import ChainF1Game
from advsp.support.progress import no_progress


def record(
    length: int, same: bool = True, exact: float = 0.5, approximate: float = 0.5, rounds: int = 2
) -> dict:
    return {
        "class": "PER",
        "length": length,
        "seconds": {"numpy exact": 1e-3 * length, "numpy approximate": 5e-4 * length},
        "same": same,
        "exact": exact,
        "approximate": approximate,
        "gap": 0.0,
        "iterations": [rounds, 1],
    }


RECORDS = [record(2), record(4, same=False, approximate=0.7), record(8, rounds=1), record(16, exact=0.7)]


def test_statistics_of_a_state():
    found = summarise(RECORDS, Rule(0.01))
    assert (found["games"], found["same"], found["agreement"]) == (4, 3, 0.75)
    assert (found["open"], found["open_same"]) == (3, 2)
    assert found["interval"][0] < 0.75 < found["interval"][1]
    assert found["mean_error"] == pytest.approx(0.0)
    assert found["mean_absolute_error"] == pytest.approx(0.1)
    assert found["speed"] == {"numpy": pytest.approx(2.0)}
    assert found["unfinished"] == 0


def test_bins_hold_lengths_that_are_near_each_other():
    found = binned([record(2), record(2), record(16)], "numpy exact", bins=2)
    assert found["length"] == pytest.approx([2.0, 16.0])
    assert found["mean"] == pytest.approx([2e-3, 16e-3])
    assert found["low"] == pytest.approx(found["high"])


def test_records_of_one_length_are_one_bin():
    assert binned([record(7), record(7)], "numpy exact")["length"] == pytest.approx([7.0])


@pytest.fixture
def games() -> list[tuple[str, ChainF1Game]]:
    rng = np.random.default_rng(0)
    return [("PER", ChainF1Game(rng.normal(size=(n, 3)), rng.normal(size=(3, 3)), 0)) for n in (2, 3, 3, 5)]


def test_games_are_played_by_every_backend(games):
    records = play(games, Rule(1e-4), backends(), no_progress)
    assert [r["length"] for r in records] == [2, 3, 3, 5]
    for r in records:
        assert set(r["seconds"]) == {f"{b} {kind}" for b in backends() for kind in ("exact", "approximate")}
        # What approximate responses find is no better for the adversary.
        assert r["approximate"] >= r["exact"] - 1e-4
        assert r["gap"] <= 1e-4


def test_one_game_can_stand_for_all_of_its_length(games):
    assert [r["length"] for r in play(games, Rule(0.1, once_a_length=True), backends(), no_progress)] == [
        2,
        3,
        5,
    ]


def test_figure_and_caption_are_made_of_the_stored_numbers(tmp_path):
    pytest.importorskip("matplotlib")
    state = {
        "summary": summarise(RECORDS, Rule(0.01)),
        "longest": 16,
        "series": {name: binned(RECORDS, name) for name in RECORDS[0]["seconds"]},
    }
    figure = {
        "command": "python scripts/figure_double_oracle.py",
        "quick": False,
        "seed": 1,
        "machine": {"date": "2020-01-01", "processor": "Made Up", "versions": {"python": "3.11"}},
        "data": {"sample/train.conll": "0" * 64},
        "games_of": "four sentences",
        "sentences": 4,
        "passes": 2,
        "iterations": 10,
        "states": {name: state for name in RULES},
    }
    written = draw(figure, tmp_path / "double_oracle")
    assert [path.name for path in written] == ["double_oracle.svg", "double_oracle.png"]
    picture = written[0].read_text()
    for text in ("Trained weights", "approximate", "paper: 92 %", "75.0 % of 4", "four sentences"):
        assert text in picture
    first = written[0].read_bytes()
    assert draw(figure, tmp_path / "double_oracle")[0].read_bytes() == first
    said = caption(figure)
    assert "| trained | 0.01 | 4 | 75.0 % [" in said
    assert "2 of 3" in said
    assert "0" * 64 in said
