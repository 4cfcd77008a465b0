"""Numbers as a reader sees them."""

from __future__ import annotations

import pytest
from benchmarks.markdown import exponent, ratio, seconds, table


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (123.4, "123 s"),
        (12.34, "12.3 s"),
        (1.234, "1.2 s"),
        (0.5, "500 ms"),
        (0.00123, "1.2 ms"),
        (4.2e-5, "42.0 µs"),
        (4.2e-7, "0.42 µs"),
        (1234.0, "1,234 s"),
        (0.0, "0 µs"),
    ],
)
def test_times_have_a_unit_and_few_digits(value, text):
    assert seconds(value) == text


def test_ratios():
    assert [ratio(v) for v in (None, 0.048, 1.0, 12.34, 240.2)] == [
        "–",
        "0.048 ×",
        "1.0 ×",
        "12.3 ×",
        "240 ×",
    ]


def test_exponents_show_interval_and_range():
    assert exponent(None) == "–"
    fitted = {"exponent": 1.234, "low": 1.0, "high": 1.5, "first": 80, "last": 6400, "points": 5}
    assert exponent(fitted) == "1.23 [1.00, 1.50] (80 to 6,400)"
    assert exponent(fitted | {"low": None, "high": None}) == "1.23 (80 to 6,400)"


def test_tables_align_numbers_right():
    assert table(["a", "b"], [["x", "1"]]) == ["| a | b |", "| --- | ---: |", "| x | 1 |"]
    assert table(["a", "b"], []) == []
