"""Charts: dots stand where their values are, whatever these are."""

from __future__ import annotations

import math
import re

from hypothesis import example, given
from hypothesis import strategies as st

from advsp.report.page.axis import Axis
from advsp.report.page.charts import Estimate, Series, intervals, scatter

numbers = st.floats(-1e6, 1e6)


@given(st.lists(numbers, min_size=1, max_size=8))
@example([0.0, 4.1e-23])
def test_an_axis_holds_its_values_between_round_numbers(values):
    axis = Axis.around(values, 0.0, 100.0)
    assert all(-1e-6 <= axis.place(value) <= 100.0 + 1e-6 for value in values)
    ticks = axis.ticks()
    assert 2 <= len(ticks) <= 12 and ticks == sorted(set(ticks))
    assert axis.low < axis.high


def test_an_axis_of_nothing_finite_is_one_all_the_same():
    assert Axis.around([math.nan, math.inf], 0.0, 1.0).ticks()


def circles(svg: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r'cx="([-\d.]+)" cy="([-\d.]+)"', svg)]


def test_dots_stand_in_the_order_of_their_values_and_lines_in_that_of_the_rows():
    svg = intervals([Estimate("a", 3.0, 2.0, 4.0), Estimate("b", 5.0, 4.5, 5.5, beside=6.0)], "percent")
    (x1, y1), (x2, y2) = circles(svg)
    assert x1 < x2 and y1 < y2
    assert svg.count('class="beside"') == 1 and "paper 6.00" in svg


def test_points_of_a_series_are_joined_and_named():
    series = [Series("a", ((0.0, 1.0), (2.0, 3.0)), ("a", "a more")), Series("b", ((1.0, 1.0),), ("b",))]
    svg = scatter(series, "x", "y")
    assert svg.count('class="line') == 2 and "<title>a more: 2.00, 3.00</title>" in svg
    (x1, y1), (x2, y2), (x3, y3) = circles(svg)
    assert x1 < x3 < x2 and y2 < y1 == y3


def test_rows_are_escaped():
    assert "<b>" not in intervals([Estimate("<b>", 1.0, 0.0, 2.0)], "<i>")
