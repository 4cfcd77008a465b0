"""Turns and budgets; what a candidate takes is counted, not measured."""

from __future__ import annotations

import pytest
from benchmarks import timing
from benchmarks.timing import expected, interleave, summary


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """A clock that candidates move by hand."""
    now = [0.0]
    monkeypatch.setattr(timing.time, "perf_counter", lambda: now[0])
    return now


def candidate(clock: list[float], seconds: float, called: list[str], name: str):
    def run() -> None:
        called.append(name)
        clock[0] += seconds

    return run


def test_candidates_take_turns_and_no_one_is_always_first(clock):
    called: list[str] = []
    found = interleave({n: candidate(clock, 1.0, called, n) for n in "abc"}, rounds=3, budget=100.0)
    assert "".join(called) == "abcbcacab"
    assert found == {n: [1.0] * 3 for n in "abc"}


def test_a_candidate_without_budget_is_measured_once(clock):
    called: list[str] = []
    candidates = {
        "slow": candidate(clock, 9.0, called, "slow"),
        "fast": candidate(clock, 1.0, called, "fast"),
    }
    first: list[str] = []
    found = interleave(candidates, rounds=4, budget=3.0, progress=first.append)
    assert found == {"slow": [9.0], "fast": [1.0, 1.0, 1.0]}
    assert first == ["slow", "fast"]


def test_what_is_short_is_called_until_it_is_long_enough(clock):
    called: list[str] = []
    candidates = {
        "short": candidate(clock, 0.0005, called, "short"),
        "none": candidate(clock, 0.0, called, "none"),
        "long": candidate(clock, 0.003, called, "long"),
    }
    found = interleave(candidates, rounds=2, budget=1.0)
    assert found["short"] == pytest.approx([0.0005] * 2)
    assert found["none"] == [0.0] * 2
    assert {name: called.count(name) for name in candidates} == {"short": 1 + 2 * 4, "none": 2001, "long": 2}


def test_nothing_to_measure_is_measured_in_no_time():
    assert interleave({}, rounds=3, budget=1.0) == {}


def test_summary_is_per_game():
    assert summary([8.0, 4.0, 6.0], per=2) == {"seconds": 2.0, "median": 3.0, "runs": 3}


def test_what_is_expected_follows_the_last_two_sizes():
    assert expected(40, {}) is None
    assert expected(40, {20: 1.0}) == pytest.approx(4.0)
    assert expected(40, {20: 1.0}, assumed=1.0) == pytest.approx(2.0)
    assert expected(40, {5: 70.0, 10: 1.0, 20: 8.0}) == pytest.approx(64.0)


def test_what_is_expected_never_falls_and_never_explodes():
    assert expected(40, {10: 8.0, 20: 1.0}) == pytest.approx(2.0)
    assert expected(40, {10: 1e-9, 20: 1.0}) == pytest.approx(2.0**3.5)
